// Measures the engine's speed and resource use, compared with a peer, and writes docs/benchmarks/engine-speed.{json,md}.
//   node bench/engine/speed.ts [--sizes=10000,100000,1000000] [--runs=3]
// With sizes or runs other than the defaults it prints the figures and writes nothing.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Figure, figure, table } from './figures.ts'
import { headingOf, thisMachine } from './machine.ts'
import type { Outcome, Streamed } from './speed-run.ts'

const ROOT = path.resolve(import.meta.dirname, '..', '..')
const SIZES = '10000,100000,1000000'
const RUNS = '3'
/** Longer streams run once: they take minutes. */
const SINGLE_RUN_SIZE = 500_000
const PEER_SIZE = 10_000
const REVISIONS = 5

const TARGETS: Record<number, { atLeast: number }> = { 100_000: { atLeast: 20_000 }, 1_000_000: { atLeast: 15_000 } }
/** With the revisions on the way, which are most of the work. */
const TARGETS_OF_ALL: Record<number, { atLeast: number }> = { 100_000: { atLeast: 4_000 } }
const TARGET_RATIO = 1.5
const TARGET_MIB = 800
const TARGET_REVISION_S = 2
const TARGET_START_S = 2

function main(): void {
  const { values } = parseArgs({
    options: { sizes: { type: 'string', default: SIZES }, runs: { type: 'string', default: RUNS } },
  })
  const sizes = values.sizes.split(',').map(Number)
  const runs = Number(values.runs)
  const machine = thisMachine(new Date())
  const figures = measure(sizes, runs)
  process.stdout.write(`${headingOf(machine)}\n\n${table(figures)}\n`)
  if (values.sizes !== SIZES || values.runs !== RUNS) return
  const folder = path.join(ROOT, 'docs', 'benchmarks')
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'engine-speed.json'), `${JSON.stringify({ machine, figures }, null, 2)}\n`)
  writeFileSync(path.join(folder, 'engine-speed.md'), page(headingOf(machine), figures))
}

function measure(sizes: number[], runs: number): Figure[] {
  const figures: Figure[] = []
  const streams = new Map(sizes.map((size) => [size, repeated('stream', size, size > SINGLE_RUN_SIZE ? 1 : runs)]))
  for (const [size, outcomes] of streams) figures.push(...streamFigures(size, streamed(outcomes)))
  const [first, last] = [Math.min(...sizes), Math.max(...sizes)].map((size) => streamed(streams.get(size) ?? []))
  if (first && last) {
    const unit = middle(first.map(costOf))
    const ratios = last.map((one) => costOf(one) / unit)
    figures.push(
      figure(
        `cost of a message at ${shown(Math.max(...sizes))}, beside that at ${shown(Math.min(...sizes))}`,
        '×',
        ratios,
        {
          atMost: TARGET_RATIO,
        },
      ),
    )
  }
  figures.push(...peerFigures(first ?? [], repeated('peer', PEER_SIZE, runs)))
  const revised = repeated('revision', REVISIONS, 1)[0]?.revised
  if (revised)
    figures.push(
      figure(`a revision after 500 messages, ${shown(revised.scope)} kept: CPU`, 's', revised.ms.map(seconds), {
        atMost: TARGET_REVISION_S,
      }),
    )
  const stored = [...streams.values()].flat().flatMap((outcome) => outcome.stored ?? [])
  if (stored.length > 0) {
    figures.push(
      figure(
        'state of 100,000 messages, stored',
        'MiB',
        stored.map(({ bytes }) => bytes / 1024 ** 2),
      ),
      figure(
        'storing it: CPU',
        's',
        stored.map(({ writeMs }) => seconds(writeMs)),
      ),
      figure(
        'cold start from it: CPU',
        's',
        stored.map(({ readMs }) => seconds(readMs)),
        { atMost: TARGET_START_S },
      ),
    )
  }
  return figures
}

function streamFigures(size: number, runs: Streamed[]): Figure[] {
  const name = shown(size)
  const target = size === 1_000_000 ? { atMost: TARGET_MIB } : undefined
  return [
    figure(
      `${name} messages: grouped per second of CPU, revisions included`,
      '/s',
      runs.map((run) => size / seconds(run.onlineMs + run.revisionMs)),
      TARGETS_OF_ALL[size],
    ),
    figure(
      'read alone, without revisions',
      '/s',
      runs.map((run) => size / seconds(run.onlineMs)),
      TARGETS[size],
    ),
    figure(
      'the same, last half',
      '/s',
      runs.map((run) => size / 2 / seconds(run.lastHalfMs)),
    ),
    figure(
      'one message alone, 99th of 100',
      'ms',
      runs.map(({ p99Ms }) => p99Ms),
    ),
    figure(
      'revisions on the way, each: CPU',
      's',
      runs.map((run) => seconds(run.revisionMs) / run.revisions),
    ),
    figure(
      'peak memory of the process',
      'MiB',
      runs.map(({ peakMiB }) => peakMiB),
      target,
    ),
    figure(
      'kept statements at the end',
      '',
      runs.map(({ kept }) => kept),
    ),
    figure(
      'issues at the end',
      '',
      runs.map(({ issues }) => issues),
    ),
  ]
}

/** The peer's speed on the same messages, and the engine's relative to it. */
function peerFigures(own: Streamed[], outcomes: Outcome[]): Figure[] {
  const peers = outcomes.flatMap(({ peer }) => peer ?? [])
  const cost = middle(peers.map(({ cpuMs, size }) => cpuMs / size))
  return [
    figure(
      `peer, TF-IDF leader, ${shown(PEER_SIZE)} messages: read per second of CPU`,
      '/s',
      peers.map(({ cpuMs, size }) => size / seconds(cpuMs)),
    ),
    figure(
      'cost of a message beside the peer’s',
      '×',
      own.map((run) => run.onlineMs / run.size / cost),
    ),
  ]
}

/** The outcomes of this many child processes. */
function repeated(kind: string, size: number, runs: number): Outcome[] {
  return Array.from({ length: runs }, (_, run) => {
    process.stderr.write(`${kind} ${shown(size)}, ${run + 1} of ${runs} …\n`)
    const script = path.join(import.meta.dirname, 'speed-run.ts')
    return JSON.parse(execFileSync(process.execPath, [script, kind, `${size}`, `${run + 1}`], { encoding: 'utf8' }))
  })
}

function streamed(outcomes: Outcome[]): Streamed[] {
  return outcomes.flatMap((outcome) => outcome.streamed ?? [])
}

/** CPU time per message in ms, last half. */
function costOf({ lastHalfMs, size }: Streamed): number {
  return lastHalfMs / (size / 2)
}

function middle(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

function seconds(ms: number): number {
  return ms / 1_000
}

function shown(value: number): string {
  return value.toLocaleString('en-US')
}

function page(where: string, figures: Figure[]): string {
  return `# Engine speed

Written by \`npm run bench:engine\`. Medians; each stream runs in its own process, the longest only once. CPU time covers all threads of the
process, including garbage collection.

${where}

${table(figures)}

The messages are reworded messages of the demo company on a growing number of subjects, a quarter of them with an occasional new name,
generated from a seed (\`bench/engine/synthetic-stream.ts\`). Reading is \`prepare\` and \`assign\` in batches of 250, the last 2,000 messages one
at a time (wall time); revisions run when the engine requests them and are measured separately: in the product a worker thread does both.
Memory is the peak of the process, including the runtime and the stream generator. The cost ratio compares the last halves, to exclude
warm-up. The peer (\`bench/engine/peers.ts\`) adds each message to the group whose first message is nearest.
`
}

main()
