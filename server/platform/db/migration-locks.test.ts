import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { changedOf, functionsAt } from './function-files.ts'
import { readMigrations } from './migration-files.ts'
import { breaksOf, locksOf } from './migration-locks.ts'
import { openConnection, testDatabase } from './testing.ts'

const folder = join(import.meta.dirname, '../../migrations')
const STRENGTH = [
  'AccessShareLock',
  'RowShareLock',
  'RowExclusiveLock',
  'ShareUpdateExclusiveLock',
  'ShareLock',
  'ShareRowExclusiveLock',
  'ExclusiveLock',
  'AccessExclusiveLock',
]
const POSTGRES = {
  'row exclusive': 'RowExclusiveLock',
  'share update exclusive': 'ShareUpdateExclusiveLock',
  share: 'ShareLock',
  'share row exclusive': 'ShareRowExclusiveLock',
  'access exclusive': 'AccessExclusiveLock',
} as const

test('every lock that PostgreSQL takes for one of our migrations and files of functions is named', async () => {
  const none = await mkdtemp(join(tmpdir(), 'groundswell-migrations-'))
  const fixture = await testDatabase({ migrations: none })
  const client = await openConnection(fixture.ownerUrl)
  try {
    let before = ''
    await client.query('set check_function_bodies = off')
    for (const { name, sql } of await stepsOf(folder)) {
      await client.query('begin')
      const known = await client.query<{ oid: string }>(`select oid::text from pg_class where relkind in ('r', 'p')`)
      const there = new Set(known.rows.map(({ oid }) => oid))
      await client.query(sql)
      const { rows } = await client.query<{ oid: string; table: string; mode: string }>(`
        select relation::text as oid, relation::regclass::text as table, mode from pg_locks
        where pid = pg_backend_pid() and locktype = 'relation' and relation in
          (select oid from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace)`)
      await client.query('commit')
      const named = new Map(locksOf(sql, before).map(({ table, mode }) => [table, STRENGTH.indexOf(POSTGRES[mode])]))
      const unnamed = rows.filter(
        ({ oid, table, mode }) =>
          there.has(oid) &&
          STRENGTH.indexOf(mode) > STRENGTH.indexOf('RowShareLock') &&
          STRENGTH.indexOf(mode) > (named.get(table) ?? -1),
      )
      expect(unnamed.map(({ table, mode }) => `${name}: ${mode} of ${table}`)).toEqual([])
      before += sql
    }
  } finally {
    await client.end()
    await fixture.cleanup()
    await rm(none, { recursive: true })
  }
})

/** In their order: each migration, and the function files that are new or have another text with it. */
async function stepsOf(folder: string): Promise<{ name: string; sql: string }[]> {
  const { files, functions } = await readMigrations(folder)
  const applied = new Map<string, string>()
  return files.flatMap((file) => {
    const changed = changedOf(functionsAt(functions, file.version), applied)
    for (const { name, checksum } of changed) applied.set(name, checksum)
    return [file, ...changed]
  })
}

test('of several locks of a table the strongest is named, and none of a new table', () => {
  const sql = `
    -- alter table comment add column x int;
    create table new_one (id int references old_one);
    create index new_one_id on new_one (id);
    alter table new_one enable row level security;
    update second set name = 'drop table third';
    create unique index second_name on second (name);
    drop index third_name;
    do $$ declare t text; begin
      foreach t in array array['fourth', 'new_one'] loop execute format('alter table %I add column x int', t); end loop;
      delete from fifth;
    end $$;
    create function later() returns trigger language plpgsql as $$ begin delete from sixth; return null; end $$;
    create trigger later after update on seventh for each row execute function later();`
  const locks = locksOf(sql, 'create index third_name on third (name);')
  expect(locks.map(({ table, mode }) => [table, mode])).toEqual([
    ['fifth', 'row exclusive'],
    ['fourth', 'access exclusive'],
    ['old_one', 'share row exclusive'],
    ['second', 'share'],
    ['seventh', 'share row exclusive'],
    ['third', 'access exclusive'],
  ])
})

