import { loadCompany } from '@groundswell/connectors/sandbox/index.ts'
import { getImport, startImport } from '@groundswell/contract/feedback.ts'
import { listInsights } from '@groundswell/contract/insights.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Child } from './child.ts'
import { seed } from './extent.ts'
import { measure } from './measure.ts'
import { asBytes, perturbed } from './perturb.ts'
import { seeded } from './random.ts'
import { Stack } from './stack.ts'
import { until } from './until.ts'

const ROWS = 100_000
const HUGE_LINES = 150
const HUGE_BYTES = 2 * 1024 ** 2
const HUGE_EVERY = 650
/** The file has 300 MiB and more: a server that loaded it, or half of it, into memory would be noticed. */
const MAX_GROWTH = 150 * 1024 ** 2
const MAX_MEMORY = 1024 ** 3
const DEADLINE_MS = 900_000

let stack: Stack
let child: Child

beforeAll(async () => {
  stack = await Stack.start(['measured'])
  await stack.furnish('http://127.0.0.1:9/nobody-is-there')
  child = stack.children('measured')[0] as Child
})

afterAll(async () => {
  await stack?.stop()
})

it('takes in a file of 100,000 rows between huge lines without holding it, and groups every row', async () => {
  const before = await measure(child)
  const taken = await stack.client.call(startImport, { query: { name: 'load.jsonl' }, raw: file() })
  const upload = await measure(child)
  expect(taken.bytes).toBeGreaterThan(HUGE_LINES * HUGE_BYTES)
  expect(upload.rss - before.rss).toBeLessThan(MAX_GROWTH)

  const done = await until(
    'the rows to be read and grouped',
    async () => {
      const found = await stack.client.call(getImport, { params: { id: taken.id } })
      const ended = found.state === 'failed' || (found.state === 'done' && found.grouped === found.added)
      return ended ? found : undefined
    },
    { deadlineMs: DEADLINE_MS, everyMs: 1_000, explain: () => stack.said() },
  )
  const work = await measure(child)
  process.stdout.write(
    `load: memory grew by ${mib(upload.rss - before.rss)} MiB for a file of ${mib(taken.bytes)} MiB, ` +
      `${mib(work.rss)} MiB at most afterwards; longest stall ${Math.round(upload.stallMs)} ms at the upload, ` +
      `${Math.round(work.stallMs)} ms while reading and grouping\n`,
  )
  expect(done).toMatchObject({ state: 'done', added: ROWS, known: 0, bad: HUGE_LINES, grouped: ROWS })
  expect(done.problems).toHaveLength(HUGE_LINES)
  expect(done.problems[0]?.line).toBe(HUGE_EVERY + 1)
  expect(work.rss).toBeLessThan(MAX_MEMORY)
  expect((await stack.client.call(listInsights)).length).toBeGreaterThan(10)
})

/** Rows, and occasionally a line that is longer than allowed. */
async function* file(): AsyncGenerator<Uint8Array> {
  const huge = new Uint8Array(HUGE_BYTES).fill(120)
  huge[HUGE_BYTES - 1] = 10
  const rows = perturbed(loadCompany(), ROWS, seeded(seed))
  let some: object[] = []
  let lines = 0
  for (const row of rows) {
    some.push(row)
    if (some.length < HUGE_EVERY || lines === HUGE_LINES) continue
    yield* asBytes(some)
    yield huge
    some = []
    lines += 1
  }
  yield* asBytes(some)
}

function mib(bytes: number): number {
  return Math.round(bytes / 1024 ** 2)
}
