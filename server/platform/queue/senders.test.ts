import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { withoutWorkspace } from '../db/tenant.ts'
import { type TestDatabase, testDatabase } from '../db/testing.ts'
import { silentLog } from '../log/log.ts'
import { currentParent, inPart, inStart } from '../traces/spans.ts'
import { type RecordedTraces, recordTraces } from '../traces/testing.ts'
import { periodicWorker } from './periodic.ts'
import { createQueue, defineJob, type Queue } from './queue.ts'

const Data = z.strictObject({ n: z.number() })

let fixture: TestDatabase
let queue: Queue
let traces: RecordedTraces

beforeAll(async () => {
  traces = recordTraces()
  fixture = await testDatabase()
  queue = await createQueue({ db: fixture.db, log: silentLog() })
})
afterAll(async () => {
  await queue.stop({ graceSeconds: 0 })
  await fixture.cleanup()
  traces.stop()
})

/** Runs work in its own trace and returns its `traceparent`. */
const traced = (work: () => Promise<unknown>) =>
  inStart({ name: 'job sender', kind: 'consumer', from: [] }, async () => {
    await work()
    return currentParent() ?? ''
  })
const traceOf = (traceparent: string | undefined) => traceparent?.slice(3, 35)

test('a run continues the trace of its sender, and its handler sees the data of its kind only', async () => {
  const job = defineJob({ name: 'test.traced', schema: Data })
  const seen: [unknown, string | undefined][] = []
  const sender = await traced(() => queue.send(job, { n: 1 }))
  await queue.send(job, { n: 2 })
  await queue.work(job, async (data) => void seen.push([data, traceOf(currentParent())]))
  await expect.poll(() => seen.length).toBe(2)
  const own = seen.find(([data]) => (data as { n: number }).n === 2)?.[1]
  expect(seen).toContainEqual([{ n: 1 }, traceOf(sender)])
  expect(own).toMatch(/^[0-9a-f]{32}$/)
  expect(own).not.toBe(traceOf(sender))
})

test('a job that many senders share names one of each trace, in transactions too', async () => {
  const job = defineJob({ name: 'test.shared', schema: Data })
  const ids = new Set<string | null>()
  const share = (tries = 1) =>
    traced(async () => {
      for (let n = 0; n < tries; n += 1)
        await inPart({ name: 'store' }, () =>
          withoutWorkspace(fixture.db, async (tx) =>
            ids.add(await queue.send(job, { n: 1 }, { tx, key: 'a', once: true })),
          ),
        )
    })
  const senders = [await share(), await share(3), await share()]
  expect(ids.size).toBe(1)
  const waiting = await queue.waitingSenders(job, 'a')
  expect(waiting.map(traceOf)).toEqual(senders.map(traceOf))
  expect(await queue.waitingSenders(job, 'b')).toEqual([])
  for (let more = 0; more < 40; more += 1) await share()
  expect(await queue.waitingSenders(job, 'a')).toHaveLength(32)
})

test('two transactions at once neither wait for each other nor lose a sender', async () => {
  const job = defineJob({ name: 'test.at-once', schema: Data })
  await queue.send(job, { n: 0 }, { key: 'a', once: true })
  const both = Promise.withResolvers<void>()
  let open = 0
  const senders = await Promise.all(
    [1, 2].map((n) =>
      traced(() =>
        withoutWorkspace(fixture.db, async (tx) => {
          await queue.send(job, { n }, { tx, key: 'a', once: true })
          open += 1
          if (open === 2) both.resolve()
          await both.promise
        }),
      ),
    ),
  )
  const waiting = await queue.waitingSenders(job, 'a')
  expect(new Set(waiting.map(traceOf))).toEqual(new Set(senders.map(traceOf)))
})

test('a sender whose job is dropped joins the one that waits until later', async () => {
  const job = defineJob({ name: 'test.later', schema: Data })
  // Periods begin at multiples of their length since 1970: none of these begins during the test.
  const later = { key: 'a', startAfter: 3_600, singletonSeconds: 1_000_000_000 }
  const first = await traced(() => queue.send(job, { n: 1 }, later))
  const second = await traced(async () => expect(await queue.send(job, { n: 1 }, later)).toBeNull())
  const { rows } = await fixture.db.pool.query(`select data from queue.job where name = 'test.later'`)
  expect(rows.map(({ data }) => data.traceparent.map(traceOf))).toEqual([[traceOf(first), traceOf(second)]])
  // It is not due: what waits now is another matter.
  expect(await queue.waitingSenders(job, 'a')).toEqual([])
})

test('a periodic run has no trace, so that what it sends has one of its own', async () => {
  const sweep = defineJob({ name: 'test.sweep', schema: z.object({}), serial: true })
  const seen: (string | undefined)[] = []
  await queue.work(periodicWorker(sweep, '0 0 1 1 *', async () => void seen.push(currentParent())))
  await queue.send(sweep, {})
  await expect.poll(() => seen).toEqual([undefined])
})
