import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { testDatabase } from '../db/testing.ts'
import { silentLog } from '../log/log.ts'
import { duringTests } from '../testing.ts'
import { createQueue, defineJob, type Queue, type QueueOptions } from './queue.ts'

const MINUTE_MS = 60_000
const schema = z.object({ mark: z.string() })
type Kind = ReturnType<typeof defineJob<z.infer<typeof schema>>>

const open: Queue[] = []
let kinds = 0

const fixture = duringTests(() => testDatabase())
afterEach(async () => {
  await Promise.all(open.splice(0).map((queue) => queue.stop({ graceSeconds: 0 })))
  await fixture.db.pool.query('delete from job_worker')
})

const leasedKind = (): Kind => {
  kinds += 1
  return defineJob({ name: `test.leased-${kinds}`, schema, serial: true, leased: true })
}

async function process(db: QueueOptions['db'] = fixture.db): Promise<Queue> {
  const queue = await createQueue({ db, log: silentLog() })
  open.push(queue)
  return queue
}

/** Processes that take jobs of a kind; `runs` says which process ran which job, in order. */
async function workers(kind: Kind, names: string[]): Promise<{ queues: Queue[]; runs: string[] }> {
  const runs: string[] = []
  const queues: Queue[] = []
  for (const name of names) {
    const queue = await process()
    await queue.work(kind, async ({ mark }) => void runs.push(`${name} ${mark}`))
    queues.push(queue)
  }
  return { queues, runs }
}

/** Leases a key for a process that is not there. */
async function leaseElsewhere(key: string, seconds: number): Promise<void> {
  const id = randomUUID()
  await fixture.db.pool.query(`insert into job_worker values ($1, now() + $2 * interval '1 second')`, [id, seconds])
  await fixture.db.pool.query('insert into job_lease values ($1, $2)', [key, id])
}

const some = (length: number) => Array.from({ length }, (_, at) => at)
const done = (runs: string[], count: number) => expect.poll(() => runs.length).toBe(count)

test('jobs of a leased key run where it is leased, also when it is leased again elsewhere', async () => {
  const kind = leasedKind()
  const { queues, runs } = await workers(kind, ['one', 'two', 'three'])
  const sender = await process()
  const send = async (key: string) => {
    const before = runs.length
    await sender.send(kind, { mark: key }, { key })
    await done(runs, before + 1)
  }
  await queues[1]?.lease('a')
  await queues[2]?.lease('b')
  for (const _ of some(6)) for (const key of ['a', 'b']) await send(key)
  expect(new Set(runs)).toEqual(new Set(['two a', 'three b']))
  await queues[0]?.lease('a')
  runs.length = 0
  for (const _ of some(6)) await send('a')
  expect(new Set(runs)).toEqual(new Set(['one a']))
})

test('a process that takes no such jobs leases nothing', async () => {
  const queue = await process()
  await queue.work(defineJob({ name: 'test.ordinary', schema, serial: true }), async () => undefined)
  await queue.lease('a')
  expect((await fixture.db.pool.query('select from job_lease')).rows).toEqual([])
})

test('a stop gives its keys to the others at once', async () => {
  const kind = leasedKind()
  const { queues, runs } = await workers(kind, ['one', 'two'])
  await queues[0]?.lease('a')
  await queues[0]?.stop()
  expect((await fixture.db.pool.query('select from job_lease')).rows).toEqual([])
  await queues[0]?.lease('b')
  expect((await fixture.db.pool.query('select from job_lease')).rows).toEqual([])
  await queues[1]?.send(kind, { mark: 'a' }, { key: 'a' })
  await done(runs, 1)
  expect(runs).toEqual(['two a'])
})

test('a job of a worker that does not take it runs elsewhere, after those that are not left to others', async () => {
  const kind = leasedKind()
  await leaseElsewhere('theirs', 3_600)
  const sender = await process()
  await sender.send(kind, { mark: 'theirs' }, { key: 'theirs' })
  for (const mark of ['free', 'also free']) await sender.send(kind, { mark }, { key: mark })
  const { runs } = await workers(kind, ['one'])
  await done(runs, 3)
  expect(runs).toEqual(['one free', 'one also free', 'one theirs'])
})

test('a job that waited for long comes before later ones, even if its key is leased elsewhere: nothing starves', async () => {
  const kind = leasedKind()
  await leaseElsewhere('theirs', 3_600)
  const sender = await process()
  const minuteAgo = new Date(Date.now() - MINUTE_MS)
  await sender.send(kind, { mark: 'theirs' }, { key: 'theirs', startAfter: minuteAgo })
  await sender.send(kind, { mark: 'free' }, { key: 'free' })
  const { runs } = await workers(kind, ['one'])
  await done(runs, 2)
  expect(runs).toEqual(['one theirs', 'one free'])
})

test('a job of our own that cannot run now holds back none of those that waited for long', async () => {
  const kind = leasedKind()
  await leaseElsewhere('theirs', 3_600)
  const sender = await process()
  const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS)
  await sender.send(kind, { mark: 'ours' }, { key: 'ours', startAfter: ago(3) })
  await sender.send(kind, { mark: 'ours, behind it' }, { key: 'ours', startAfter: ago(2) })
  await sender.send(kind, { mark: 'theirs' }, { key: 'theirs', startAfter: ago(1) })
  const runs: string[] = []
  const begun = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const queue = await process()
  const handler = async ({ mark }: { mark: string }) => {
    begun.resolve()
    if (mark === 'ours') await end.promise
    runs.push(mark)
    end.resolve()
  }
  // One after the other: two that look at the same moment may both take a job of the key, since neither sees what the other takes.
  await queue.work(kind, handler)
  await begun.promise
  await queue.work(kind, handler)
  await done(runs, 3)
  expect(runs).toEqual(['theirs', 'ours', 'ours, behind it'])
})

test('a lease that is over leaves its jobs to everyone', async () => {
  const kind = leasedKind()
  await leaseElsewhere('theirs', 0)
  const sender = await process()
  for (const mark of ['theirs', 'free']) await sender.send(kind, { mark }, { key: mark })
  const { runs } = await workers(kind, ['one'])
  await done(runs, 2)
  expect(runs).toEqual(['one theirs', 'one free'])
})

test('a lease costs one statement, and the jobs of its key none', async () => {
  const statements: string[] = []
  const counting: QueueOptions['db'] = {
    listen: (...args) => fixture.db.listen(...args),
    directPool(...args) {
      const pool = fixture.db.directPool(...args)
      const query = pool.query.bind(pool) as (...all: unknown[]) => unknown
      pool.query = ((...all: unknown[]) => {
        statements.push(String(all[0]))
        return query(...all)
      }) as typeof pool.query
      return pool
    },
  }
  const kind = leasedKind()
  const queue = await process(counting)
  const runs: string[] = []
  await queue.work(kind, async ({ mark }) => void runs.push(mark))
  await queue.lease('first')
  // Of all leases of a process together the worker renews the time, every two seconds.
  const isRenewal = (text: string) => text.trimStart().startsWith('update public.job_worker')
  const about = (table: string) =>
    statements.filter((text) => text.includes(table) && !text.includes('SKIP LOCKED') && !isRenewal(text))
  statements.length = 0
  await queue.lease('a')
  expect(about('public.job_').length).toBe(1)
  statements.length = 0
  for (const n of some(30)) await queue.send(kind, { mark: `${n}` }, { key: 'a' })
  await done(runs, 30)
  expect(about('job_lease')).toEqual([])
})

test('only a serial kind can be leased', () => {
  expect(() => defineJob({ name: 'test.wrong', schema, leased: true })).toThrow('declare it as serial')
})
