// Measures how well the engine groups labelled messages, compared with two peers, and writes docs/benchmarks/grouping.{json,md}.
//   node bench/engine/grouping.ts [--data=FOLDER] [--seeds=5] [--only=NAME]
// FOLDER holds text⇥label files (default: shared/data next to the repository); without them only our own sets are
// measured. With --only or other than 5 seeds it prints the figures and writes nothing.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { fewSubjects } from './few-subjects.ts'
import { headingOf, thisMachine } from './machine.ts'
import { type Scores, scoreGrouping } from './metrics.ts'
import { withPadding } from './padding.ts'
import { kMeans, leader, withoutSingles } from './peers.ts'
import { type Cell, COLUMNS, type Line, page, type Report, table } from './report.ts'
import { type Row, readRows, type StreamOptions, stream } from './stream.ts'

const ROOT = path.resolve(import.meta.dirname, '..', '..')
const SEEDS = 5
const SETS: [name: string, file: string][] = [
  ['CLINC150 + out of scope', 'clinc_test_oos.tsv'],
  ['CLINC150', 'clinc_test.tsv'],
  ['HWU64', 'hwu64_train.tsv'],
  ['Banking77', 'banking77_test.tsv'],
]

/** Written for this benchmark without knowledge of the engine, and never tuned on: 355 to 373 messages each. */
const COMPANIES: [name: string, file: string][] = [
  ['hotel software, letters', 'hotel.jsonl'],
  ['developer tool, chat', 'devtool.jsonl'],
  ['fitness app, reviews', 'fitness.jsonl'],
  ['web shops, support chat', 'shop.jsonl'],
]

/** Also measured with filler sentences around each message. */
const PADDED_SET = 'CLINC150'
/** Also measured with twelve of its subjects, different ones in each run, like a small company. */
const FEW_SUBJECTS_SET = 'CLINC150 + out of scope'

type Run = Record<string, number>

function main(): void {
  const { values } = parseArgs({
    options: {
      data: { type: 'string', default: path.join(ROOT, '..', 'shared', 'data') },
      seeds: { type: 'string', default: `${SEEDS}` },
      only: { type: 'string' },
    },
  })
  const seeds = Number(values.seeds)
  const sets: [string, string][] = [
    ['demo company', path.join(ROOT, 'connectors', 'sandbox', 'company', 'feedback.jsonl')],
    ...COMPANIES.map(([name, file]): [string, string] => [name, path.join(import.meta.dirname, 'companies', file)]),
    ['five languages', path.join(import.meta.dirname, 'five-languages.tsv')],
    ...SETS.map(([name, file]): [string, string] => [name, path.join(values.data, file)]),
  ]
  const report: Report = { heading: headingOf(thisMachine(new Date())), seeds, skipped: [], lines: [] }
  for (const [name, file] of sets) {
    if (values.only !== undefined && values.only !== name) continue
    if (!existsSync(file)) {
      process.stderr.write(`${name}: skipped, ${file} is not there\n`)
      report.skipped.push(name)
      continue
    }
    process.stderr.write(`${name} …\n`)
    const rows = readRows(file)
    report.lines.push(...measure(name, () => rows, seeds))
    if (name === PADDED_SET) report.lines.push(...measure(`${name}, lines around`, () => withPadding(rows), seeds))
    if (name === FEW_SUBJECTS_SET)
      report.lines.push(...measure(`${name}, 12 subjects`, (seed) => fewSubjects(rows, 12, seed), seeds))
  }
  process.stdout.write(`${report.heading}\n\n${table(report.lines)}\n`)
  if (values.only !== undefined || seeds !== SEEDS) return
  const folder = path.join(ROOT, 'docs', 'benchmarks')
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'grouping.json'), `${JSON.stringify(report, null, 2)}\n`)
  writeFileSync(path.join(folder, 'grouping.md'), page(report))
}

/** Measures the engine on each kind of stream the rows allow, then the peers. */
function measure(data: string, rowsOf: (seed: number) => Row[], seeds: number): Line[] {
  const each = (run: (rows: Row[], seed: number) => Run) =>
    Array.from({ length: seeds }, (_, i) => run(rowsOf(i + 1), i + 1))
  const kMeansRuns = each((rows, seed) =>
    timed(() => scoreGrouping(kMeans(textsOf(rows), subjectsOf(rows), seed), labelsOf(rows))),
  )
  const leaderRuns = each((rows) => timed(() => scoreGrouping(withoutSingles(leader(textsOf(rows))), labelsOf(rows))))
  const rows = rowsOf(1)
  const timedRows = rows.some(({ at }) => at !== undefined)
  const kinds: [string, StreamOptions][] = timedRows
    ? [['in its order', {}]]
    : [
        ['shuffled', {}],
        ['bursty', { bursty: true }],
      ]
  const lines = kinds.map(([kind, options]) => ({
    data,
    method: `engine, ${kind}`,
    runs: each((some, seed) => {
      const { state: _, ...scores } = stream(some, seed, options)
      return scores
    }),
  }))
  lines.push({ data, method: 'TF-IDF + k-means, true k', runs: kMeansRuns })
  lines.push({ data, method: 'leader', runs: leaderRuns })
  const unit = kMeansRuns.reduce((sum, { cpuMs = 0 }) => sum + cpuMs, 0) / seeds
  const noise = labelsOf(rows).includes(null)
  return lines.map(({ runs, ...line }) => ({ ...line, cells: cellsOf(runs, unit, noise) }))
}

const textsOf = (rows: Row[]) => rows.map(({ text }) => text)
const labelsOf = (rows: Row[]) => rows.map(({ label }) => label)
const subjectsOf = (rows: Row[]) => new Set(labelsOf(rows).filter((label) => label !== null)).size

function timed(work: () => Scores): Run {
  const began = process.cpuUsage()
  const scores = work()
  const { user, system } = process.cpuUsage(began)
  return { ...scores, cpuMs: (user + system) / 1_000 }
}

function cellsOf(runs: Run[], unitMs: number, noise: boolean): Record<string, Cell> {
  const cells: Record<string, Cell> = {}
  for (const key of Object.keys(COLUMNS)) {
    const values = runs.flatMap((run) => (key === 'ratio' ? [(run.cpuMs ?? 0) / unitMs] : (run[key] ?? [])))
    cells[key] =
      values.length === 0 || (key === 'noiseGrouped' && !noise)
        ? null
        : values.map((value) => Number(value.toPrecision(5)))
  }
  return cells
}

main()
