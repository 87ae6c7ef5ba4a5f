// Measures how well the engine groups labelled messages, compared with two peers, and writes docs/benchmarks/grouping.{json,md}.
//   node bench/engine/grouping.ts [--data=FOLDER] [--seeds=5] [--only=SET] [--method=METHOD] [--read] [--settled=5]
// FOLDER holds text⇥label files (default: shared/data next to the repository); without them only our own sets are
// measured. --settled=N: people settle each insight with N messages after each batch, see `revise`. --read: also what a language model read in the messages of the companies (readings/README.md), grouped in place of their words.
// SET and METHOD are names or parts of names, for example --only=demo --method=engine. With either, or with
// other than 5 seeds, it prints the figures and writes nothing.
import { mkdirSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { SentenceEncoder } from '@groundswell/engine/group.ts'
import { chosenSets, type DataSet, dataSets, isPresent, setAsRead } from './data-sets.ts'
import { headingOf, thisMachine } from './machine.ts'
import { type Scores, scoreGrouping } from './metrics.ts'
import { kMeans, leader, withoutSingles } from './peers.ts'
import { encoderFor, readRuns } from './reading-runs.ts'
import { type Cell, COLUMNS, type Line, page, type Report, SHOWN_COLUMNS, tables } from './report.ts'
import { type Row, type StreamOptions, stream } from './stream.ts'

const ROOT = path.resolve(import.meta.dirname, '..', '..')
const SEEDS = 5
const K_MEANS = 'TF-IDF + k-means, true k'

type Run = Record<string, number | null>
type Method = { method: string; run: (rows: Row[], seed: number) => Run }

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string', default: path.join(ROOT, '..', 'shared', 'data') },
      seeds: { type: 'string', default: `${SEEDS}` },
      only: { type: 'string' },
      method: { type: 'string' },
      read: { type: 'boolean', default: false },
      settled: { type: 'string' },
    },
  })
  const seeds = Number(values.seeds)
  const report: Report = { heading: heading(), seeds, skipped: [], lines: [] }
  for (const set of chosenSets(dataSets(values.data), values.only)) {
    if (isPresent(set)) {
      process.stderr.write(`${set.name} …\n`)
      const settledFrom = values.settled === undefined ? undefined : Number(values.settled)
      const encoder = await encoderFor(rowsOfAll(set, seeds))
      report.lines.push(...measure(set, seeds, { method: values.method ?? '', encoder, settledFrom }))
      const read = values.read ? setAsRead(set) : null
      if (read) report.lines.push(...(await measureRead(read, seeds)))
    } else {
      process.stderr.write(`${set.name}: skipped, ${set.file} is not there\n`)
      report.skipped.push(set.name)
    }
  }
  process.stdout.write(`${report.heading}\n\n${tables(report.lines)}\n`)
  if (values.only !== undefined || values.method !== undefined || values.settled !== undefined || seeds !== SEEDS)
    return
  const folder = path.join(ROOT, 'docs', 'benchmarks')
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'grouping.json'), `${JSON.stringify(report, null, 2)}\n`)
  writeFileSync(path.join(folder, 'grouping.md'), page(report))
}

/** The machine, and how busy it is with other work. */
function heading(): string {
  return `${headingOf(thisMachine(new Date()))}, load average ${Math.round(loadavg()[1] as number)}`
}

/** Measures the engine on each kind of stream the rows allow, and the peers: those whose name contains `method`. */
function measure(
  { name, intents, rowsOf }: DataSet,
  seeds: number,
  {
    method,
    encoder,
    settledFrom,
  }: { method: string; encoder: SentenceEncoder | null; settledFrom: number | undefined },
): Line[] {
  const rows = rowsOf(1)
  const measured = methodsFor(rows, { intents, ...(settledFrom === undefined ? {} : { settledFrom }) }, encoder)
    .filter((one) => one.method.toLowerCase().includes(method.toLowerCase()))
    .map((one) => ({
      method: one.method,
      runs: Array.from({ length: seeds }, (_, i) => one.run(rowsOf(i + 1), i + 1)),
    }))
  const peer = measured.find((one) => one.method === K_MEANS)
  const unitMs = peer ? peer.runs.reduce((sum, { cpuMs }) => sum + (cpuMs ?? 0), 0) / seeds : null
  const noise = labelsOf(rows).includes(null)
  return measured.map((one) => ({ data: name, method: one.method, cells: cellsOf(one.runs, unitMs, noise) }))
}

async function measureRead({ name, rowsOf }: DataSet, seeds: number): Promise<Line[]> {
  const noise = labelsOf(rowsOf(1)).includes(null)
  const methods = await readRuns(rowsOf, seeds)
  return methods.map(({ method, runs }) => ({ data: name, method, cells: cellsOf(runs, null, noise) }))
}

function rowsOfAll({ rowsOf }: DataSet, seeds: number): Row[] {
  return Array.from({ length: seeds }, (_, i) => rowsOf(i + 1)).flat()
}

function methodsFor(rows: Row[], given: StreamOptions, encoder: SentenceEncoder | null): Method[] {
  const timedRows = rows.some(({ at }) => at !== undefined)
  const orders: [string, StreamOptions][] = timedRows
    ? [['in its order', given]]
    : [
        ['shuffled', given],
        ['bursty', { ...given, bursty: true }],
      ]
  return [
    ...orders.flatMap(([order, options]) => [
      engine(`engine, words, ${order}`, options),
      ...(encoder ? [engine(`engine, sentences, ${order}`, { ...options, encoder })] : []),
    ]),
    {
      method: K_MEANS,
      run: (some, seed) => timed(() => scoreGrouping(kMeans(textsOf(some), subjectsOf(some), seed), labelsOf(some))),
    },
    {
      method: 'leader',
      run: (some) => timed(() => scoreGrouping(withoutSingles(leader(textsOf(some))), labelsOf(some))),
    },
  ]
}

function engine(method: string, options: StreamOptions): Method {
  return {
    method,
    run: (rows, seed) => {
      const { state: _, ...scores } = stream(rows, seed, options)
      return scores
    },
  }
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

/** `unitMs`: CPU time of k-means, null if it was not measured. */
function cellsOf(runs: Run[], unitMs: number | null, noise: boolean): Record<string, Cell> {
  const cells: Record<string, Cell> = {}
  for (const key of [...Object.keys(SHOWN_COLUMNS), ...Object.keys(COLUMNS)]) {
    const values = runs.flatMap((run) =>
      key === 'ratio' ? (unitMs === null ? [] : (run.cpuMs ?? 0) / unitMs) : (run[key] ?? []),
    )
    cells[key] =
      values.length === 0 || (key === 'noiseGrouped' && !noise)
        ? null
        : values.map((value) => Number(value.toPrecision(5)))
  }
  return cells
}

await main()
