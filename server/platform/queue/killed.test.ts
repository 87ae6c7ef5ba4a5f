import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../db/testing.ts'
import { silentLog } from '../log/log.ts'
import { createQueue, type Queue } from './queue.ts'
import { long, longSerial } from './test-jobs.ts'

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
function startWorker(): { child: ChildProcess; said: (line: string) => Promise<void> } {
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
  return { child, said }
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
  await expect.poll(() => runs.length, { timeout: 50_000, interval: 20 }).toBe(3)
  const seconds = (Date.now() - killed) / 1000
  process.stdout.write(`a killed worker's jobs were taken up after ${seconds.toFixed(1)} s\n`)
  expect(runs.toSorted()).toEqual(['plain 2', 'serial 2', 'serial, behind it 1'])
  expect(most).toBe(1)
})
