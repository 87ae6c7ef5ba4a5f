import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { getPriority } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { startCpuLoad } from './cpu-load.ts'

const module = path.join(import.meta.dirname, 'cpu-load.ts')

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const alive = (pids: readonly number[]) => pids.filter(isAlive)

test('as many processes as asked for work until they are ended', async () => {
  const load = startCpuLoad(2, 600, 10)
  const pids = load.pids()
  expect(new Set(pids).size).toBe(2)
  expect(alive(pids)).toEqual(pids)
  expect(pids.map((pid) => getPriority(pid))).toEqual([10, 10])
  await load.end()
  expect(load.pids()).toEqual([])
  expect(alive(pids)).toEqual([])
})

test('they end when their time is up', async () => {
  const load = startCpuLoad(1, 0.1)
  await expect.poll(() => load.pids()).toEqual([])
})

test('they end with the process that started them, however that ends', async () => {
  const source = `import { startCpuLoad } from ${JSON.stringify(module)}
    console.log(JSON.stringify(startCpuLoad(2, 600).pids()))`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [text] = (await once(createInterface(parent.stdout), 'line')) as [string]
  expect(alive(JSON.parse(text) as number[])).toHaveLength(2)
  // They hold the other end of the same pipe: it closes when the last of them has ended.
  const closed = once(parent, 'close')
  parent.kill('SIGKILL')
  await closed
  expect(parent.signalCode).toBe('SIGKILL')
})
