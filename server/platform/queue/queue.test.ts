import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { inWorkspace } from '../db/tenant.ts'
import { testDatabase } from '../db/testing.ts'
import { silentLog } from '../log/log.ts'
import { proves } from '../proves.ts'
import { duringTests } from '../testing.ts'
import { createQueue, defineJob, type Job, jobWorker, type Queue } from './queue.ts'

const WORKSPACE = '00000000-0000-4000-8000-00000000000a'
const numbered = z.object({ n: z.number() })

const open: Queue[] = []
let count = 0

const fixture = duringTests(() => testDatabase())
afterEach(async () => {
  await Promise.all(open.splice(0).map((queue) => queue.stop({ graceSeconds: 0 })))
})

async function openQueue(): Promise<Queue> {
  const queue = await createQueue({ db: fixture.db, log: silentLog() })
  open.push(queue)
  return queue
}

function job(options: Partial<Parameters<typeof defineJob<{ n: number }>>[0]> = {}): Job<{ n: number }> {
  count += 1
  return defineJob({ name: `test.${count}`, schema: numbered, pauses: [0], ...options })
}

/** A promise and its resolve function, to meet a handler half-way. */
function signal<T = void>(): { given: Promise<T>; give: (value: T) => void } {
  let give: (value: T) => void = () => undefined
  const given = new Promise<T>((done) => {
    give = done
  })
  return { given, give }
}

function failure(kind: string, retryAfter?: number): Error {
  return Object.assign(new Error(`failed as ${kind}`), { kind, ...(retryAfter === undefined ? {} : { retryAfter }) })
}

const state = async (id: string | null): Promise<unknown> =>
  (await fixture.db.pool.query('select state, retry_count from queue.job where id = $1', [id])).rows[0]

