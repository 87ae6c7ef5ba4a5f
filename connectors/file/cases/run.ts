// Reads the files that people have, prints what was made of them, and writes docs/files.md.   npm run files
import { readFileSync, writeFileSync } from 'node:fs'
import { documentOf, messagesOf, outcomes } from './document.ts'

const page = new URL('../../../docs/files.md', import.meta.url)
const all = await outcomes()
for (const [heading, list] of all) {
  process.stdout.write(`\n${heading}\n`)
  for (const { of, seen, wrong } of list) {
    const name = `${of.preset ?? of.name}: ${of.what}`
    process.stdout.write(`${wrong.length === 0 ? 'ok   ' : 'wrong'}  ${name} (messages: ${messagesOf(seen)})\n`)
    for (const one of wrong) process.stdout.write(`         ${one}\n`)
  }
}
const [before = ''] = readFileSync(page, 'utf8').split(/^(?=## Exports)/m)
writeFileSync(page, before + documentOf(all))
const read = all.flatMap(([, list]) => list)
const wrongs = read.filter(({ wrong }) => wrong.length > 0).length
process.stdout.write(`\n${read.length} files, ${wrongs} read wrongly. Written to docs/files.md\n`)
process.exitCode = wrongs === 0 ? 0 : 1
