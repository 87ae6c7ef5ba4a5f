import type pg from 'pg'
import { PgBoss } from 'pg-boss'
import { describe, type ExpectStatic, type TestContext, test, vi } from 'vitest'
import { openConnection, type TestDatabase, testDatabase } from '../db/testing.ts'
import { silentLog } from '../log/log.ts'
import { createQueue, type Queue, type QueueOptions } from './queue.ts'
import { QUEUE_SCHEMA } from './schema.ts'
import { long, oneTry } from './test-jobs.ts'

const HOUR_SECONDS = 3600
/** In the statement that puts back jobs of dead workers. */
const PUTS_BACK = 'with silent as'
/** In the statement that sends a heartbeat. */
const BEATS = `SET heartbeat_on = ${QUEUE_SCHEMA}.job_now()`

/** A database with a clock of its own: `now()` is found before the built-in one, and the library has it too. */
async function withClock({ expect, onTestFinished }: Pick<TestContext, 'expect' | 'onTestFinished'>) {
  const fixture = await testDatabase()
  const owner = await openConnection(fixture.ownerUrl)
  const queues: Queue[] = []
  onTestFinished(async () => {
    await Promise.all(queues.map((queue) => queue.stop({ graceSeconds: 0 })))
    await owner.end()
    await fixture.cleanup()
  })
  await owner.query(`
    create table clock (ahead interval not null);
    insert into clock values ('0');
    grant select on clock to public;
    create function public.now() returns timestamptz language sql stable as
      'select pg_catalog.now() + ahead from public.clock';
    create or replace function ${QUEUE_SCHEMA}.job_now() returns timestamptz language sql stable as 'select public.now()'`)
  await owner.query(`
    do $$ begin execute format('alter database %I set search_path = public, pg_catalog', current_database()); end $$`)
  const jump = (seconds: number) => owner.query(`update clock set ahead = ahead + $1 * interval '1 second'`, [seconds])
  const states = async () => (await owner.query<{ state: string }>(`select state from ${QUEUE_SCHEMA}.job`)).rows
  return { ...(await maintained(fixture, queues, expect)), owner, jump, states }
}

/** What the library does every half minute. */
async function supervise(owner: pg.Client): Promise<void> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => owner.query(text, values) },
    schema: QUEUE_SCHEMA,
    migrate: false,
    createSchema: false,
    supervise: false,
    schedule: false,
    monitorIntervalSeconds: 1,
  })
  await boss.start()
  await owner.query(`update ${QUEUE_SCHEMA}.queue set monitor_on = null, monitor_claim_on = null`)
  await boss.supervise()
  await boss.stop({ graceful: false })
}

/** A queue that puts back jobs, and when it does: `passes` counts its looks at the database's clock. While `gate` is set, its jobs send no heartbeat. */
async function maintained(fixture: TestDatabase, queues: Queue[], expect: ExpectStatic) {
  const watched = { passes: 0, judged: 0, gate: null as Promise<void> | null }
  const db: QueueOptions['db'] = {
    listen: (...args) => fixture.db.listen(...args),
    directPool(...args) {
      const pool = fixture.db.directPool(...args)
      const query = pool.query.bind(pool) as (...all: unknown[]) => Promise<unknown>
      pool.query = (async (...all: unknown[]) => {
        const text = String(all[0])
        if (text.includes(BEATS) && watched.gate) await watched.gate
        const reply = await query(...all)
        if (text.includes(PUTS_BACK)) watched.judged += 1
        if (text.includes(PUTS_BACK) || /now\(\) as at|^select 1$/.test(text)) watched.passes += 1
        return reply
      }) as typeof pool.query
      return pool
    },
  }
  const queue = await createQueue({ db, log: silentLog() })
  queues.push(queue)
  await expect.poll(() => watched.judged).toBeGreaterThan(0)
  return { queue, watched }
}

