import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { BackupError, leftOutTables, restoreBackup } from '../features/backup/index.ts'
import { recreateAtVersion, withLockedClient } from '../platform/db/migrate.ts'
import { readMigrations } from '../platform/db/migration-files.ts'
import { openConnection, type TestDatabase, testDatabase } from '../platform/db/testing.ts'
import { candidateBackup, firstReleaseBackup, migrations, withNextMigration } from './candidate.ts'
import { readCatalog } from './catalog.ts'

/** Every version of the database since the baseline. */
const versions = (await readMigrations(migrations)).files.map(({ version }) => version)

let folder: string
let to: TestDatabase
let backups: Map<number, string[]>
let expectedCatalog: string[]

const restore = (lines: readonly string[]) =>
  restoreBackup(to.ownerUrl, each(lines), { migrations: folder, keep: async () => undefined, hasKey: () => false })

beforeAll(async () => {
  folder = await withNextMigration()
  backups = await backupsOfVersions()
  const fresh = await testDatabase({ migrations: folder })
  try {
    expectedCatalog = await readCatalog(fresh.ownerUrl)
  } finally {
    await fresh.cleanup()
  }
})
afterAll(() => rm(folder, { recursive: true }))
beforeEach(async () => {
  to = await testDatabase({ migrations: folder })
})
afterEach(() => to.cleanup())

it.each(versions)(
  'a backup made at migration %i is restored and migrated, and what triggers count is counted',
  async (version) => {
    const lines = backups.get(version) ?? []
    expect((await restore(lines)).rows).toBe(lines.length - 2)
    expect(await counts()).toEqual({
      account: 1,
      workspace: 1,
      member: 1,
      connection: 2,
      feedback_item: 10,
      insight: 3,
      delivery: 2,
      // Of triggers: the words and the mentions of what was restored.
      feedback_search: 10,
      mention_change: 9,
    })
    expect(await readCatalog(to.ownerUrl)).toEqual(expectedCatalog)
  },
)

it('an old backup that is damaged leaves the installation as it was', async () => {
  const before = await readCatalog(to.ownerUrl)
  await expect(restore((await candidateBackup()).slice(0, -1))).rejects.toThrow('truncated')
  expect(await readCatalog(to.ownerUrl)).toEqual(before)
  expect((await counts()).account).toBe(0)
})

it.each([1, 64, 116])(
  'a backup from before the baseline is refused with the commit to go through: migration %i',
  async (version) => {
    const before = await readCatalog(to.ownerUrl)
    const [header = '', ...rows] = await firstReleaseBackup()
    const outcome = restore([header.replace(/"migration":"\d+"/, `"migration":"${version}"`), ...rows])
    await expect(outcome).rejects.toBeInstanceOf(BackupError)
    await expect(outcome).rejects.toThrow(
      `The backup was made before version 0.1.0 (migration ${version}). Restore it with the version tagged v0.1.0-rc (commit b5fd0e28), make a backup there, and restore that one.`,
    )
    expect(await readCatalog(to.ownerUrl)).toEqual(before)
    expect((await counts()).account).toBe(0)
  },
)

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}

async function counts(): Promise<Record<string, number>> {
  const client = await openConnection(to.ownerUrl)
  try {
    const found: Record<string, number> = {}
    for (const table of [
      'account',
      'workspace',
      'member',
      'connection',
      'feedback_item',
      'insight',
      'delivery',
      'feedback_search',
      'mention_change',
    ]) {
      const { rows } = await client.query<{ n: number }>(`select count(*)::int as n from ${table}`)
      found[table] = rows[0]?.n ?? 0
    }
    return found
  } finally {
    await client.end()
  }
}

/** The installation of the last version before the baseline as backups made at every version: its rows after the migrations up to there. */
async function backupsOfVersions(): Promise<Map<number, string[]>> {
  const kept = await candidateBackup()
  const [first = 0, ...later] = versions
  const made = new Map([[first, kept]])
  const database = await testDatabase()
  try {
    await withLockedClient(database.ownerUrl, async (client) => {
      await client.query('begin')
      await recreateAtVersion(client, migrations, first)
      for (const line of kept.slice(1, -1)) {
        const [table = '', rows] = Object.entries(JSON.parse(line) as object)[0] ?? []
        await client.query(
          `insert into ${table} overriding system value select * from jsonb_populate_recordset(null::${table}, $1)`,
          [JSON.stringify(rows)],
        )
      }
      for (const { version, name } of (await readMigrations(migrations)).files.filter((file) =>
        later.includes(file.version),
      )) {
        await client.query('set constraints all immediate')
        await client.query(await readFile(path.join(migrations, name), 'utf8'))
        made.set(version, await backupNow(client, version))
      }
    })
  } finally {
    await database.cleanup()
  }
  return made
}

async function backupNow(client: pg.Client, version: number): Promise<string[]> {
  const lines: string[] = []
  for (const table of await tablesInOrder(client)) {
    const { rows } = await client.query<{ row: string }>(`select to_jsonb(r)::text as row from ${table} r`)
    lines.push(...rows.map(({ row }) => `{"${table}":[${row}]}`))
  }
  const header = { ...(JSON.parse((await candidateBackup())[0] ?? '') as object), migration: String(version) }
  return [JSON.stringify(header), ...lines, JSON.stringify({ end: true, rows: lines.length })]
}

/** Referenced tables before those that refer to them. */
async function tablesInOrder(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; needs: string[] }>(
    `select c.relname as name, array(select f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid
         where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as needs
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`,
  )
  const ordered: string[] = []
  let left = rows.filter(({ name }) => !leftOutTables.includes(name))
  while (left.length > 0) {
    const ready = left.filter(({ needs }) => needs.every((need) => !left.some(({ name }) => name === need)))
    if (ready.length === 0) throw new Error(`tables refer to each other: ${left.map(({ name }) => name).join(', ')}`)
    ordered.push(...ready.map(({ name }) => name))
    left = left.filter((table) => !ready.includes(table))
  }
  return ordered
}
