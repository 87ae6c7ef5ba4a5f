import { spawn } from 'node:child_process'
import { loadavg } from 'node:os'
import path from 'node:path'
import { checks } from './checks.ts'

// Runs the checks of operations, all or those that are named, one after another. Each is a script of its own that exits with 0 or 1.
//   npm run test:ops                     all of them
//   npm run test:ops -- restore pooling  the named ones, and those whose names start like this
//   npm run test:ops -- --list           what there is

const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const wanted = checks.filter(({ name }) => names.length === 0 || names.some((start) => name.startsWith(start)))
const unknown = names.filter((start) => !checks.some(({ name }) => name.startsWith(start)))

if (process.argv.includes('--list') || unknown.length > 0) {
  for (const one of unknown) process.stderr.write(`There is no check called ${one}.\n`)
  for (const { name, about } of checks) process.stdout.write(`${name.padEnd(20)}${about}\n`)
  process.exit(unknown.length > 0 ? 2 : 0)
}

const verdicts: string[] = []
let failed = 0
for (const { name, about, minutes } of wanted) {
  process.stdout.write(`\n── ${name}: ${about} (load ${loadavg()[0]?.toFixed(1)})\n`)
  const { code, verdict } = await run(name, minutes)
  if (code !== 0) failed += 1
  verdicts.push(verdict ?? `FAIL ${name}: it ended with ${code} and without a verdict`)
}
process.stdout.write(`\n${verdicts.join('\n')}\n\n${wanted.length - failed} passed, ${failed} failed\n`)
process.exitCode = failed > 0 ? 1 : 0

/** `minutes`: when it is stopped. */
function run(name: string, minutes: number): Promise<{ code: number | string; verdict?: string }> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'checks', `${name}.ts`)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const late = setTimeout(() => child.kill('SIGTERM'), minutes * 60_000)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    process.stdout.write(text)
  })
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      clearTimeout(late)
      const verdict = /^(PASS|FAIL) .*$/m.exec(output)?.[0]
      resolve({ code: code ?? signal ?? 'unknown', ...(verdict === undefined ? {} : { verdict }) })
    })
  })
}
