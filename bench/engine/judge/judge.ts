// Measures what grouping makes of a language model that judges, simulated from the labels, and writes docs/benchmarks/judge.md.
//   node bench/engine/judge/judge.ts [--data=FOLDER] [--seeds=3] [--only=SET] [--judge=85/3] [--read]
// --judge: how often, in percent, the judge says yes where it is right, and where it is wrong. --read: the sets as a language model read them,
// also after a simulated review. With --only, --judge, --read, or other than 3 seeds, it prints the figures and writes nothing. FOLDER is where the public sets are (default: shared/data next to the repository).
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { chosenSets, type DataSet, dataSets, isPresent, setAsRead } from '../data-sets.ts'
import { headingOf, thisMachine } from '../machine.ts'
import { encoderFor } from '../reading-runs.ts'
import { type JudgeLine, judgePage, judgeTable } from './judge-report.ts'
import { type JudgeScores, judgedStream, type Rates } from './simulated-judge.ts'

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..')
const SEEDS = 3
/** Our own sets with a company's feedback, the first of `dataSets`. */
const COMPANIES = 5
const JUDGES: readonly (Rates | null)[] = [
  null,
  { trueYes: 1, falseYes: 0 },
  { trueYes: 0.85, falseYes: 0.03 },
  { trueYes: 0.8, falseYes: 0.08 },
]

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string', default: path.join(ROOT, '..', 'shared', 'data') },
      seeds: { type: 'string', default: `${SEEDS}` },
      only: { type: 'string' },
      judge: { type: 'string' },
      read: { type: 'boolean', default: false },
    },
  })
  const seeds = Number(values.seeds)
  const judges = values.judge === undefined ? JUDGES : [null, parseRates(values.judge)]
  const all = dataSets(values.data)
  const sets = values.only === undefined ? all.slice(0, COMPANIES) : chosenSets(all, values.only)
  const lines: JudgeLine[] = []
  const skipped: string[] = []
  for (const set of sets) {
    process.stderr.write(`${set.name} …\n`)
    const read = values.read ? setAsRead(set) : null
    if (!isPresent(set)) skipped.push(set.name)
    else if (read) {
      lines.push(...(await measure({ ...read, name: `${set.name}, read` }, seeds, judges)))
      lines.push(...(await measure({ ...read, name: `${set.name}, read and reviewed` }, seeds, judges, true)))
    } else lines.push(...(await measure(set, seeds, judges)))
  }
  const heading = headingOf(thisMachine(new Date()))
  process.stdout.write(`${heading}\n\n${judgeTable(lines)}\n`)
  for (const name of skipped) process.stdout.write(`${name}: skipped, its file is not there\n`)
  if (values.only !== undefined || values.judge !== undefined || values.read || seeds !== SEEDS) return
  writeFileSync(path.join(ROOT, 'docs', 'benchmarks', 'judge.md'), judgePage(heading, seeds, lines))
}

function parseRates(text: string): Rates {
  const [trueYes = Number.NaN, falseYes = Number.NaN] = text.split('/').map((percent) => Number(percent) / 100)
  if (!(trueYes >= 0 && trueYes <= 1 && falseYes >= 0 && falseYes <= 1)) throw new Error('--judge is for example 85/3')
  return { trueYes, falseYes }
}

async function measure(
  { name, rowsOf }: DataSet,
  seeds: number,
  judges: typeof JUDGES,
  reviewed = false,
): Promise<JudgeLine[]> {
  const numbers = Array.from({ length: seeds }, (_, i) => i + 1)
  const encoder = await encoderFor(numbers.flatMap(rowsOf))
  return judges.map((rates) => {
    const runs = numbers.map((seed) => judgedStream(rowsOf(seed), seed, { rates, encoder, reviewed }))
    return { data: name, rates, scores: mean(runs) }
  })
}

function mean(runs: readonly JudgeScores[]): JudgeScores {
  const [first] = runs
  if (!first) throw new Error('--seeds is at least 1')
  const meanOf = (key: keyof JudgeScores) =>
    first[key] === null ? null : runs.reduce((sum, run) => sum + (run[key] ?? 0), 0) / runs.length
  return Object.fromEntries(
    (Object.keys(first) as (keyof JudgeScores)[]).map((key) => [key, meanOf(key)]),
  ) as JudgeScores
}

await main()
