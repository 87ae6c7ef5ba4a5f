import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { leftOutTables, restoreBackup } from '../features/backup/index.ts'
import { recreateAtVersion, withLockedClient } from '../platform/db/migrate.ts'
import { type TestDatabase, testDatabase } from '../platform/db/testing.ts'
import { readCatalog } from './catalog.ts'

const migrations = path.join(import.meta.dirname, '..', 'migrations')
/** What the first release's own `backup --secrets` wrote: see `upgrade.test.ts`. */
const firstRelease = readFileSync(path.join(import.meta.dirname, 'first-release.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
const nothingToKeep = { migrations, keep: async () => undefined, hasKey: () => false }

const files = (await readdir(migrations)).sort()
/** The number of a migration, which its file's name begins with. */
const versionOf = (file: string) => Number(file.slice(0, 4))

/** Every version of the database since the first release. */
export const versions: readonly number[] = files.map(versionOf)

/** Tests that a backup made at each of these versions is restored, and one that is damaged is not. */
export function testOldBackups(chosen: readonly number[]): void {
  let to: TestDatabase
  let backups: Map<number, string[]>
  let expectedRows: Record<string, number>
  let expectedCatalog: string[]

  beforeAll(async () => {
    const fresh = await testDatabase()
    try {
      expectedCatalog = await readCatalog(fresh.ownerUrl)
      await restoreBackup(fresh.ownerUrl, each(firstRelease), nothingToKeep)
      expectedRows = await counts(fresh)
    } finally {
      await fresh.cleanup()
    }
    backups = await backupsOfVersions()
  })

  beforeEach(async () => {
    to = await testDatabase()
  })

  afterEach(() => to.cleanup())

  it.each(chosen)('a backup made at migration %i is restored and migrated', async (version) => {
    const lines = backups.get(version) ?? []
    const restored = await restoreBackup(to.ownerUrl, each(lines), nothingToKeep)
    expect(restored.rows).toBe(lines.length - 2)
    expect(await counts(to)).toEqual(expectedRows)
    expect(expectedRows).toMatchObject({ account: 1, workspace: 1, feedback_item: 10 })
    expect(await readCatalog(to.ownerUrl)).toEqual(expectedCatalog)
  })

  it('an old backup that is damaged leaves the installation as it was', async () => {
    const before = await readCatalog(to.ownerUrl)
    const cut = restoreBackup(to.ownerUrl, each(firstRelease.slice(0, -1)), nothingToKeep)
    await expect(cut).rejects.toThrow('truncated')
    expect(await readCatalog(to.ownerUrl)).toEqual(before)
    expect((await counts(to)).account).toBe(0)
  })
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}

async function counts(database: TestDatabase): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  try {
    const found: Record<string, number> = {}
    for (const table of ['account', 'workspace', 'member', 'connection', 'feedback_item', 'insight', 'delivery']) {
      const { rows } = await client.query<{ n: number }>(`select count(*)::int as n from ${table}`)
      found[table] = rows[0]?.n ?? 0
    }
    return found
  } finally {
    await client.end()
  }
}

/** The first release's installation as backups made at every version: its rows after the migrations up to there. */
async function backupsOfVersions(): Promise<Map<number, string[]>> {
  const made = new Map([[1, firstRelease]])
  const database = await testDatabase()
  try {
    await withLockedClient(database.ownerUrl, async (client) => {
      await client.query('begin')
      await recreateAtVersion(client, migrations, 1)
      for (const line of firstRelease.slice(1, -1)) {
        const [table = '', rows] = Object.entries(JSON.parse(line) as object)[0] ?? []
        await client.query(
          `insert into ${table} overriding system value select * from jsonb_populate_recordset(null::${table}, $1)`,
          [JSON.stringify(rows)],
        )
      }
      for (const file of files.slice(1)) {
        await client.query('set constraints all immediate')
        await client.query(readFileSync(path.join(migrations, file), 'utf8'))
        made.set(versionOf(file), await backupNow(client, versionOf(file)))
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
  const header = { ...(JSON.parse(firstRelease[0] ?? '') as object), migration: String(version) }
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
