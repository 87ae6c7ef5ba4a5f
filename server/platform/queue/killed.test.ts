import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../db/testing.ts'
import { silentLog } from '../log/log.ts'
import { createQueue, type Queue, type QueueOptions } from './queue.ts'
import { HEARTBEAT_INTERVAL_SECONDS } from './reclaim.ts'
import { late, leased, long, longSerial } from './test-jobs.ts'

/** An answer after this time is a late one. */
const LATE_MS = HEARTBEAT_INTERVAL_SECONDS * 1000 + 500

let fixture: TestDatabase
let queue: Queue
const children: ChildProcess[] = []

beforeAll(async () => {
  fixture = await testDatabase()
  queue = await createQueue({ db: fixture.db, log: silentLog() })
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await queue.stop({ graceSeconds: 0 })
  await fixture.cleanup()
})

/** Starts a worker process and returns a wait for a line of its output. */
function startWorker(): { child: ChildProcess; lines: string[]; said: (line: string) => Promise<void> } {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./test-worker.ts', import.meta.url)), fixture.appUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const lines: string[] = []
  const waiting = new Map<string, () => void>()
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    lines.push(line)
    waiting.get(line)?.()
  })
  const said = (line: string): Promise<void> =>
    lines.includes(line) ? Promise.resolve() : new Promise((done) => waiting.set(line, done))
  return { child, lines, said }
}

test('another worker resumes the jobs of a killed one, a serial one still alone, as their second attempt', async () => {
  const { child, said } = startWorker()
  await said('ready')
  await queue.send(long, { mark: 'plain' })
  await queue.send(longSerial, { mark: 'serial' }, { key: 'a' })
  await Promise.all([said('began plain'), said('began serial')])
  await queue.send(longSerial, { mark: 'serial, behind it' }, { key: 'a' })

  const runs: string[] = []
  let active = 0
  let most = 0
  await queue.work(long, async (data, run) => void runs.push(`${data.mark} ${run.attempt}`))
  await queue.work(
    longSerial,
    async (data, run) => {
      active += 1
      most = Math.max(most, active)
      await new Promise((pause) => setTimeout(pause, 50))
      active -= 1
      runs.push(`${data.mark} ${run.attempt}`)
    },
    { concurrency: 2 },
  )
  const killed = Date.now()
  child.kill('SIGKILL')
  await once(child, 'exit')
  await expect.poll(() => runs.length, { interval: 20 }).toBe(3)
  const seconds = (Date.now() - killed) / 1000
  process.stdout.write(`a killed worker's jobs were taken up after ${seconds.toFixed(1)} s\n`)
  expect(runs.toSorted()).toEqual(['plain 2', 'serial 2', 'serial, behind it 1'])
  expect(most).toBe(1)
})

test("a killed worker's keys go to another one", async () => {
  const { child, said } = startWorker()
  await said('ready')
  const send = (mark: string) => queue.send(leased, { key: 'killed', mark }, { key: 'killed' })
  await send('first')
  await said('did first')
  const taker = await takeLeased()
  await send('second')
  await said('did second')
  await settled()
  const killed = Date.now()
  child.kill('SIGKILL')
  await send('third')
  await expect.poll(() => taker.runs, { interval: 20 }).toEqual(['third'])
  process.stdout.write(`a killed worker's key was taken over after ${((Date.now() - killed) / 1000).toFixed(1)} s\n`)
  await taker.queue.stop()
})

