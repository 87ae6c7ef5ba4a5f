import { spawnSync } from 'node:child_process'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Child } from '../faults/child.ts'
import { type TestDatabase, testDatabase } from '../platform/db/testing.ts'

const migrations = path.join(import.meta.dirname, '../migrations')
const folders: string[] = []
const databases: TestDatabase[] = []
let earlier: TestDatabase

/** A database as the versions before a migration left it. */
async function databaseBefore(migration: string): Promise<TestDatabase> {
  const folder = await mkdtemp(path.join(tmpdir(), 'groundswell-earlier-'))
  folders.push(folder)
  for (const name of (await readdir(migrations)).filter((one) => one < migration))
    await cp(path.join(migrations, name), path.join(folder, name))
  const database = await testDatabase({ migrations: folder })
  databases.push(database)
  return database
}

beforeAll(async () => {
  earlier = await databaseBefore('0040')
})
afterAll(async () => {
  for (const database of databases) await database.cleanup()
  for (const folder of folders) await rm(folder, { recursive: true })
})

const environment = (database: TestDatabase) => ({
  DATABASE_URL: database.ownerUrl,
  GROUNDSWELL_DATA: database.config.dataDir,
})

async function upgrade(database: TestDatabase, options: string[], flags: string[] = []): Promise<string> {
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

test('upgrade --check prints what an upgrade would do, and changes nothing', async () => {
  const database = await databaseBefore('0017')
  const first = await upgrade(database, ['--check'])
  expect(first).toContain('which is at 16')
  expect(about('0017-sync-state.sql', first)).toContain('  drops the column status of connection')
  expect(first).toContain('Stop every process of the earlier version first')
  expect(await upgrade(database, ['--check'])).toBe(first)
  expect(await upgrade(database, [])).toBe('The database is up to date.\n')
  expect(await upgrade(database, ['--check'])).toContain('Nothing to do.')
})

test('it says which locks last until their migration ends, and what follows from that', async () => {
  const output = await upgrade(earlier, ['--check'])
  // Counts all mentions after it has locked them.
  expect(about('0041-mention-counts.sql', output)).toEqual([
    '  nobody reads or writes until the migration ends: feedback_item, statement',
  ])
  expect(about('0060-visits.sql', output)).toEqual([
    '  nobody writes until the migration ends: account, workspace',
    '  nobody reads or writes until the migration ends: feedback_item, insight, insight_event, statement',
  ])
  expect(about('0061-newest-arrival.sql', output)).toEqual(['  nobody writes until the migration ends: statement'])
  expect(about('0072-saved-views.sql', output)).toEqual([
    '  nobody writes until the migration ends: member',
    '  nobody reads or writes until the migration ends: feedback_item, mention_change, shared_link, statement',
  ])
  // Only changes the catalogue.
  expect(about('0065-api-keys.sql', output)).toEqual(['  nobody writes, for an instant: member'])
  expect(output).toContain('its processes may run until they are replaced')
  expect(output).toContain('Calls that need a table which is locked until a migration ends wait for it')
})

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

  const output = await upgrade(earlier, ['--check'], ['--import', REPORTING])
  expect(output).toContain('0041-mention-counts.sql')
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
