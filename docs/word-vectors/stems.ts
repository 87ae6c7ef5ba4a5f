// Writes the stems of each line of the given files, as the engine reads them, to FILE.stems:
//   node stems.ts words.txt meanings.txt software.txt pairs.txt pairs.de.txt pairs.fr.txt pairs.es.txt pairs.pt.txt
// A file name may contain the language (pairs.de.txt); otherwise it is English.
import { readFileSync, writeFileSync } from 'node:fs'
import { type Language, stem } from '@groundswell/engine/text/language.ts'
import { normalise, tokenise } from '@groundswell/engine/text/normalise.ts'

for (const file of process.argv.slice(2)) {
  const language = (/\.(de|fr|es|pt)\.txt$/.exec(file)?.[1] ?? 'en') as Language
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  const stems = lines.map((line) =>
    tokenise(normalise(line))
      .map((token) => stem(token, language))
      .join(' '),
  )
  writeFileSync(`${file}.stems`, `${stems.join('\n')}\n`)
}
