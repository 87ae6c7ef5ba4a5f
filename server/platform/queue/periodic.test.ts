import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { testDatabase } from '../db/testing.ts'
import { silentLog } from '../log/log.ts'
import { duringTests } from '../testing.ts'
import { periodicWorker } from './periodic.ts'
import { createQueue, defineJob, type Queue } from './queue.ts'

const NEVER = '0 0 1 1 *'
const sweep = defineJob({ name: 'test.periodic', schema: z.object({}), serial: true })

const open: Queue[] = []

const fixture = duringTests(() => testDatabase())
afterEach(async () => {
  await Promise.all(open.splice(0).map((queue) => queue.stop({ graceSeconds: 0 })))
})

async function openQueue(): Promise<Queue> {
  const queue = await createQueue({ db: fixture.db, log: silentLog() })
  open.push(queue)
  return queue
}

const states = async () =>
  (
    await fixture.db.pool.query('select state, count(*)::int as jobs from queue.job where name = $1 group by 1', [
      sweep.name,
    ])
  ).rows

test('a job that would be a dead letter after each kill is refused', () => {
  const once = defineJob({ name: 'test.once', schema: z.object({}), serial: true, tries: 1 })
  expect(() => periodicWorker(once, NEVER, async () => undefined)).toThrow('allow more tries')
})

test('one run at a time over two processes, and runs that wait meanwhile become one', async () => {
  const begun = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  let runs = 0
  let atOnce = 0
  let most = 0
  const work = async () => {
    runs += 1
    atOnce += 1
    most = Math.max(most, atOnce)
    begun.resolve()
    await end.promise
    atOnce -= 1
  }
  const [one, two] = [await openQueue(), await openQueue()]
  await one.send(sweep, {})
  for (const queue of [one, two]) await queue.work(periodicWorker(sweep, NEVER, work))
  await begun.promise
  for (let sent = 0; sent < 5; sent += 1) await two.send(sweep, {})
  // A job of another kind that is sent later has run: the waiting ones could have.
  const other = defineJob({ name: 'test.other', schema: z.object({}) })
  const ran = Promise.withResolvers<void>()
  await two.work(other, async () => ran.resolve())
  await two.send(other, {})
  await ran.promise
  expect(await states()).toEqual(
    expect.arrayContaining([
      { state: 'active', jobs: 1 },
      { state: 'created', jobs: 5 },
    ]),
  )
  end.resolve()
  await expect.poll(states).toEqual([{ state: 'completed', jobs: 6 }])
  expect({ runs, most }).toEqual({ runs: 2, most: 1 })
})

test('what is sent by the schedule is serial too', async () => {
  const queue = await openQueue()
  await queue.work(periodicWorker(sweep, NEVER, async () => undefined))
  const { rows } = await fixture.db.pool.query('select options from queue.schedule where name = $1', [sweep.name])
  expect(rows[0]?.options).toMatchObject({ group: { id: 'all' } })
})

test('a job that is not serial is refused', () => {
  const beside = defineJob({ name: 'test.beside', schema: z.object({}) })
  expect(() => periodicWorker(beside, NEVER, async () => undefined)).toThrow(/serial/)
})
