import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate, migrateFrom, readPending, recreateAtVersion, requireMigrated, withLockedClient } from './migrate.ts'
import { runAsOwner, type TestDatabase, testDatabase } from './testing.ts'

let empty: string
let folder: string
let fixture: TestDatabase

beforeEach(async () => {
  empty = await mkdtemp(path.join(tmpdir(), 'groundswell-migrations-'))
  folder = await mkdtemp(path.join(tmpdir(), 'groundswell-migrations-'))
  fixture = await testDatabase({ migrations: empty })
  await file(
    '0001-first.sql',
    'create table note (id int primary key, text text not null); grant select on note to groundswell_app;',
  )
  await file('functions/notes/text.sql', returning('first', 'note_text'))
})

afterEach(async () => {
  await fixture.cleanup()
  for (const one of [empty, folder]) await rm(one, { recursive: true })
})

async function file(name: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(folder, name)), { recursive: true })
  await writeFile(path.join(folder, name), text)
}

const returning = (text: string, name: string) =>
  `create or replace function ${name}() returns text language sql as $$ select '${text}' $$;`
const run = () => migrate(fixture.ownerUrl, folder)
const pending = async () => {
  const found = await readPending(fixture.ownerUrl, folder)
  return { migrations: found.pending.map(({ name }) => name), functions: found.functions.map(({ name }) => name) }
}
const select = async (expression: string) =>
  (await fixture.db.pool.query<{ found: unknown }>(`select ${expression} as found`)).rows[0]?.found
const noted = async () =>
  (await fixture.db.pool.query('select name, release from function_file order by name')).rows as unknown

test('a file is applied once, and again when it has changed', async () => {
  expect(await run()).toEqual({ applied: ['0001-first.sql'], functions: ['notes/text'], version: 1 })
  expect(await run()).toEqual({ applied: [], functions: [], version: 1 })
  await file('functions/notes/text.sql', returning('second', 'note_text'))
  expect(await pending()).toEqual({ migrations: [], functions: ['functions/notes/text'] })
  await expect(requireMigrated(fixture.appUrl, folder)).rejects.toThrow('The database lacks functions/notes/text')
  expect(await run()).toEqual({ applied: [], functions: ['notes/text'], version: 1 })
  expect(await select('note_text()')).toBe('second')
  expect(await pending()).toEqual({ migrations: [], functions: [] })
})

test('of many at once one applies a file', async () => {
  const reports = await Promise.all(Array.from({ length: 4 }, run))
  expect(reports.flatMap(({ functions }) => functions)).toEqual(['notes/text'])
})

test('a function may call one of a later file, and a migration one of an earlier version', async () => {
  await file(
    'functions/notes/all.sql',
    'create or replace function note_all() returns text language sql as $$ select note_text() $$;',
  )
  await file('0002-second.sql', 'insert into note values (1, note_all());')
  await run()
  expect(await select('(select text from note)')).toBe('first')
})

test('a file that fails leaves the functions of before, and its migration undone', async () => {
  await run()
  await file('0002-second.sql', 'create table half (id int);')
  await file('functions/notes/text.sql', `${returning('second', 'note_text')} select no_such_function();`)
  await expect(run()).rejects.toThrow(/the functions of notes\/text failed: .*no_such_function/)
  expect(await select('note_text()')).toBe('first')
  expect(await select(`to_regclass('half')`)).toBe(null)
})

test('functions of a newer version are left alone, and that version is to be started', async () => {
  await run()
  await runAsOwner(fixture.ownerUrl, `update function_file set release = '10.0.0', checksum = 'other'`)
  const refusal = /the database has functions of version 10\.0\.0, newer than this program/
  await expect(run()).rejects.toThrow(refusal)
  await expect(requireMigrated(fixture.appUrl, folder)).rejects.toThrow(refusal)
  expect(await noted()).toEqual([{ name: 'notes/text', release: '10.0.0' }])
})

test('a file that is gone is forgotten, and its function stays until a migration drops it', async () => {
  await file('functions/notes/other.sql', returning('other', 'note_other'))
  await run()
  await rm(path.join(folder, 'functions/notes/other.sql'))
  await run()
  expect(await select('note_other()')).toBe('other')
  expect(await noted()).toEqual([{ name: 'notes/text', release: expect.any(String) }])
  await file('0002-second.sql', 'drop function note_other();')
  await run()
  expect(await select(`to_regprocedure('note_other()')`)).toBe(null)
})

test('a file for the tables of a migration takes effect with it, and an earlier version is recreated without it', async () => {
  await run()
  await file('0002-second.sql', 'alter table note add column by text;')
  const trigger = (by: string) => `
    create or replace function sign_note() returns trigger language plpgsql as $$ begin ${by} return new; end $$;
    create or replace trigger signed before insert on note for each row execute function sign_note();`
  await file('functions/notes/sign.sql', trigger(`new.text := new.text || '!';`))
  await file('functions/notes/sign.0002.sql', trigger(`new.by := 'somebody';`))
  expect((await run()).functions).toEqual(['notes/sign'])
  const insert = (id: number) => `insert into note (id, text) values (${id}, 'text')`
  await runAsOwner(fixture.ownerUrl, insert(1))
  expect(await select('(select (text, by)::text from note)')).toBe('(text,somebody)')

  await withLockedClient(fixture.ownerUrl, async (client) => {
    await client.query('begin')
    expect(await recreateAtVersion(client, folder, 1)).toBe(true)
    await client.query(insert(1))
    await migrateFrom(client, folder, 1, { apart: false })
    await client.query(insert(2))
    await client.query('commit')
  })
  expect(await select(`(select array_agg((text, by)::text order by id) from note)`)).toEqual([
    '(text!,)',
    '(text,somebody)',
  ])
  expect(await run()).toEqual({ applied: [], functions: [], version: 2 })
})

test('the app may read what was applied, and not write it', async () => {
  await file('0002-second.sql', 'grant all on all tables in schema public to groundswell_app;')
  await run()
  await expect(fixture.db.pool.query(`insert into function_file values ('a/b', '', '')`)).rejects.toThrow(
    process.env.TEST_DATABASE_URL ? /./ : 'permission denied',
  )
})

test('another name is refused', async () => {
  await file('functions/loose.sql', 'select 1;')
  await expect(run()).rejects.toThrow('loose.sql is not named noun/subject.sql')
})
