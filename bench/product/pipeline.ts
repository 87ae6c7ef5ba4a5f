import { loadCompany } from '@groundswell/connectors/sandbox/index.ts'
import { getImport, startImport } from '@groundswell/contract/feedback.ts'
import { listInsights } from '@groundswell/contract/insights.ts'
import { measure } from '@groundswell/server/faults/measure.ts'
import { asBytes, perturbed } from '@groundswell/server/faults/perturb.ts'
import { seeded } from '@groundswell/server/faults/random.ts'
import { Stack } from '@groundswell/server/faults/stack.ts'
import { until } from '@groundswell/server/faults/until.ts'
import { type Figure, figure } from '../engine/figures.ts'
import { cpuSeconds, watchMemory } from './processes.ts'

type Run = {
  rowsPerSecond: number
  memory: number
  stall: number
  burst: number
  ratio: number
  baseline: number
  wall: number
  insights: number
}

const TARGET_ROWS_PER_SECOND = 2_000
const TARGET_MEMORY_MIB = 1024
const TARGET_STALL_MS = 100

/**
 * A file through the whole product: HTTP, import, grouping, insights in PostgreSQL, with no destination connected. CPU
 * and memory are those of the server and its PostgreSQL together; the baseline parses the same file and stores its rows
 * in a bare table there. Without the sentence encoder, which has its own process and works on afterwards.
 */
export async function benchPipeline(options: { rows: number; runs: number; profile?: string }): Promise<Figure[]> {
  const runs: Run[] = []
  for (let run = 0; run < options.runs; run += 1) {
    runs.push(await once(options.rows, run, options.profile))
    process.stderr.write(`pipeline ${run + 1} of ${options.runs}: ${JSON.stringify(runs.at(-1))}\n`)
  }
  const of = (name: keyof Run) => runs.map((run) => run[name])
  const size = options.rows.toLocaleString('en-US')
  return [
    figure(`${size} file rows to insights: rows per second of CPU`, 'rows/s', of('rowsPerSecond'), {
      atLeast: TARGET_ROWS_PER_SECOND,
    }),
    figure('its CPU, as a multiple of parsing and inserting the same rows', '×', of('ratio')),
    figure('parsing and inserting alone: rows per second of CPU', 'rows/s', of('baseline')),
    figure('peak memory, server and PostgreSQL (PSS)', 'MiB', of('memory'), { atMost: TARGET_MEMORY_MIB }),
    figure('longest stall of the event loop', 'ms', of('stall'), { atMost: TARGET_STALL_MS }),
    figure('the same without the times when other processes had the processor', 'ms', of('burst'), {
      atMost: TARGET_STALL_MS,
    }),
    figure('from the first byte to the last row grouped', 's', of('wall')),
    figure('insights in the list at the end', '', of('insights')),
  ]
}

async function once(rows: number, run: number, profile: string | undefined): Promise<Run> {
  const flags = profile && run === 0 ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []
  const stack = await Stack.start(['measured'], flags, { ENCODER: 'off' })
  try {
    await stack.furnish()
    const [child] = stack.children('measured')
    if (!child) throw new Error('the server is not there')
    const make = () => perturbed(loadCompany(), rows, seeded(run + 1))
    await measure(child)
    const before = cpuSeconds(child.pid)
    const endWatch = watchMemory(child.pid)
    const began = performance.now()
    const { id } = await stack.client.call(startImport, { query: { name: 'bench.jsonl' }, raw: asBytes(make()) })
    await until(
      'all rows to be grouped',
      async () => {
        const found = await stack.client.call(getImport, { params: { id } })
        if (found.state === 'failed') throw new Error(`the import failed: ${found.error}`)
        return found.state === 'done' && found.added === rows && found.grouped === rows ? found : undefined
      },
      { deadlineMs: 1_200_000, everyMs: 500, explain: () => stack.said() },
    )
    const wall = (performance.now() - began) / 1000
    const cpu = cpuSeconds(child.pid) - before
    const memory = endWatch() / 1024 ** 2
    const { stallMs, burstMs } = await measure(child)
    const insights = (await stack.client.call(listInsights)).length
    const baseline = await baselineCpu(stack, child.pid, make())
    return {
      rowsPerSecond: rows / cpu,
      memory,
      stall: stallMs,
      burst: burstMs,
      ratio: cpu / baseline,
      baseline: rows / baseline,
      wall,
      insights,
    }
  } finally {
    await stack.stop()
  }
}

/** Seconds of CPU to parse the lines and insert them a thousand at a time, here and in the database of the stack. */
async function baselineCpu(stack: Stack, server: number, rows: Iterable<object>): Promise<number> {
  const chunks: string[] = []
  for await (const bytes of asBytes(rows)) chunks.push(new TextDecoder().decode(bytes))
  await stack.query('create table bench_row (id text primary key, text text, author text, date timestamptz)')
  const postgres = (await stack.postmaster()) ?? server
  const client = await stack.connect()
  const before = { here: process.cpuUsage(), there: cpuSeconds(postgres) }
  for (const chunk of chunks) {
    const parsed = chunk
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; text: string; author: string; date: string })
    await client.query(
      'insert into bench_row select * from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[])',
      [
        parsed.map((row) => row.id),
        parsed.map((row) => row.text),
        parsed.map((row) => row.author),
        parsed.map((row) => row.date),
      ],
    )
  }
  const { user, system } = process.cpuUsage(before.here)
  const there = cpuSeconds(postgres) - before.there
  await client.end()
  return (user + system) / 1e6 + there
}
