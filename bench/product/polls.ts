import { Agent, request } from 'node:http'
import { loadCompany } from '@groundswell/connectors/sandbox/index.ts'
import { startImport } from '@groundswell/contract/feedback.ts'
import { listInsights } from '@groundswell/contract/insights.ts'
import { getLive } from '@groundswell/contract/operations.ts'
import type { Child } from '@groundswell/server/faults/child.ts'
import { copyInsights, touchInsight } from '@groundswell/server/faults/many-insights.ts'
import { measure } from '@groundswell/server/faults/measure.ts'
import { between, seeded } from '@groundswell/server/faults/random.ts'
import { Stack } from '@groundswell/server/faults/stack.ts'
import { asFile } from '@groundswell/server/faults/topic-rows.ts'
import { until } from '@groundswell/server/faults/until.ts'
import { type Figure, figure } from '../engine/figures.ts'

const POLLS = 5_000
const WARM_UP = 1_000
const CHANGED_POLLS = 100
const ROUNDS = 5
const INSIGHTS = 500
/** Longer than the sweeps take to come round. */
const QUIET_MS = 90_000
const TARGET_UNCHANGED_MS = 0.3
const TARGET_CHANGED_MS = 5

type Answer = { status: number; etag: string; length: number }

/** What a poll of the list costs the server, in milliseconds of its CPU (all threads, without PostgreSQL), and in queries. */
export async function benchPolls(): Promise<Figure[]> {
  const stack = await Stack.start(['measured'], [], { ENCODER: 'off' })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    await stack.furnish()
    await fill(stack)
    const [child] = stack.children('measured')
    if (!child) throw new Error('the server is not there')
    const get = (path: string, etag?: string) => ask(agent, stack, path, etag)
    const shown = (await stack.client.call(listInsights)).length

    let full = await get(listInsights.path)
    if (full.etag === '') throw new Error('the list has no ETag')
    const unchanged: number[] = []
    const live: number[] = []
    const changed: number[] = []
    const queries: number[] = []
    await repeat(WARM_UP, () => get(listInsights.path, full.etag))
    await repeat(WARM_UP, () => get(getLive.path))
    for (let round = 0; round < ROUNDS; round += 1) {
      full = await get(listInsights.path)
      const poll = await cost(child, POLLS, async () => {
        const { status } = await get(listInsights.path, full.etag)
        if (status !== 304) throw new Error(`a poll that finds nothing new answered ${status}`)
      })
      unchanged.push(poll.cpuMs)
      queries.push(poll.queries)
      live.push((await cost(child, POLLS, () => get(getLive.path))).cpuMs)
      const changes = await cost(child, CHANGED_POLLS, async () => {
        await touchInsight((text) => stack.query(text))
        const { status } = await get(listInsights.path, full.etag)
        if (status !== 200) throw new Error(`a poll after a change answered ${status}`)
      })
      changed.push(changes.cpuMs)
    }
    const ratios = unchanged.map((value, index) => value / (live[index] ?? Number.NaN))
    return [
      figure('a poll that finds nothing new: CPU', 'ms', unchanged, { atMost: TARGET_UNCHANGED_MS }),
      figure('the same, as a multiple of GET /api/live', '×', ratios),
      figure(`queries by ${POLLS.toLocaleString('en-US')} such polls, background work included`, '', queries, {
        atMost: 0,
      }),
      figure(`a poll after a change, ${shown} insights: CPU`, 'ms', changed, { atMost: TARGET_CHANGED_MS }),
      figure('its body', 'KiB', [full.length / 1024]),
    ]
  } finally {
    agent.destroy()
    await stack.stop()
  }
}

/** Milliseconds of CPU and number of queries per call, over this many calls. */
async function cost(
  child: Child,
  count: number,
  call: () => Promise<unknown>,
): Promise<{ cpuMs: number; queries: number }> {
  const before = await measure(child)
  await repeat(count, call)
  const after = await measure(child)
  return { cpuMs: (after.cpuMs - before.cpuMs) / count, queries: after.queries - before.queries }
}

async function repeat(count: number, call: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < count; done += 1) await call()
}

/** Creates a real list, then copies its insights, with their evidence, up to the number in the target. */
async function fill(stack: Stack): Promise<void> {
  const random = seeded(7)
  const rows = loadCompany().map(({ id, text, author }) => ({
    id,
    text,
    author,
    date: new Date(Date.UTC(2026, 0, 5) + between(random, 0, 100_000) * 60_000).toISOString(),
  }))
  await stack.client.call(startImport, { query: { name: 'polls.jsonl' }, raw: asFile(rows) })
  await until('the rows to be grouped', async () => {
    const [left] = await stack.query<{ count: number }>(
      `select count(*)::int as count from feedback_item where grouped_seq is not null`,
    )
    return left?.count === rows.length ? true : undefined
  })
  await copyInsights((text) => stack.query(text), INSIGHTS)
  await touchInsight((text) => stack.query(text))
  await settled(stack)
}

/** Waits until nothing has changed the list for a while: what `fill` copied is counted by sweeps. */
async function settled(stack: Stack): Promise<void> {
  let last = ''
  let since = performance.now()
  await until(
    'the list to settle',
    async () => {
      const rows = await stack.query<{ revision: string }>('select revision::text from workspace order by 1')
      const revision = rows.map((row) => row.revision).join()
      if (revision !== last) since = performance.now()
      last = revision
      return performance.now() - since >= QUIET_MS || undefined
    },
    { deadlineMs: 10 * 60_000, everyMs: 1_000 },
  )
}

function ask(agent: Agent, stack: Stack, path: string, etag?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${stack.client.token}`,
      ...(etag === undefined ? {} : { 'if-none-match': etag }),
    }
    request(`${stack.client.base}${path}`, { agent, headers }, (response) => {
      let length = 0
      response.on('data', (chunk: Buffer) => {
        length += chunk.length
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, etag: response.headers.etag ?? '', length }))
    })
      .on('error', reject)
      .end()
  })
}
