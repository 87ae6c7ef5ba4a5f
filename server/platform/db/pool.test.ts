import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { silentLog } from '../log/log.ts'
import { duringTests } from '../testing.ts'
import { connect } from './database.ts'
import { openClient } from './guarded-client.ts'
import { type Limits, LONG, ORDINARY, sessionSettings } from './limits.ts'
import { GuardedPool } from './pool.ts'
import { roleProblem } from './roles.ts'
import { withoutWorkspace } from './tenant.ts'
import { proxyTo } from './test-proxy.ts'
import { runAsOwner, testDatabase } from './testing.ts'
import { unavailability } from './unavailable.ts'

const SHORT: Limits = { ...ORDINARY, silence: 300 }

const ends: (() => Promise<void>)[] = []

const fixture = duringTests(() => testDatabase())

const proxy = duringTests(() => proxyTo(fixture.appUrl))
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  proxy.deliver()
})

function pool(url: string, limits: Limits, size = 1): GuardedPool {
  const made = new GuardedPool(url, { size, name: 'test', log: silentLog(), limits, settings: sessionSettings(limits) })
  ends.push(() => made.close())
  return made
}

const outcomeOf = (query: Promise<unknown>) => query.then(() => 'done', unavailability)

test('a transaction and a direct connection have limits for statements, locks and idling', async () => {
  const read = `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
    current_setting('idle_in_transaction_session_timeout') as idle, current_user::text as user`
  const ordinary = { statement: '30s', lock: '15s', idle: '10s', user: 'groundswell_app' }
  const inTransaction = await withoutWorkspace(fixture.db, async (tx) => (await sql.raw(read).execute(tx)).rows)
  expect(inTransaction).toEqual([ordinary])
  expect((await pool(fixture.appUrl, ORDINARY).query(read)).rows).toEqual([ordinary])
  const owner = await openClient(fixture.ownerUrl, 'test', LONG)
  expect((await owner.query(read)).rows).toMatchObject([{ statement: '12h', lock: '1min', idle: '1h' }])
  await owner.end()
})

test('a statement on a connection that falls silent fails, and the next one gets another connection', async () => {
  const one = pool(proxy.url, SHORT)
  // On a busy machine an answer may take longer than this limit.
  const works = () => outcomeOf(one.query('select 1'))
  await expect.poll(works).toBe('done')
  proxy.swallow()
  expect(await works()).toBe('down')
  proxy.deliver()
  await expect.poll(works).toBe('done')
})

test('a statement that takes its time is left alone, and so is an idle connection', async () => {
  const one = pool(fixture.appUrl, { ...SHORT, silence: 5_000 })
  const { rows } = await one.query('select pg_backend_pid() as pid')
  await one.query('select pg_sleep(0.5)')
  expect((await one.query('select pg_backend_pid() as pid')).rows).toEqual(rows)
})

test('after a doubt, idle connections and silent ones are given up, and others are not', async () => {
  const two = pool(proxy.url, ORDINARY, 2)
  const sound = pool(fixture.appUrl, ORDINARY)
  const busy = await sound.connect()
  const { rows } = await busy.query('select pg_backend_pid() as pid')
  await Promise.all([two.query('select pg_sleep(0.1)'), two.query('select pg_sleep(0.1)')])
  proxy.swallow()
  const stuck = outcomeOf(two.query('select 1'))
  for (const doubted of [two, sound]) doubted.doubt()
  await busy.query('select 1')
  expect(await stuck).toBe('down')
  proxy.deliver()
  expect(await outcomeOf(two.query('select 1'))).toBe('done')
  expect((await busy.query('select pg_backend_pid() as pid')).rows).toEqual(rows)
  busy.release()
})

test('a connection to a server that accepts no writes any more is not used again', async () => {
  const one = pool(fixture.ownerUrl, ORDINARY)
  const { rows } = await one.query('select pg_backend_pid() as pid')
  const client = await one.connect()
  await client.query('begin read only')
  expect(await outcomeOf(client.query('create table t ()'))).toBe('read-only')
  await client.query('rollback')
  client.release()
  expect((await one.query('select pg_backend_pid() as pid')).rows).not.toEqual(rows)
})

test('a transaction that could not begin on a dead connection begins on another one', async () => {
  const database = connect({ ownerUrl: fixture.ownerUrl, appUrl: fixture.appUrl }, silentLog(), { poolSize: 1 })
  ends.push(() => database.stop())
  const client = await database.pool.connect()
  const { rows } = await client.query('select pg_backend_pid() as pid')
  client.release()
  await runAsOwner(fixture.ownerUrl, `select pg_terminate_backend(${rows[0].pid})`)
  expect(await withoutWorkspace(database, roleProblem)).toBeNull()
})

test('a process works as its own role or not at all', async () => {
  const asOwner = connect({ ownerUrl: fixture.ownerUrl, appUrl: fixture.ownerUrl }, silentLog())
  ends.push(() => asOwner.stop())
  // Transactions take the role; direct connections must have it.
  expect(await withoutWorkspace(asOwner, roleProblem)).toBeNull()
  await expect(asOwner.requireRole()).rejects.toThrow(/works as \w+ instead of groundswell_app: see "Database roles"/)
  await fixture.db.requireRole()
})
