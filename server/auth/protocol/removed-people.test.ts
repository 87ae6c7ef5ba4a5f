import { beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { until } from '../../faults/until.ts'
import { openConnection } from '../../platform/db/testing.ts'
import { duringTests } from '../../platform/testing.ts'
import { authServer } from '../testing.ts'

const PASSWORD = 'a sentence nobody guesses'
const LOCK = 36

let people = 0
let ann: { email: string; token: string }

const server = duringTests(() => authServer({ authRateLimits: null }))

const owner = duringTests(() => openConnection(server.services.db.ownerUrl))

beforeAll(async () => {
  await owner.query(`create function wait() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(${LOCK}); return new; end $$`)
  await owner.query('create trigger wait before insert on one_time_token for each row execute function wait()')
})
beforeEach(async () => {
  people += 1
  const email = `ann${people}@example.com`
  const answer = await server.call('POST', '/api/auth/signup', { payload: { email, name: 'Ann', password: PASSWORD } })
  ann = { email, token: answer.json().token }
})

const reauthenticate = () => server.call('GET', '/auth/v1/reauthenticate', { as: ann.token })
const signIn = () =>
  server.call('POST', '/auth/v1/token?grant_type=password', { payload: { email: ann.email, password: PASSWORD } })

/** Makes every row of a table refer to something that is gone, as if it had been removed just now. */
async function breakRows(table: string, detail: string): Promise<void> {
  await owner.query(`create or replace function break() returns trigger language plpgsql as
    $$ begin raise foreign_key_violation using message = 'broken', detail = '${detail}'; end $$`)
  await owner.query(`create or replace trigger break before insert on ${table} for each row execute function break()`)
  onTestFinished(async () => {
    await owner.query(`drop trigger break on ${table}`)
  })
}

it('a person whose account is deleted while their call runs is refused', async () => {
  await owner.query('select pg_advisory_lock($1)', [LOCK])
  const running = reauthenticate()
  await until('the call to wait', async () => {
    const { rows } = await owner.query<{ n: number }>(
      `select count(*)::int as n from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted`,
    )
    return rows[0]?.n || undefined
  })
  await owner.query('delete from account where email = $1', [ann.email])
  await owner.query('select pg_advisory_unlock($1)', [LOCK])
  const answer = await running
  expect([answer.statusCode, answer.json()]).toMatchObject([403, { error_code: 'user_not_found' }])
})

it.each([
  ['account', 'user_not_found'],
  ['session', 'session_not_found'],
])('a call without a token is refused if its %s is gone by then', async (table, code) => {
  await breakRows('refresh_token', `Key (id)=(1) is not present in table "${table}".`)
  const answer = await signIn()
  expect([answer.statusCode, answer.json()]).toMatchObject([403, { error_code: code }])
})

it('any other broken reference stays a defect', async () => {
  await breakRows('refresh_token', 'Key (id)=(1) is not present in table "workspace".')
  expect((await signIn()).statusCode).toBe(500)
  await breakRows('one_time_token', 'Key (id)=(1) is not present in table "account".')
  expect((await reauthenticate()).statusCode).toBe(500)
})
