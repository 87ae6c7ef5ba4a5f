import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openDatabase } from '../db/database.ts'
import { readPidFile } from '../db/embedded/folder.ts'
import { withoutWorkspace } from '../db/tenant.ts'
import { silentLog } from '../log/log.ts'
import { createQueue, defineJob } from './queue.ts'

const kind = defineJob({ name: 'test.count', schema: z.object({ n: z.number() }), pauses: [0.1], tries: 20 })

// It makes a database of its own, which starts four times.
test('the database is killed again and again while jobs are sent and run: all that was acknowledged is done', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'groundswell-killed-'))
  const db = await openDatabase({ dataDir }, silentLog())
  await db.migrate(join(import.meta.dirname, '..', '..', 'migrations'))
  const queue = await createQueue({ db, log: silentLog() })
  const done = new Set<number>()
  const acknowledged: number[] = []
  try {
    await queue.work(kind, async ({ n }) => void done.add(n), { concurrency: 3 })
    for (let n = 0; n < 60; n += 1) {
      if (n % 20 === 10) {
        const file = await readPidFile(join(dataDir, 'postgres', 'data'))
        if (!file) throw new Error('there is no database to kill')
        process.kill(file.pid, 'SIGKILL')
      }
      // A send that fails was not acknowledged; whether it was done is unknown.
      const id = await withoutWorkspace(db, (tx) => queue.send(kind, { n }, { tx })).catch(() => null)
      if (id !== null) acknowledged.push(n)
    }
    expect(acknowledged.length).toBeGreaterThan(40)
    await expect.poll(() => acknowledged.filter((n) => !done.has(n)), { interval: 100 }).toEqual([])
    const dead = await queue.dead.list()
    expect(dead).toEqual([])
    await withoutWorkspace(db, (tx) => sql`select 1`.execute(tx))
  } finally {
    await queue.stop({ graceSeconds: 1 })
    await db.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
