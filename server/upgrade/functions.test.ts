import { access, readFile } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readMigrations } from '../platform/db/migration-files.ts'
import { breaksOf } from '../platform/db/migration-locks.ts'
import { openConnection, type TestDatabase, testDatabase } from '../platform/db/testing.ts'
import { tableOwners } from '../tables.ts'
import { migrations } from './candidate.ts'
import { readCatalog } from './catalog.ts'

const root = path.join(import.meta.dirname, '../..')
const { files, functions } = await readMigrations(migrations)
/** Every function that a text creates, with the names of its triggers. */
const CREATES = /^create (?:or replace )?(?:constraint )?(function|trigger) (?:public\.)?(\w+)/gim

let database: TestDatabase
let owner: pg.Client

beforeAll(async () => {
  database = await testDatabase()
  owner = await openConnection(database.ownerUrl)
})
afterAll(async () => {
  await owner?.end()
  await database?.cleanup()
})

const created = (sql: string) => [...sql.matchAll(CREATES)].map(([, kind = '', name = '']) => `${kind} ${name}`)

it.each(functions.map(({ name, sql }) => [name, sql]))(
  '%s names its owner and its test, and both are there',
  async (_, sql) => {
    const [, by = '', test = ''] = /^-- Owner: (\S+)\. Test: (\S+\.test\.ts)\.\n/.exec(sql) ?? []
    expect([...Object.values(tableOwners), 'server/platform/sweep', 'server/features/monitoring']).toContain(by)
    await access(path.join(root, test))
  },
)

it('every function and trigger of a database is of exactly one file', async () => {
  const { rows } = await owner.query<{ found: string }>(`
    select 'function ' || proname as found from pg_proc where pronamespace = 'public'::regnamespace
    union all select 'trigger ' || tgname from pg_trigger where not tgisinternal
      and tgrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`)
  const current = functions.filter(
    ({ name, since }) => !functions.some((one) => one.name === name && one.since > since),
  )
  expect(current.flatMap(({ sql }) => created(sql)).sort()).toEqual(rows.map(({ found }) => found).sort())
})

it('no migration creates functions or triggers: they are in functions/, and are applied again when they change', () => {
  expect(files.flatMap(({ name, sql }) => created(sql).map((one) => `${name} creates the ${one}`))).toEqual([])
})

it('a function of the baseline that has no file any more is dropped by a migration', async () => {
  const text = await readFile(path.join(import.meta.dirname, 'schema-0117.txt'), 'utf8')
  const names = [...text.matchAll(/^function (\w+)\(/gm)].map(([, name = '']) => name)
  const kept = new Set(functions.flatMap(({ sql }) => created(sql)))
  const gone = names.filter((name) => !kept.has(`function ${name}`))
  const dropped = files.map(({ sql }) => sql).join('\n')
  expect(gone.filter((name) => !new RegExp(`drop function (if exists )?${name}\\b`, 'i').test(dropped))).toEqual([])
  expect(names.length).toBe(71)
})

it('applying all of them again changes nothing, and PostgreSQL finds their bodies sound', async () => {
  const before = await readCatalog(database.ownerUrl)
  await owner.query('begin')
  await owner.query('set local check_function_bodies = on')
  for (const { sql } of functions) await owner.query(sql)
  await owner.query('commit')
  expect(await readCatalog(database.ownerUrl)).toEqual(before)
})

it('none breaks the version that still runs', () => {
  expect(functions.flatMap(({ sql }) => breaksOf(sql))).toEqual([])
})
