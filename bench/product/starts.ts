import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Child } from '@groundswell/server/faults/child.ts'
import { openDatabase } from '@groundswell/server/platform/db/database.ts'
import { silentLog } from '@groundswell/server/platform/log/log.ts'
import { type Figure, figure } from '../engine/figures.ts'

const RUNS = 5
const TARGET_DEMO_S = 5

/** Seconds until the database is ready, in a new folder and in a used one, and until the demo is ready. */
export async function benchStarts(): Promise<Figure[]> {
  const cold: number[] = []
  const warm: number[] = []
  const demo: number[] = []
  for (let run = 0; run < RUNS; run += 1) {
    const folder = await mkdtemp(path.join(tmpdir(), 'groundswell-bench-'))
    try {
      cold.push(await databaseStart(folder))
      warm.push(await databaseStart(folder))
      demo.push(await demoStart(folder))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  return [
    figure('the demo: from its start to ready', 's', demo, { atMost: TARGET_DEMO_S }),
    figure('the private database: start on a new folder', 's', cold),
    figure('the private database: start on a used folder', 's', warm),
  ]
}

async function databaseStart(dataDir: string): Promise<number> {
  const began = performance.now()
  const database = await openDatabase({ dataDir }, silentLog())
  await database.pool.query('select 1')
  const seconds = (performance.now() - began) / 1000
  await database.stop()
  return seconds
}

/** The whole process, as `npm run demo` starts it once everything is installed. */
async function demoStart(folder: string): Promise<number> {
  const began = performance.now()
  const demo = new Child(['server/demo.ts'], { env: { TMPDIR: folder, PORT: '0', HOST: '127.0.0.1' } })
  await demo.says(/Receiver/)
  const seconds = (performance.now() - began) / 1000
  await demo.end('SIGINT')
  return seconds
}