describe('sending', () => {
  test('in a transaction: the job is there if and only if the transaction is', async () => {
    proves('2.3.3')
    const queue = await openQueue()
    const kind = job()
    const sent = await inWorkspace(fixture.db, WORKSPACE, (tx) => queue.send(kind, { n: 1 }, { tx }))
    let lost: string | null = null
    const failing = inWorkspace(fixture.db, WORKSPACE, async (tx) => {
      lost = await queue.send(kind, { n: 2 }, { tx })
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(lost).not.toBeNull()
    expect(await state(sent)).toMatchObject({ state: 'created' })
    expect(await state(lost)).toBeUndefined()
  })

  test('data that is not the job is refused, and never sent', async () => {
    const queue = await openQueue()
    await expect(queue.send(job(), { n: 'one' } as unknown as { n: number })).rejects.toThrow(z.ZodError)
  })

  test('once: a job that waits already will do, one that runs will not', async () => {
    const queue = await openQueue()
    const kind = job({ serial: true })
    const first = await queue.send(kind, { n: 1 }, { key: 'a', once: true })
    expect(await queue.send(kind, { n: 2 }, { key: 'a', once: true })).toBe(first)
    expect(await queue.send(kind, { n: 3 }, { key: 'b', once: true })).not.toBe(first)
    const began = signal()
    const end = signal()
    await queue.work(kind, async (_data, run) => {
      if (run.id !== first) return
      began.give()
      await end.given
    })
    await began.given
    const next = await queue.send(kind, { n: 4 }, { key: 'a', once: true })
    expect(next).not.toBe(first)
    end.give()
  })

  test('once, in a transaction: the waiting job is not started before what was written is visible', async () => {
    const queue = await openQueue()
    const kind = job()
    const first = await queue.send(kind, { n: 1 }, { key: 'a' })
    const ran = signal<number>()
    let committed = 0
    await inWorkspace(fixture.db, WORKSPACE, async (tx) => {
      expect(await queue.send(kind, { n: 1 }, { key: 'a', once: true, tx })).toBe(first)
      await queue.work(kind, async () => ran.give(committed))
      const others = signal()
      const other = job()
      await queue.work(other, async () => others.give())
      await queue.send(other, { n: 1 })
      await others.given
      committed = 1
    })
    expect(await ran.given).toBe(1)
  })

  test('singletonSeconds takes one in each period', async () => {
    const queue = await openQueue()
    const kind = job()
    // Periods begin at multiples of their length since 1970: none of these begins during the test.
    const options = { key: 'a', singletonSeconds: 1_000_000_000 }
    expect(await queue.send(kind, { n: 1 }, options)).not.toBeNull()
    expect(await queue.send(kind, { n: 2 }, options)).toBeNull()
  })
})

describe('failing', () => {
  test('unavailable: tried again up to the last try, then a dead letter that can be run again', async () => {
    const queue = await openQueue()
    const kind = job({ tries: 3 })
    const seen: [attempt: number, last: boolean][] = []
    const done = signal()
    let broken = true
    await queue.work(kind, async (_data, run) => {
      seen.push([run.attempt, run.lastAttempt])
      if (broken) throw new Error('the provider is down')
      done.give()
    })
    const id = await queue.send(kind, { n: 7 })
    await expect.poll(() => queue.dead.list({ job: kind.name })).toHaveLength(1)
    expect(seen).toEqual([
      [1, false],
      [2, false],
      [3, true],
    ])
    const [letter] = await queue.dead.list({ job: kind.name })
    expect(letter).toMatchObject({
      job: kind.name,
      data: { n: 7 },
      tries: 3,
      kind: 'unavailable',
      message: 'the provider is down',
    })
    expect(await state(id)).toMatchObject({ state: 'failed' })
    broken = false
    expect(await queue.dead.rerun(letter?.id ?? '')).toBe(true)
    await done.given
    expect(seen.at(-1)).toEqual([1, false])
    expect(await queue.dead.list({ job: kind.name })).toEqual([])
    expect(await queue.dead.rerun(letter?.id ?? '')).toBe(false)
  })

  test.each(['rejected', 'auth'])('%s: a dead letter after one try, which can be discarded', async (kindOfFailure) => {
    const queue = await openQueue()
    const kind = job()
    let tries = 0
    await queue.work(kind, async () => {
      tries += 1
      throw failure(kindOfFailure)
    })
    await queue.send(kind, { n: 1 })
    await expect.poll(() => queue.dead.list({ job: kind.name })).toHaveLength(1)
    const [letter] = await queue.dead.list({ job: kind.name })
    expect([tries, letter?.tries, letter?.kind]).toEqual([1, 1, kindOfFailure])
    expect(await queue.dead.discard(letter?.id ?? '')).toBe(true)
    expect(await queue.dead.discard(letter?.id ?? '')).toBe(false)
    expect(await queue.dead.discard('not an id')).toBe(false)
    expect(await queue.dead.list({ job: kind.name })).toEqual([])
  })

  test('rate-limited: put off by retryAfter, and no try is used up', async () => {
    const queue = await openQueue()
    const kind = job({ tries: 2 })
    const attempts: number[] = []
    const began: number[] = []
    const done = signal()
    await queue.work(kind, async (_data, run) => {
      attempts.push(run.attempt)
      began.push(Date.now())
      if (attempts.length < 3) throw failure('rate-limited', 1)
      done.give()
    })
    const id = await queue.send(kind, { n: 1 })
    await done.given
    expect(attempts).toEqual([1, 1, 1])
    for (const [index, at] of began.slice(1).entries()) expect(at - (began[index] ?? at)).toBeGreaterThanOrEqual(990)
    await expect.poll(() => state(id)).toMatchObject({ state: 'completed' })
    expect(await queue.dead.list({ job: kind.name })).toEqual([])
  })

  test('too slow: its signal is aborted, and it is tried again up to the last try', async () => {
    const queue = await openQueue()
    const kind = job({ tries: 2, timeout: 0.2 })
    const aborted: number[] = []
    await queue.work(kind, async (_data, run) => {
      const over = Promise.withResolvers<void>()
      run.signal.addEventListener('abort', () => over.resolve())
      await over.promise
      aborted.push(run.attempt)
    })
    await queue.send(kind, { n: 1 })
    await expect.poll(() => queue.dead.list({ job: kind.name })).toHaveLength(1)
    expect((await queue.dead.list({ job: kind.name }))[0]).toMatchObject({
      tries: 2,
      kind: 'unavailable',
      message: 'it took longer than 0.2 s',
    })
    await expect.poll(() => aborted).toEqual([1, 2])
  })

  test('stored data that the program no longer understands becomes a dead letter', async () => {
    const queue = await openQueue()
    const kind = job()
    const older = defineJob({ name: kind.name, schema: z.object({ old: z.string() }) })
    await queue.send(older, { old: 'shape' })
    await queue.work(kind, async () => undefined)
    await expect.poll(() => queue.dead.list({ job: kind.name })).toHaveLength(1)
    expect((await queue.dead.list({ job: kind.name }))[0]?.message).toContain('n')
  })
})

describe('serial jobs', () => {
  test('one at a time for a key over several workers, other keys beside it, none lost', async () => {
    const queues = await Promise.all([openQueue(), openQueue()])
    const kind = job({ serial: true })
    const running = new Map<string, number>()
    const done: number[] = []
    let most = 0
    let together = 0
    const beside = signal()
    for (const queue of queues) {
      await queue.work(
        kind,
        async ({ n }) => {
          const key = n % 2 === 0 ? 'even' : 'odd'
          running.set(key, (running.get(key) ?? 0) + 1)
          most = Math.max(most, running.get(key) ?? 0)
          together = Math.max(
            together,
            [...running.values()].reduce((sum, value) => sum + value, 0),
          )
          if (together > 1) beside.give()
          await beside.given
          await new Promise((pause) => setTimeout(pause, 20))
          running.set(key, (running.get(key) ?? 0) - 1)
          done.push(n)
        },
        { concurrency: 3 },
      )
    }
    const all = Array.from({ length: 16 }, (_, n) => n)
    for (const n of all) await queues[0]?.send(kind, { n }, { key: n % 2 === 0 ? 'even' : 'odd' })
    await expect.poll(() => done.length).toBe(16)
    expect(done.toSorted((a, b) => a - b)).toEqual(all)
    expect(most).toBe(1)
    expect(together).toBe(2)
  })

  test('the database itself refuses a second active run of a key', async () => {
    const queue = await openQueue()
    const kind = job({ serial: true })
    await queue.send(kind, { n: 1 }, { key: 'a' })
    await queue.send(kind, { n: 2 }, { key: 'a' })
    await expect(
      fixture.db.pool.query(`update queue.job set state = 'active' where name = $1`, [kind.name]),
    ).rejects.toThrow(/job_one_active_per_key/)
  })
})

describe('stopping', () => {
  test('waits for what runs, and takes nothing new', async () => {
    const queue = await openQueue()
    const kind = job()
    const began = signal()
    const end = signal()
    const log: string[] = []
    await queue.work(
      jobWorker(kind, async ({ n }) => {
        began.give()
        await end.given
        log.push(`done ${n}`)
      }),
    )
    const first = await queue.send(kind, { n: 1 })
    await began.given
    const second = await queue.send(kind, { n: 2 })
    const stopped = queue.stop({ graceSeconds: 30 }).then(() => log.push('stopped'))
    end.give()
    await stopped
    expect(log).toEqual(['done 1', 'stopped'])
    expect(await state(first)).toMatchObject({ state: 'completed' })
    expect(await state(second)).toMatchObject({ state: 'created' })
  })

  test('what runs beyond the grace is aborted and put back, without counting an attempt', async () => {
    const queue = await openQueue()
    const kind = job()
    const began = signal()
    let aborted = false
    await queue.work(kind, (_data, run) => {
      began.give()
      return new Promise((_, fail) => {
        run.signal.addEventListener('abort', () => {
          aborted = true
          fail(new Error('stopped half-way'))
        })
      })
    })
    const id = await queue.send(kind, { n: 1 })
    await began.given
    await queue.stop({ graceSeconds: 0 })
    expect(aborted).toBe(true)
    expect(await state(id)).toEqual({ state: 'retry', retry_count: 0 })
    const next = await openQueue()
    const attempt = signal<number>()
    await next.work(kind, async (_data, run) => attempt.give(run.attempt))
    expect(await attempt.given).toBe(1)
  })
})

describe('schedules', () => {
  test('are stored once for a job and key, as they were given', async () => {
    const queue = await openQueue()
    const kind = job()
    await queue.schedule(kind, '*/5 * * * *', { n: 1 })
    await queue.schedule(kind, '*/10 * * * *', { n: 2 })
    const rows = async () => (await fixture.db.pool.query('select cron, data from queue.schedule')).rows
    expect(await rows()).toEqual([{ cron: '*/10 * * * *', data: { n: 2 } }])
    await queue.unschedule(kind)
    expect(await rows()).toEqual([])
    await expect(queue.schedule(kind, 'every now and then', { n: 1 })).rejects.toThrow(/Invalid characters/)
  })
})
