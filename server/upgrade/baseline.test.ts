import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { migrate, readPending, requireMigrated } from '../platform/db/migrate.ts'
import { MigrationError } from '../platform/db/migration-error.ts'
import { openConnection, type TestDatabase, testDatabase } from '../platform/db/testing.ts'
import { baselineFolder, listBeforeBaseline, listMigrations, migrations } from './candidate.ts'
import { readCatalog } from './catalog.ts'

const root = path.join(import.meta.dirname, '../..')
const list = await listBeforeBaseline()
const baseline = JSON.parse(await readFile(path.join(migrations, 'baseline.json'), 'utf8')) as {
  functions: Record<string, string>
  through: { tag: string; commit: string }
}

let folder: string
let database: TestDatabase
let owner: pg.Client

beforeAll(async () => {
  folder = await baselineFolder()
})
afterAll(() => rm(folder, { recursive: true }))
beforeEach(async () => {
  database = await testDatabase({ migrations: folder })
  owner = await openConnection(database.ownerUrl)
})
afterEach(async () => {
  await owner.end()
  await database.cleanup()
})

/** Every object of the schema with the transaction that wrote it last: the same where nothing was executed. */
async function written(): Promise<unknown[]> {
  const { rows } = await owner.query(`
    select relname as name, oid, relfilenode as file, xmin::text from pg_class
      where relnamespace = 'public'::regnamespace and relname not in ('migration', 'migration_pkey', 'function_file', 'function_file_pkey')
    union all select proname, oid, 0, xmin::text from pg_proc where pronamespace = 'public'::regnamespace
    union all select tgname, oid, 0, xmin::text from pg_trigger
    union all select polname, oid, 0, xmin::text from pg_policy
    union all select conname, oid, 0, xmin::text from pg_constraint where connamespace = 'public'::regnamespace and conname not like '%migration%' and conname not like 'function_file%'
    order by 1, 2`)
  return rows
}