test("a frozen worker's keys go to another one, and nothing happens twice when it thaws", async () => {
  const { child, lines, said } = startWorker()
  await said('ready')
  const keys = ['frozen', 'also frozen']
  const marks: string[] = []
  const send = async (key: string) => {
    const mark = `${key} ${marks.length}`
    marks.push(mark)
    await queue.send(leased, { key, mark }, { key })
    return mark
  }
  for (const key of keys) await said(`did ${await send(key)}`)
  const taker = await takeLeased()
  for (const key of keys) await said(`did ${await send(key)}`)
  await settled()
  const frozen = Date.now()
  child.kill('SIGSTOP')
  const waiting = [...(await Promise.all(keys.map(send))), ...(await Promise.all(keys.map(send)))]
  await expect.poll(() => taker.runs.toSorted(), { interval: 20 }).toEqual(waiting.toSorted())
  process.stdout.write(`a frozen worker's keys were taken over after ${((Date.now() - frozen) / 1000).toFixed(1)} s\n`)
  child.kill('SIGCONT')
  // A key that nobody has: the thawed worker takes jobs again.
  await taker.queue.stop()
  await said(`did ${await send('thawed')}`)
  const did = lines.filter((line) => line.startsWith('did ')).map((line) => line.slice('did '.length))
  expect([...did, ...taker.runs].toSorted()).toEqual(marks.toSorted())
  child.kill('SIGKILL')
})

test('a job whose taking is answered after another worker has had it is not run again', async () => {
  const { db, answer } = answeringLate(fixture)
  const slow = await createQueue({ db, log: silentLog(), maintain: false })
  const runs: string[] = []
  await queue.send(late, { mark: 'passed on' })
  await slow.work(late, async ({ mark }, { attempt }) => void runs.push(`slow ${mark} ${attempt}`))
  await taken(fixture)
  const other = await createQueue({ db: fixture.db, log: silentLog() })
  await other.work(late, async ({ mark }, { attempt }) => void runs.push(`other ${mark} ${attempt}`))
  await expect.poll(() => runs).toEqual(['other passed on 2'])
  await other.stop()
  answer()
  await queue.send(late, { mark: 'next' })
  await expect.poll(() => runs).toEqual(['other passed on 2', 'slow next 1'])
  await slow.stop()
})

test('a job whose taking is answered late, but that nobody else has had, is run', async () => {
  // Nobody puts jobs back here.
  const alone = await testDatabase()
  const { db, answer } = answeringLate(alone)
  const slow = await createQueue({ db, log: silentLog(), maintain: false })
  const runs: string[] = []
  await slow.send(late, { mark: 'its own' })
  await slow.work(late, async ({ mark }, { attempt }) => void runs.push(`${mark} ${attempt}`))
  await taken(alone)
  await new Promise((pause) => setTimeout(pause, LATE_MS))
  answer()
  await expect.poll(() => runs).toEqual(['its own 1'])
  await slow.stop()
  await alone.cleanup()
})

async function taken({ db }: TestDatabase): Promise<void> {
  const active = () => db.pool.query(`select from queue.job where name = $1 and state = 'active'`, [late.name])
  await expect.poll(async () => (await active()).rows.length).toBe(1)
}

/** A database whose answers to the taking of a job arrive only after `answer`. */
function answeringLate({ db }: TestDatabase): { db: QueueOptions['db']; answer: () => void } {
  const { promise, resolve: answer } = Promise.withResolvers<void>()
  const slow: QueueOptions['db'] = {
    listen: (...args) => db.listen(...args),
    directPool(...args) {
      const pool = db.directPool(...args)
      const query = pool.query.bind(pool) as (...all: unknown[]) => Promise<{ rows: unknown[] }>
      pool.query = (async (...all: unknown[]) => {
        const reply = await query(...all)
        if (String(all[0]).includes('SKIP LOCKED') && reply.rows.length > 0) await promise
        return reply
      }) as typeof pool.query
      return pool
    },
  }
  return { db: slow, answer }
}

/** Waits until each finished job is recorded: one that is not would run again. */
async function settled(): Promise<void> {
  const active = () =>
    fixture.db.pool.query(`select from queue.job where name = $1 and state = 'active'`, [leased.name])
  await expect.poll(async () => (await active()).rows, { interval: 20 }).toEqual([])
}

/** Another process that takes jobs of leased keys. */
async function takeLeased(): Promise<{ queue: Queue; runs: string[] }> {
  const runs: string[] = []
  const taker = await createQueue({ db: fixture.db, log: silentLog() })
  await taker.work(leased, async ({ key, mark }) => {
    await taker.lease(key)
    runs.push(mark)
  })
  return { queue: taker, runs }
}
