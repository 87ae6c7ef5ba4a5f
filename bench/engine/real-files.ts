// Groups a file of real feedback and prints its largest insights for reading (docs/benchmarks/real-feedback.md).
//   node bench/engine/real-files.ts FILE.jsonl [--top=20] [--mentions=8] [--seed=1] [--out=PAGE.md] [--words] [--readings=FILE.jsonl]
// --words: without the sentence encoder. --readings: what a language model read in the messages, which is compared in place of their words; its form is
// that of bench/engine/readings/, and a point without a quote is about the whole message.
// The page contains feedback of real people. It goes to the terminal or to a file outside the repository.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { ENGINE_VERSION, type Grouping, group, textsToEncode } from '@groundswell/engine/index.ts'
import { encoderOf } from './encoder/encoder.ts'
import { readItems, readingPage } from './largest-insights.ts'
import { headingOf, thisMachine } from './machine.ts'
import { withReadings } from './readings.ts'

const ROOT = path.resolve(import.meta.dirname, '..', '..')

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      top: { type: 'string', default: '20' },
      mentions: { type: 'string', default: '8' },
      seed: { type: 'string', default: '1' },
      out: { type: 'string' },
      words: { type: 'boolean', default: false },
      readings: { type: 'string' },
    },
  })
  const [file] = positionals
  if (file === undefined) throw new Error('name a file of feedback: npm run bench:real -- FILE.jsonl')
  const out = values.out === undefined ? undefined : path.resolve(values.out)
  if (out !== undefined && !path.relative(ROOT, out).startsWith('..')) {
    throw new Error('the page contains real feedback: name a file outside the repository')
  }
  const items = values.readings === undefined ? readItems(file) : withReadings(readItems(file), values.readings)
  const encoder = values.words ? null : await encoderOf(textsToEncode(items))
  const page = readingPage(
    `${path.basename(file)}, engine version ${ENGINE_VERSION}, ${headingOf(thisMachine(new Date()))}`,
    items,
    regularOnly(group(items, encoder ? { encoder } : {})),
    { top: Number(values.top), mentions: Number(values.mentions), seed: Number(values.seed) },
  )
  if (out === undefined) process.stdout.write(page)
  else writeFileSync(out, page)
}

/** What is in an emerging insight counts as ungrouped. */
function regularOnly({ insights, ungrouped }: Grouping): Grouping {
  const regular = insights.filter(({ emerging }) => !emerging)
  const grouped = new Set(regular.flatMap(({ mentions }) => mentions.map(({ itemId }) => itemId)))
  const emerging = insights.flatMap(({ mentions }) => mentions.map(({ itemId }) => itemId))
  return { insights: regular, ungrouped: [...new Set([...ungrouped, ...emerging.filter((id) => !grouped.has(id))])] }
}

await main()
