// The stems of each line of the files named, as the engine reads them, into FILE.stems: node stems.ts words.txt meanings.txt software.txt
import { readFileSync, writeFileSync } from 'node:fs'
import { stem } from '../../engine/language.ts'
import { normalise, tokenise } from '../../engine/normalise.ts'

for (const file of process.argv.slice(2)) {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const stems = lines.map((line) =>
    tokenise(normalise(line))
      .map((token) => stem(token, 'en'))
      .join(' '),
  )
  writeFileSync(`${file}.stems`, `${stems.join('\n')}\n`)
}
