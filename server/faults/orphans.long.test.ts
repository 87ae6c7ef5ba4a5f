import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readPidFile } from '../platform/db/embedded/folder.ts'
import { alive } from '../platform/db/embedded/process.ts'
import { Child } from './child.ts'
import { chosen } from './extent.ts'
import { until } from './until.ts'

const READY = /ready in [^]*App {8}http:\/\/\S+:(\d+)/

let folder: string
let demos: Child[]

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'groundswell-orphans-'))
  demos = []
})

afterEach(async () => {
  for (const demo of demos) await demo.end('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

type Case = { name: string; run: () => Promise<void> }

const signals: Case[] = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => ({
  name: `leaves no process and no data after ${signal}`,
  run: () => endBy(signal),
}))

const others: Case[] = [
  {
    name: 'leaves no process when it is stopped before it was ready',
    run: async () => {
      const demo = begin()
      await until('a database to be started', () => databaseOf(folder))
      await demo.end('SIGINT')
      expect({ code: demo.process.exitCode, said: demo.tail }).toMatchObject({ code: 0 })
      expect(await demoFolders()).toEqual([])
      await noneIn(folder)
    },
  },
  {
    name: 'leaves no process after kill -9, and the next start removes the data',
    run: async () => {
      const killed = await startDemo()
      await killed.says(/messages read/)
      const [left] = await demoFolders()
      await killed.end('SIGKILL')
      await noneIn(folder)
      const next = await startDemo()
      expect(await demoFolders()).not.toContain(left)
      expect(await demoFolders()).toHaveLength(1)
      await next.end('SIGINT')
      expect(await demoFolders()).toEqual([])
    },
  },
  {
    // A chosen port is kept to: `server/demo/reach.test.ts`.
    name: 'says which port it took when the default one is taken',
    run: async () => {
      const first = await startDemo(null)
      const second = await startDemo(null)
      const [, taken] = READY.exec(first.output) ?? []
      const [, other] = /Port 3000 is taken, so port (\d+) is used/.exec(second.output) ?? []
      expect(other).toBe(READY.exec(second.output)?.[1])
      expect(other).not.toBe(taken)
      expect((await fetch(`http://127.0.0.1:${other}/api/health`)).status).toBe(200)
    },
  },
]

it.for(chosen(signals, others))('$name', async ({ run }) => {
  await run()
  for (const demo of demos) await demo.end('SIGTERM')
  expect(await demoFolders()).toEqual([])
})

async function endBy(signal: NodeJS.Signals): Promise<void> {
  const demo = await startDemo()
  await demo.says(/messages read/)
  const database = await databaseOf(folder)
  await demo.end(signal)
  expect({ code: demo.process.exitCode, said: demo.tail }).toMatchObject({ code: 0 })
  expect(alive(database)).toBe(false)
  expect(await demoFolders()).toEqual([])
  await noneIn(folder)
}

/** `port` 0: any free one; null: the default. */
function begin(port: 0 | null = 0): Child {
  const env = { TMPDIR: folder, PORT: port === null ? '' : '0', HOST: '127.0.0.1' }
  const demo = new Child(['server/demo.ts'], { env })
  demos.push(demo)
  return demo
}

async function startDemo(port: 0 | null = 0): Promise<Child> {
  const demo = begin(port)
  await demo.says(READY)
  return demo
}

async function demoFolders(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.startsWith('groundswell-demo-'))
}

/** The database process of the demo whose data is in the folder. */
async function databaseOf(base: string): Promise<number> {
  for (const name of await demoFolders()) {
    const file = await readPidFile(path.join(base, name, 'data', 'postgres', 'data'))
    if (file && alive(file.pid)) return file.pid
  }
  throw new Error(`there is no database in ${base}`)
}

/** Waits until no process works in the folder or was started for it. Only Linux reports that; elsewhere the pid file has to do. */
async function noneIn(base: string): Promise<void> {
  if (process.platform !== 'linux') return
  await until('all processes to be gone', async () => ((await processesIn(base)).length === 0 ? true : undefined), {
    deadlineMs: 60_000,
    explain: async () => (await processesIn(base)).join('\n'),
  })
}

async function processesIn(base: string): Promise<string[]> {
  const found: string[] = []
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid) || !alive(Number(pid))) continue
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '')
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (cwd.startsWith(base) || command.includes(base)) found.push(`${pid} ${command.replaceAll('\0', ' ')}`)
  }
  return found
}
