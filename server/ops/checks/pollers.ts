import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { INSIGHTS_DELTA, listInsights } from '@groundswell/contract/insights.ts'
import { copyInsights, touchInsight } from '../../faults/copied-insights.ts'
import { until } from '../../faults/until.ts'
import { medianOf, type Report, runCheckAlone } from '../check.ts'
import { cpuSeconds } from '../cpu.ts'
import { Postgres } from '../postgres.ts'
import { Product } from '../product.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { textsOf } from '../texts.ts'

// 200 browsers poll a list of 500 insights, as the web app does, while one of them changes every 2 s.

const POLLERS = 200
const INSIGHTS = 500
const CHANGE_MS = 2_000
/** As the web app (`POLL_INTERVAL_MS`). */
const POLL_MS = 15_000
const WARM_UP_MS = 35_000
const RUNS = 5
const MEASURED_MS = 30_000
const MAX_BYTES_PER_SECOND = 2_000_000
const MAX_CPU = 0.5
const MAX_P99_MS = 100

type Reply = { status: number; ms: number; bytes: number }
/** `cpu`: the share of a core that the API process used. */
type Run = { replies: Reply[]; seconds: number; cpu: number }

await runCheckAlone('pollers', ['postgresql'], async (report, debian) => {
  const folder = temporaryFolder(report)
  const server = await Postgres.create(report, debian, { folder: `${folder}/server`, port: 5432 })
  const product = new Product(report, {
    env: { ...server.addresses, ENCODER: 'off' },
    query: (text, values) => server.query(text, undefined, values),
  })
  await product.migrate()
  const serve = await product.serve()
  await product.work()
  await product.furnish()
  const texts = textsOf('first', 1)
  await product.import('first', texts)
  await until('the rows to be grouped', async () => {
    const [row] = await server.query<{ grouped: number }>(
      'select count(*)::int as grouped from feedback_item where grouped_seq is not null',
    )
    return row?.grouped === texts.length || undefined
  })
  await copyInsights((text) => server.query(text), INSIGHTS)
  await touchInsight((text) => server.query(text))
  const shown = (await product.client.call(listInsights)).length
  report.require(shown >= INSIGHTS, `the list has ${shown} insights`)

  const ended = new AbortController()
  report.onEnd(() => ended.abort())
  const replies: Reply[] = []
  const pollers = Array.from({ length: POLLERS }, async (_, at) => {
    await pause((at * POLL_MS) / POLLERS)
    await poll(product, ended.signal, replies)
  })
  const changes = change(server, ended.signal)
  await pause(WARM_UP_MS)
  const runs: Run[] = []
  for (let run = 0; run < RUNS; run += 1) {
    replies.length = 0
    const before = cpuSeconds([serve.process.pid ?? 0])
    const from = performance.now()
    await pause(MEASURED_MS)
    const seconds = (performance.now() - from) / 1_000
    runs.push({ replies: [...replies], seconds, cpu: (cpuSeconds([serve.process.pid ?? 0]) - before) / seconds })
  }
  ended.abort()
  await Promise.all([...pollers, changes])
  judge(report, runs)
})

function judge(report: Report, runs: readonly Run[]): void {
  const all = runs.flatMap((run) => run.replies)
  const count = (status: number) => all.filter((one) => one.status === status).length
  const bytes = medianOf(runs.map((run) => run.replies.reduce((sum, one) => sum + one.bytes, 0) / run.seconds))
  const cpu = medianOf(runs.map((run) => run.cpu))
  const p99 = medianOf(runs.map(p99Of))
  report.figure(
    `${all.length} polls, ${count(200)} with changes; medians of ${RUNS} times ${MEASURED_MS / 1_000} s: ` +
      `${(bytes / 1e6).toFixed(2)} MB/s, ${(100 * cpu).toFixed(0)} % of a core in the API process, p99 ${p99.toFixed(0)} ms`,
  )
  report.require(count(200) + count(304) === all.length, 'every poll is answered with 200 or 304')
  report.require(bytes <= MAX_BYTES_PER_SECOND, `that is at most ${MAX_BYTES_PER_SECOND / 1e6} MB/s`)
  report.require(cpu <= MAX_CPU, `the API process uses at most ${100 * MAX_CPU} % of a core`)
  report.require(p99 <= MAX_P99_MS, `99 of 100 polls take at most ${MAX_P99_MS} ms`)
}

function p99Of({ replies }: Run): number {
  const times = replies.map((one) => one.ms).toSorted((a, b) => a - b)
  return times[Math.floor(times.length * 0.99)] ?? Number.POSITIVE_INFINITY
}

/** Polls like one browser until `signal`, first for the whole list, then for what changed since. */
async function poll(product: Product, signal: AbortSignal, replies: Reply[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let known: Record<string, string> = {}
  while (!signal.aborted) {
    const { headers, ...reply } = await ask(product, agent, known)
    replies.push(reply)
    const etag = headers.etag
    if (etag && headers[INSIGHTS_DELTA.toLowerCase()]) known = { 'if-none-match': etag, [INSIGHTS_DELTA]: 'wanted' }
    await pause(POLL_MS, undefined, { signal }).catch(() => undefined)
  }
  agent.destroy()
}

type Answer = Reply & { headers: Record<string, string | undefined> }

function ask(product: Product, agent: Agent, known: Record<string, string>): Promise<Answer> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${product.client.token}`, 'accept-encoding': 'gzip, br, zstd', ...known }
    const sent = request(`${product.base}${listInsights.path}`, { agent, headers }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          ms: performance.now() - began,
          bytes,
          headers: response.headers as Record<string, string | undefined>,
        }),
      )
    })
    sent.on('error', reject).end()
  })
}

/** Changes one insight every 2 s until `signal`. */
async function change(server: Postgres, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await touchInsight((text) => server.query(text))
    await pause(CHANGE_MS, undefined, { signal }).catch(() => undefined)
  }
}
