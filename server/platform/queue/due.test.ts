import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { testDatabase } from '../db/testing.ts'
import { silentLog } from '../log/log.ts'
import { duringTests } from '../testing.ts'
import { createQueue, defineJob, type Queue, type QueueOptions } from './queue.ts'
import { TAKES_JOB } from './taking.ts'

const KINDS = Array.from({ length: 12 }, (_, index) => defineJob({ name: `test.due-${index}`, schema: z.object({}) }))
const leased = defineJob({ name: 'test.due-leased', schema: z.object({}), serial: true, leased: true })

const open: Queue[] = []

const fixture = duringTests(() => testDatabase())
afterEach(async () => {
  await Promise.all(open.splice(0).map((queue) => queue.stop({ graceSeconds: 0 })))
})

test('an idle process asks for all kinds by one statement', async () => {
  const statements: string[] = []
  const queue = await opened(recording(statements))
  for (const kind of KINDS) await queue.work(kind, () => Promise.resolve(), { concurrency: 2 })
  const taken = () => takesOf(statements, 'test.due-')
  const asked = () => statements.filter((text) => text.includes('unnest($1::text[]) kind')).length
  // Each worker asks when it starts, and once more when the process listens.
  await expect.poll(taken).toBeGreaterThanOrEqual(2 * KINDS.length)
  await expect.poll(asked).toBeGreaterThan(3)
  const before = { taken: taken(), asked: asked() }
  await expect.poll(asked).toBeGreaterThan(before.asked + 3)
  expect(taken()).toBe(before.taken)
})

test('workers of leased kinds keep asking for themselves, which renews their leases', async () => {
  const statements: string[] = []
  const queue = await opened(recording(statements))
  await queue.work(leased, () => Promise.resolve())
  await expect.poll(() => takesOf(statements, leased.name)).toBeGreaterThan(3)
})

test('a job that was sent for later runs without a notification, and only that kind is asked for', async () => {
  const statements: string[] = []
  const queue = await opened(recording(statements))
  let ran = false
  const [later, other] = [kindAt(0), kindAt(1)]
  await queue.work(other, () => Promise.resolve())
  await queue.work(later, () => {
    ran = true
    return Promise.resolve()
  })
  await queue.send(later, {}, { startAfter: 2 })
  await expect.poll(() => ran).toBe(true)
  expect(takesOf(statements, other.name)).toBeLessThanOrEqual(2)
})

/** How many statements take jobs of kinds whose names begin so; the library's own workers are not counted. */
const takesOf = (statements: string[], name: string) =>
  statements.filter((text) => text.includes(TAKES_JOB) && text.includes(`j.name = '${name}`)).length

const kindAt = (index: number) => {
  const kind = KINDS[index]
  if (!kind) throw new Error(`there is no kind ${index}`)
  return kind
}

async function opened(db: QueueOptions['db']): Promise<Queue> {
  const queue = await createQueue({ db, log: silentLog() })
  open.push(queue)
  return queue
}

/** The test's database, which records the statements that the queue runs. */
function recording(statements: string[]): QueueOptions['db'] {
  return {
    listen: (...args) => fixture.db.listen(...args),
    directPool(...args) {
      const pool = fixture.db.directPool(...args)
      const query = pool.query.bind(pool) as (...all: unknown[]) => Promise<unknown>
      pool.query = ((...all: unknown[]) => {
        statements.push(String(all[0]))
        return query(...all)
      }) as typeof pool.query
      return pool
    },
  }
}