const TABLES = `
  create table message (id int, words text, kind text);
  create table person (id int);
  create table total (n int);
  create function everybody() returns setof int language sql as $$ select id from person $$;`
const LASTING: [sql: string, lasting: string[]][] = [
  ['alter table message add column x int;', []],
  ['alter table message add column x int not null default 0, add column y timestamptz default now();', []],
  ['alter table message add column x uuid default gen_random_uuid();', ['message while message']],
  ['alter table message add column x int generated always as (id + 1) stored;', ['message while message']],
  ['alter table message alter kind set not null;', ['message while message']],
  ['alter table message alter column id type bigint;', ['message while message']],
  ['alter table message add constraint short check (length(words) < 9);', ['message while message']],
  ['alter table message add constraint short check (length(words) < 9) not valid;', []],
  [
    'alter table message add constraint short check (id > 0) not valid; alter table message validate constraint short;',
    ['message while message'],
  ],
  ['alter table message validate constraint short;', []],
  [
    'alter table message add foreign key (id) references person;',
    ['message while message, person', 'person while message, person'],
  ],
  ['create index message_kind on message (kind);', ['message while message']],
  ['create table x (id int); create index x_id on x (id);', []],
  ['create table x (id int references message); insert into x values (1);', []],
  ['create table x (id int references message); insert into x select id from message;', ['message while message']],
  ['insert into total select count(*) from message; alter table message add column x int;', []],
  [
    'alter table message add column x int; insert into total select count(*) from message;',
    ['message while message, total'],
  ],
  ['alter table message add column x int; insert into total values (1);', []],
  ['alter table message add column x int; update person set id = 1;', ['message while person']],
  ['alter table message add column x int; delete from person;', ['message while person']],
  ['alter table message add column x int; select everybody();', ['message while person']],
  [
    'alter table message add column x int; create function f() returns int language sql as $$ select id from person $$;',
    [],
  ],
  ['alter table message add column x int; create policy p on total using (exists (select from person));', []],
  ['alter table message add column x int; grant select, insert, update, delete on person to somebody;', []],
  ['do $$ begin perform 1 from person; end $$; alter table message add column x int;', []],
  ['alter table message add column x int; do $$ begin perform 1 from person; end $$;', ['message while person']],
  [
    `do $$ declare t text; begin
      foreach t in array array['message', 'total'] loop execute format('alter table %I validate constraint x', t); end loop;
    end $$;`,
    ['message while message, total', 'total while message, total'],
  ],
  [
    `create temporary table counted on commit drop as select * from message;
    alter table total add column x int;
    insert into total select count(*) from counted;`,
    ['total while message, total'],
  ],
  ['alter table message no force row level security; select * from total, message;', ['message while message, total']],
]

test.each(LASTING)('a lock lasts while rows are read, changed or indexed: %s', (sql, lasting) => {
  const found = locksOf(sql, TABLES).filter(({ during }) => during.length > 0)
  expect(found.map(({ table, during }) => `${table} while ${during.join(', ')}`)).toEqual(lasting)
})

test('what a running earlier version would stumble over is said', () => {
  const sql = `
    drop table one;
    alter table two drop column a, add column b int not null, add column c int not null default 0, add column d text;
    alter table three rename column a to b;
    alter table three rename to four;
    alter table five alter column a type bigint, alter b set not null, alter column c drop not null;
    alter table five add constraint a_there check (a is not null), add check (b is not null);
    create table six (id int);
    alter table six add column b int not null;
    drop function seven(int);
    drop function eight();
    create function eight() returns int language sql as $$ select 1 $$;`
  expect(breaksOf(sql)).toEqual([
    'drops the table one',
    'drops seven',
    'drops the column a of two',
    'requires the new column b of two',
    'renames the column a of three',
    'renames the table three',
    'changes the type of the column a of five',
    'requires the column b of five',
  ])
})
