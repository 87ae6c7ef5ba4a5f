import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate } from './migrate.ts'
import { MigrationError } from './migration-error.ts'
import { type TestDatabase, testDatabase } from './testing.ts'

let empty: string
let folder: string
let fixture: TestDatabase

beforeEach(async () => {
  empty = await mkdtemp(join(tmpdir(), 'groundswell-migrations-'))
  folder = await mkdtemp(join(tmpdir(), 'groundswell-migrations-'))
  fixture = await testDatabase({ migrations: empty })
  await file('0001-first.sql', 'create table first (id int primary key);')
  await file('0002-second.sql', 'create table second (id int primary key); insert into second values (1);')
})

afterEach(async () => {
  await fixture.cleanup()
  await rm(empty, { recursive: true })
  await rm(folder, { recursive: true })
})

const file = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text)
const run = () => migrate(fixture.ownerUrl, folder)
const tables = async (): Promise<string[]> => {
  const { rows } = await fixture.db.pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
  return rows.map((row) => row.name)
}

test('applies what is new, in order, once', async () => {
  expect(await run()).toEqual({ applied: ['0001-first.sql', '0002-second.sql'], functions: [], version: 2 })
  expect(await run()).toEqual({ applied: [], functions: [], version: 2 })
  await file('0003-third.sql', 'create table third (id int);')
  expect(await run()).toEqual({ applied: ['0003-third.sql'], functions: [], version: 3 })
  expect(await tables()).toEqual(['first', 'function_file', 'migration', 'second', 'third'])
})

test('of many at once one applies each file, and all succeed', async () => {
  const reports = await Promise.all(Array.from({ length: 6 }, run))
  expect(reports.flatMap((report) => report.applied).sort()).toEqual(['0001-first.sql', '0002-second.sql'])
})

test('a file that fails leaves nothing of itself, and those before it stay', async () => {
  await file('0003-broken.sql', 'create table half (id int); select no_such_function();')
  await expect(run()).rejects.toThrow(/0003-broken\.sql failed: .*no_such_function/)
  expect(await tables()).toEqual(['first', 'function_file', 'migration', 'second'])
  await file('0003-broken.sql', 'create table whole (id int);')
  expect((await run()).applied).toEqual(['0003-broken.sql'])
})

test('a file changed after it was applied is refused, and nothing else is applied', async () => {
  await run()
  await file('0001-first.sql', 'create table first (id int primary key, more int);')
  await file('0003-third.sql', 'create table third (id int);')
  await expect(run()).rejects.toThrow(/0001-first\.sql was changed/)
  expect(await tables()).not.toContain('third')
})

test('line endings of another system are not a change', async () => {
  await file('0001-first.sql', 'create table first (id int primary key);\n')
  await run()
  await file('0001-first.sql', 'create table first (id int primary key);\r\n')
  expect((await run()).applied).toEqual([])
})

test('a database newer than the program is refused', async () => {
  await file('0009-later.sql', 'select 1;')
  await run()
  await rm(join(folder, '0009-later.sql'))
  await expect(run()).rejects.toThrow(/at version 9, newer than this program \(2\)/)
})

test('a file between applied ones, a gone one and wrong names are refused', async () => {
  await file('0004-fourth.sql', 'select 1;')
  await run()
  await file('0003-late.sql', 'select 1;')
  await expect(run()).rejects.toThrow(/0003-late\.sql comes before version 4/)
  await rm(join(folder, '0003-late.sql'))
  await rm(join(folder, '0002-second.sql'))
  await expect(run()).rejects.toThrow(/0002-second\.sql was applied but its file is gone/)
  await file('0004-again.sql', 'select 1;')
  await expect(run()).rejects.toThrow(/two migrations have the number 0004/)
  await rm(join(folder, '0004-again.sql'))
  await file('5-short.sql', 'select 1;')
  await expect(run()).rejects.toBeInstanceOf(MigrationError)
})
