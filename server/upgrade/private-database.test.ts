import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../platform/config/config.ts'
import { type Database, openDatabase } from '../platform/db/database.ts'
import { openConnection } from '../platform/db/testing.ts'
import { silentLog } from '../platform/log/log.ts'
import { baselineFolder, listBeforeBaseline, listMigrations } from './candidate.ts'
import { readCatalog } from './catalog.ts'

let dataDir: string
let folder: string
let db: Database

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'groundswell-private-'))
  db = await openDatabase(readConfig({ GROUNDSWELL_DATA: dataDir, LOG_LEVEL: 'silent' }), silentLog(), {
    stopWithParent: true,
  })
  folder = await baselineFolder()
  await db.migrate(folder)
})
afterAll(async () => {
  await db?.stop()
  for (const one of [dataDir, folder]) await rm(one, { recursive: true })
})

async function asOwner<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await openConnection(db.ownerUrl)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const applied = () =>
  asOwner(async (client) => (await client.query<{ name: string }>('select name from migration order by version')).rows)

it('the private database is taken over from the last version before the baseline, and one from before that is refused', async () => {
  const list = await listBeforeBaseline()
  const [names, catalog] = [await applied(), await readCatalog(db.ownerUrl)]

  await asOwner((client) => listMigrations(client, list.slice(0, -1)))
  await expect(db.migrate(folder)).rejects.toThrow('start the version tagged v0.1.0-rc (commit b5fd0e28)')
  expect(await applied()).toHaveLength(list.length - 1)

  await asOwner((client) => listMigrations(client, list))
  expect(await db.migrate(folder)).toEqual({ applied: [], functions: [], version: 117, owns: true })
  expect([await applied(), await readCatalog(db.ownerUrl)]).toEqual([names, catalog])
})
