import { Writable } from 'node:stream'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { testDatabase } from '../db/testing.ts'
import { createLog, silentLog } from '../log/log.ts'
import { duringTests } from '../testing.ts'
import { createQueue, defineJob, type Queue, type QueueOptions } from './queue.ts'
import { HEARTBEAT_INTERVAL_SECONDS } from './reclaim.ts'

const refused = defineJob({ name: 'test.refused', schema: z.object({}) })

/** In the library's statements that lock rows as the taking of jobs does, and return one row with a count. */
const FLOW_AUDIT = 'locked_parents'
const RERUN = 'source_name'

const open: Queue[] = []

const fixture = duringTests(() => testDatabase())
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(open.splice(0).map((queue) => queue.stop({ graceSeconds: 0 })))
})

test('a dead letter that is rerun by a statement answered late is reported as rerun', async () => {
  const { db } = answeringLate(RERUN)
  const queue = await opened({ db, log: silentLog(), maintain: false })
  await queue.send(refused, {})
  await queue.work(refused, () => Promise.reject(Object.assign(new Error('refused'), { kind: 'rejected' })))
  await expect.poll(async () => (await queue.dead.list()).length).toBe(1)
  const [letter] = await queue.dead.list()
  expect(await queue.dead.rerun(letter?.id ?? '')).toBe(true)
})

test('an audit of flows that is answered late reports no error', async () => {
  const lines: string[] = []
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const { db, answered } = answeringLate(FLOW_AUDIT)
  const queue = await opened({ db, log: createLog({ destination }) })
  await queue.send(refused, {})
  await answered
  // The error would be logged without asking the database again: before its next reply.
  await fixture.db.pool.query('select 1')
  expect(lines).toEqual([])
})

async function opened(options: QueueOptions): Promise<Queue> {
  const queue = await createQueue(options)
  open.push(queue)
  return queue
}

/** A database that answers such a statement too late for a job that it takes; by the clock, without a wait. `answered`: it was. */
function answeringLate(statement: string): { db: QueueOptions['db']; answered: Promise<void> } {
  const { promise: answered, resolve } = Promise.withResolvers<void>()
  const db: QueueOptions['db'] = {
    listen: (...args) => fixture.db.listen(...args),
    directPool(...args) {
      const pool = fixture.db.directPool(...args)
      const query = pool.query.bind(pool) as (...all: unknown[]) => Promise<{ rows: unknown[] }>
      pool.query = (async (...all: unknown[]) => {
        const reply = await query(...all)
        const text = String(all[0])
        if (text.includes(statement) && text.includes('SKIP LOCKED') && reply.rows.length > 0) {
          vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HEARTBEAT_INTERVAL_SECONDS * 1000 })
          resolve()
        }
        return reply
      }) as typeof pool.query
      return pool
    },
  }
  return { db, answered }
}