async function stored(): Promise<unknown> {
  const { rows } = await owner.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
       and relname not in ('migration', 'function_file') order by 1`,
  )
  const found: Record<string, unknown[]> = {}
  for (const { name } of rows) {
    const { rows: held } = await owner.query<{ row: string }>(`select to_jsonb(r)::text as row from ${name} r`)
    if (held.length > 0) found[name] = held.map(({ row }) => JSON.parse(row))
  }
  return found
}

/** The lines of a catalog as they are before the tables of accounts are left to the role of the sign-in code. */
const together = (catalog: string[]) =>
  catalog.map((line) => line.replace('groundswell_auth may', 'groundswell_app may'))

const applied = async () =>
  (await owner.query('select version, name, checksum, applied_at as at from migration order by version')).rows

describe('the baseline', () => {
  it('makes the tables that the last of the migrations before it had left, with the rights to them', async () => {
    const meant = (await readFile(path.join(import.meta.dirname, 'schema-0117.txt'), 'utf8')).trimEnd().split('\n')
    const isTable = (line: string) => !/^function |^function_file\b|^\S+ trigger: /.test(line)
    expect(together(await readCatalog(database.ownerUrl)).filter(isTable)).toEqual(meant.filter(isTable))
    expect(await stored()).toEqual({ audit_retention: [{ days: 365, only_one: true }] })
  })

  it('is of the list of migrations that it replaces', () => {
    expect([list.length, list.at(0)?.name, list.at(-1)?.name]).toEqual([
      80,
      '0001-foundation.sql',
      '0117-scores-by-people.sql',
    ])
  })

  const history = spawnSync('git', ['archive', baseline.through.commit, 'server/migrations'], {
    cwd: root,
    maxBuffer: 2 ** 26,
  })

  // A checkout without the history of the project has only the text of that catalog, which the first test compares.
  it.skipIf(history.status !== 0)(
    'those migrations themselves make what a new database has, in every detail',
    async () => {
      const before = await mkdtemp(path.join(tmpdir(), 'groundswell-before-baseline-'))
      spawnSync('tar', ['-x', '-C', before], { input: history.stdout })
      const old = await testDatabase({ migrations: path.join(before, 'server/migrations') })
      try {
        const meant = (await readFile(path.join(import.meta.dirname, 'schema-0117.txt'), 'utf8')).trimEnd()
        const left = together(await readCatalog(old.ownerUrl)).filter((line) => !/^function_file\b/.test(line))
        expect(left.join('\n')).toBe(meant)
        await migrate(old.ownerUrl, migrations, { auth: 'login' })
        const fresh = await testDatabase()
        try {
          expect(await readCatalog(old.ownerUrl)).toEqual(await readCatalog(fresh.ownerUrl))
        } finally {
          await fresh.cleanup()
        }
      } finally {
        await old.cleanup()
        await rm(before, { recursive: true })
      }
    },
  )
})

describe('a database at the last of the migrations before the baseline', () => {
  beforeEach(async () => {
    await owner.query(`insert into account (email, name) values ('mara@tallybrook.example', 'Mara')`)
    await listMigrations(owner, list)
  })

  it('is taken over: its list is replaced, and nothing else is executed', async () => {
    const before = { written: await written(), stored: await stored(), catalog: await readCatalog(database.ownerUrl) }
    const [first] = await applied()
    const report = await migrate(database.ownerUrl, folder)
    expect(report.applied).toEqual([])
    expect(await written()).toEqual(before.written)
    expect(await stored()).toEqual(before.stored)
    const catalog = (await readCatalog(database.ownerUrl)).filter((line) => !line.startsWith('function_file'))
    expect(catalog).toEqual(before.catalog)
    expect(await applied()).toEqual([
      { version: 117, name: '0117-baseline.sql', checksum: expect.any(String), at: first.at },
    ])
    expect(await migrate(database.ownerUrl, folder)).toEqual({ applied: [], functions: [], version: 117 })
  })

  it('is taken over once by many processes at a time', async () => {
    await Promise.all(Array.from({ length: 4 }, () => migrate(database.ownerUrl, folder)))
    expect(await applied()).toHaveLength(1)
  })

  it('goes on to the newest migration and the newest functions', async () => {
    await migrate(database.ownerUrl, migrations, { auth: 'login' })
    const fresh = await testDatabase()
    try {
      expect(await readCatalog(database.ownerUrl)).toEqual(await readCatalog(fresh.ownerUrl))
    } finally {
      await fresh.cleanup()
    }
  })

  it('waits for its owner where the process may not change it, and upgrade --check says what will be done', async () => {
    await expect(requireMigrated(database.appUrl, folder)).rejects.toThrow(
      'The database lacks 0117-baseline.sql, and groundswell_app may not change its tables',
    )
    expect(await readPending(database.ownerUrl, folder)).toMatchObject({
      version: 117,
      adopts: '0117-baseline.sql',
      pending: [],
    })
    expect(await applied()).toHaveLength(80)
  })

  it('that a newer version has changed since is refused as before', async () => {
    await owner.query(`insert into migration (version, name, checksum) values (9000, '9000-later.sql', '')`)
    await expect(migrate(database.ownerUrl, folder)).rejects.toThrow('at version 9000, newer than this program (117)')
    expect(await applied()).toHaveLength(81)
  })
})

describe('a database from before that', () => {
  it.each([
    ['the first release', list.slice(0, 1)],
    ['one in the middle', list.slice(0, 40)],
    ['the last but one', list.slice(0, -1)],
    ['the last, with one that was left out', list.toSpliced(40, 1)],
    ['the last, with one that was changed', list.with(40, { ...(list[40] as (typeof list)[0]), checksum: 'other' })],
  ])('is refused before any change, with the commit to go through: %s', async (_, rows) => {
    await listMigrations(owner, rows)
    const before = { written: await written(), applied: await applied(), catalog: await readCatalog(database.ownerUrl) }
    const message = `the database is at migration ${rows.at(-1)?.version}, from before version 0.1.0: start the version tagged v0.1.0-rc (commit b5fd0e28) on it once, then this one. Nothing was changed`
    for (const attempt of [
      () => migrate(database.ownerUrl, folder, { auth: 'login' }),
      () => requireMigrated(database.appUrl, folder),
      () => readPending(database.ownerUrl, folder),
    ]) {
      const outcome = attempt()
      await expect(outcome).rejects.toThrow(message)
      await expect(outcome).rejects.toBeInstanceOf(MigrationError)
    }
    expect({
      written: await written(),
      applied: await applied(),
      catalog: await readCatalog(database.ownerUrl),
    }).toEqual(before)
  })
})
