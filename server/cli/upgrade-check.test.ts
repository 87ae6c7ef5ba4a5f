import { spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Child } from '../faults/child.ts'
import { openConnection, runAsOwner, type TestDatabase, testDatabase } from '../platform/db/testing.ts'
import { baselineFolder, listBeforeBaseline, listMigrations } from '../upgrade/candidate.ts'
import { describeUpgrade } from './migrate.ts'
import { groundswell } from './testing.ts'

let folder: string
/** At the last version before the baseline. */
let earlier: TestDatabase
let current: TestDatabase

beforeAll(async () => {
  folder = await baselineFolder()
  earlier = await testDatabase({ migrations: folder })
  current = await testDatabase()
  await setList(await listBeforeBaseline())
})
afterAll(async () => {
  for (const database of [earlier, current]) await database.cleanup()
  await rm(folder, { recursive: true })
})

async function setList(list: Awaited<ReturnType<typeof listBeforeBaseline>>): Promise<void> {
  const owner = await openConnection(earlier.ownerUrl)
  await listMigrations(owner, list)
  await owner.end()
}

const environment = (database: TestDatabase) => ({
  DATABASE_URL: database.ownerUrl,
  GROUNDSWELL_DATA: database.config.dataDir,
})

/** What the command prints, to both streams. */
async function upgrade(database: TestDatabase, options: string[], exitCode = 0): Promise<string> {
  const env = environment(database)
  const { code, out, err } = await groundswell(['upgrade', ...options], { folder: database.config.dataDir, env })
  expect([code, out + err]).toEqual([exitCode, expect.any(String)])
  return out + err
}

/** The same of a process of its own. `flags`: for node. */
async function upgradeProcess(database: TestDatabase, options: string[], flags: string[] = []): Promise<string> {
  const child = new Child(['server/cli.ts', 'upgrade', ...options], { env: environment(database), flags })
  await child.ended
  expect([child.process.exitCode, child.output]).toEqual([0, expect.any(String)])
  return child.output
}

/** What is printed about one migration. */
function about(name: string, output: string): string[] {
  const [, text = ''] = output.split(`\n${name}\n`)
  return text.slice(0, text.indexOf('\n\n')).split('\n')
}

/** Reports every connection, query of a name and process that Node starts, on standard error. */
const REPORTING = `data:text/javascript,${encodeURIComponent(`
  import { createHook } from 'node:async_hooks'
  import { writeSync } from 'node:fs'
  const init = (id, type) => {
    if (/CONNECTWRAP|ADDRINFO|NAMEINFO|QUERY|UDP|PROCESSWRAP/.test(type)) writeSync(2, '\\nCALL ' + type + '\\n')
  }
  createHook({ init }).enable()`)}`
const callsIn = (output: string) =>
  [...new Set([...output.matchAll(/^CALL (\w+)$/gm)].map(([, type = '']) => type))].sort()

test('it calls nothing but the database', async () => {
  const other = new Child(
    ['-e', `fetch('http://127.0.0.1:65000').catch(() => fetch('http://name.invalid')).catch(() => 0)`],
    {
      flags: ['--import', REPORTING],
    },
  )
  await other.ended
  expect(callsIn(other.output)).toEqual(['GETADDRINFOREQWRAP', 'TCPCONNECTWRAP'])

  const output = await upgradeProcess(earlier, ['--check'], ['--import', REPORTING])
  expect(output).toContain('0117-baseline.sql')
  // The private server listens on a socket alone; another one is a single address.
  expect(callsIn(output)).toEqual([process.env.TEST_DATABASE_URL ? 'TCPCONNECTWRAP' : 'PIPECONNECTWRAP'])
})

const withoutNetwork =
  process.env.TEST_DATABASE_URL === undefined && spawnSync('unshare', ['--net', 'true']).status === 0

test.skipIf(!withoutNetwork)('it works in its own network, which leads nowhere', async () => {
  const { status, stdout, stderr } = spawnSync(
    'unshare',
    ['--net', process.execPath, path.join(import.meta.dirname, '../cli.ts'), 'upgrade', '--check'],
    { env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment(earlier) }, encoding: 'utf8' },
  )
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toBe(await upgrade(earlier, ['--check']))
})

test('a database from before the last version is refused with the commit to go through, by both commands', async () => {
  const list = await listBeforeBaseline()
  await setList(list.slice(0, 40))
  for (const options of [['--check'], []])
    expect(await upgrade(earlier, options, 1)).toContain('start the version tagged v0.1.0-rc (commit b5fd0e28)')
  await setList(list)
})

test('upgrade --check prints what an upgrade would do, and changes nothing', async () => {
  const first = await upgrade(earlier, ['--check'])
  expect(first).toContain('which is at 117')
  expect(about('0117-baseline.sql', first)).toEqual([
    '  takes the place of the migrations before it in the list of what is applied; nothing is executed',
  ])
  expect(await upgrade(earlier, ['--check'])).toBe(first)
  expect(await upgradeProcess(earlier, [])).toBe('The database is up to date.\n')
  expect(await upgrade(earlier, ['--check'])).toContain('Nothing to do.')
})

test('it names the files of functions that have changed', async () => {
  expect(await upgrade(current, ['--check'])).toContain('Nothing to do.')
  await runAsOwner(
    current.ownerUrl,
    `update function_file set checksum = 'other' where name in ('syncs/stop', 'workspaces/all')`,
  )
  const output = await upgrade(current, ['--check'])
  expect(output).toContain('applies 2 files of functions to the database')
  // Replacing a trigger takes a lock.
  expect(about('functions/syncs/stop', output)).toEqual(['  nobody writes, for an instant: connection'])
  expect(about('functions/workspaces/all', output)).toEqual(['  adds only'])
  expect(output).toContain('its processes may run until they are replaced')
  await upgrade(current, [])
  expect(await upgrade(current, ['--check'])).toContain('Nothing to do.')
})

const tables = 'create table note (id int primary key); create table item (id int primary key);'
const functions = 'create function counted() returns bigint language sql as $$ select count(*) from item $$;'
const upgradeOf = (...sql: string[]) =>
  describeUpgrade({
    version: 117,
    applied: `${tables}\n${functions}`,
    adopts: null,
    pending: sql.map((text, at) => ({ name: `0${200 + at}-made-up.sql`, sql: text })),
    functions: [],
  })

test('it says which locks last until their migration ends, and what follows from that', () => {
  const output = upgradeOf(
    'alter table note add column total bigint; update note set total = (select counted());',
    'create index item_id on item (id);',
    'alter table note add column text text;',
    'create table other (id int);',
  )
  expect(output).toContain('applies 4 migrations to the database')
  expect(about('0200-made-up.sql', output)).toEqual(['  nobody reads or writes until the migration ends: note'])
  expect(about('0201-made-up.sql', output)).toEqual(['  nobody writes until the migration ends: item'])
  expect(about('0202-made-up.sql', output)).toEqual(['  nobody reads or writes, for an instant: note'])
  expect(about('0203-made-up.sql', output)).toEqual(['  adds only'])
  expect(output).toContain('its processes may run until they are replaced')
  expect(output).toContain('Calls that need a table which is locked until a migration ends wait for it')
})

test('it says what the version that still runs cannot work with', () => {
  const output = upgradeOf('alter table note drop column id;')
  expect(about('0200-made-up.sql', output)).toEqual([
    '  nobody reads or writes, for an instant: note',
    '  drops the column id of note',
  ])
  expect(output).toContain('Stop every process of the earlier version first')
})