/** A job whose worker is gone without a trace, just now. */
async function orphaned(owner: pg.Client, queue: Queue, job = long): Promise<void> {
  await queue.send(job, { mark: 'orphaned' })
  await owner.query(
    `update ${QUEUE_SCHEMA}.job set state = 'active', heartbeat_on = public.now(), started_on = public.now()`,
  )
}

describe.concurrent('when the clock of the database jumps an hour', () => {
  test('ahead, no job that runs is given to another worker', async ({ expect, onTestFinished }) => {
    const { queue, watched, jump } = await withClock({ expect, onTestFinished })
    const runs: string[] = []
    const end = Promise.withResolvers<void>()
    await queue.work(
      long,
      async ({ mark }, { attempt, signal }) => {
        runs.push(`${mark} ${attempt}`)
        await end.promise
        runs.push(signal.aborted ? 'aborted' : 'done')
      },
      { concurrency: 2 },
    )
    await queue.send(long, { mark: 'one' })
    await expect.poll(() => runs).toEqual(['one 1'])
    const beats = Promise.withResolvers<void>()
    watched.gate = beats.promise
    await jump(HOUR_SECONDS)
    const { passes } = watched
    await expect.poll(() => watched.passes).toBeGreaterThan(passes + 3)
    beats.resolve()
    watched.gate = null
    const { judged } = watched
    await expect.poll(() => watched.judged).toBeGreaterThan(judged + 1)
    end.resolve()
    await expect.poll(() => runs).toEqual(['one 1', 'done'])
  })

  test('ahead, a job that runs its last attempt is not given up', async ({ expect, onTestFinished }) => {
    const { queue, watched, owner, jump, states } = await withClock({ expect, onTestFinished })
    const runs: string[] = []
    const end = Promise.withResolvers<void>()
    await queue.work(oneTry, async ({ mark }, { lastAttempt }) => {
      runs.push(`${mark} ${lastAttempt}`)
      await end.promise
      runs.push('done')
    })
    await queue.send(oneTry, { mark: 'last' })
    await expect.poll(() => runs).toEqual(['last true'])
    const beats = Promise.withResolvers<void>()
    watched.gate = beats.promise
    await jump(HOUR_SECONDS)
    await supervise(owner)
    const { passes } = watched
    await expect.poll(() => watched.passes).toBeGreaterThan(passes + 3)
    beats.resolve()
    watched.gate = null
    end.resolve()
    await expect.poll(() => runs).toEqual(['last true', 'done'])
    await expect.poll(states).toEqual([{ state: 'completed' }])
    expect(await queue.dead.list()).toEqual([])
  })

  test('back, the job of a worker that is gone is put back all the same', async ({ expect, onTestFinished }) => {
    const { queue, owner, jump, states } = await withClock({ expect, onTestFinished })
    await orphaned(owner, queue)
    await jump(-HOUR_SECONDS)
    await expect.poll(states).toEqual([{ state: 'retry' }])
  })
})

test.concurrent('a job whose worker ends on its last attempt becomes a dead letter that says so', async ({
  expect,
  onTestFinished,
}) => {
  const { queue, owner } = await withClock({ expect, onTestFinished })
  await orphaned(owner, queue, oneTry)
  await expect
    .poll(() => queue.dead.list())
    .toMatchObject([
      {
        job: oneTry.name,
        data: { mark: 'orphaned' },
        tries: 1,
        kind: 'unavailable',
        message: 'the process that ran it ended or was cut off on its last attempt',
      },
    ])
})

// It changes the clock of the process, so nothing runs beside it.
test('when the clock of this process goes back an hour, the job of a worker that is gone is put back all the same', async ({
  expect,
  onTestFinished,
}) => {
  const { queue, owner } = await withClock({ expect, onTestFinished })
  onTestFinished(() => void vi.useRealTimers())
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - HOUR_SECONDS * 1000 })
  const runs: string[] = []
  await orphaned(owner, queue)
  await queue.work(long, async ({ mark }, { attempt }) => void runs.push(`${mark} ${attempt}`))
  await expect.poll(() => runs).toEqual(['orphaned 2'])
})
