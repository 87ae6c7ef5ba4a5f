import { describe, expect, it } from 'vitest'
import { authProtocol } from '../../../auth/index.ts'
import { insertVerifiedFactor } from '../../../auth/testing.ts'
import { queryAccounts } from '../../../platform/db/testing.ts'
import { type TestApp, type TestPerson } from '../../../platform/http/testing.ts'
import { proves } from '../../../platform/proves.ts'
import { appOfFile } from '../../../testing.ts'
import { accountRoutes } from '../index.ts'

const PASSWORD = 'a sentence nobody guesses'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

const VISITED = new Date('2026-03-04T10:00:00Z')

const test = appOfFile(
  (services) => ({
    handlers: accountRoutes(services, { previousVisit: async () => null, lastVisit: async () => VISITED }),
    mounts: [authProtocol(services)],
  }),
  { authRateLimits: null },
)

const person = (name: string) => test.person(name, { password: PASSWORD })

async function logIn({ email }: TestPerson, agent = FIREFOX, address = '203.0.113.9') {
  const answer = await test.call('POST', '/api/auth/login', {
    payload: { email, password: PASSWORD },
    headers: { 'user-agent': agent },
    remoteAddress: address,
  })
  return answer.json() as { token: string; refresh_token: string }
}

const me = async (token: string) => (await test.call('GET', '/api/user/user-data', { as: token })).statusCode
const refresh = async (refresh_token: string) =>
  (await test.call('POST', '/auth/v1/token?grant_type=refresh_token', { payload: { refresh_token } })).statusCode
const sessionsOf = async (as: string): Promise<Record<string, unknown>[]> =>
  (await test.call('GET', '/api/account/sessions', { as })).json().sessions

describe('my sign-ins', () => {
  it('are listed with device, address and times, and no one else’s are', async () => {
    const [ann, bo] = [await person('ann'), await person('bo')]
    const { token } = await logIn(ann)
    const sessions = await sessionsOf(token)
    expect(sessions).toHaveLength(2)
    expect(sessions.filter(({ is_this }) => is_this)).toMatchObject([
      { device: 'Firefox on Linux', address: '203.0.113.9', second_factor: false, started_at: expect.any(String) },
    ])
    expect(await sessionsOf(bo.token)).toHaveLength(1)
  })

  it('end one by one, at once and for good; those of others do not', async () => {
    proves('10.4.9')
    const [ann, bo] = [await person('ann2'), await person('bo2')]
    const other = await logIn(ann)
    const [mine] = (await sessionsOf(other.token)).filter(({ is_this }) => is_this)
    const end = (as: string) => test.call('DELETE', `/api/account/sessions/${String(mine?.id)}`, { as })
    expect((await end(bo.token)).statusCode).toBe(404)
    expect(await me(other.token)).toBe(200)
    expect((await end(ann.token)).json()).toEqual({ id: mine?.id })
    expect([await me(other.token), await refresh(other.refresh_token)]).toEqual([401, 400])
    expect((await end(ann.token)).statusCode).toBe(404)
    expect(await me(ann.token)).toBe(200)
  })

  it('end everywhere else, and everywhere', async () => {
    proves('7.4.3')
    const ann = await person('ann3')
    const [one, two] = [await logIn(ann), await logIn(ann)]
    const end = (as: string, scope: string) =>
      test.call('POST', '/api/account/sessions/end', { as, payload: { scope } })
    expect((await end(one.token, 'others')).json()).toEqual({ ended: 2 })
    expect([await me(one.token), await me(two.token), await me(ann.token)]).toEqual([200, 401, 401])
    expect((await end(one.token, 'all')).json()).toEqual({ ended: 1 })
    expect([await me(one.token), await refresh(one.refresh_token)]).toEqual([401, 400])
  })
})

describe('my account', () => {
  const remove = (as: string, payload = {}) => test.call('POST', '/api/account/delete', { as, payload })
  const preview = async (as: string) => (await test.call('GET', '/api/account/deletion', { as })).json()

  it('is deleted only with its password, with everything of a workspace that nobody else owns', async () => {
    proves('7.4.2')
    const ann = await person('goes')
    expect(await preview(ann.token)).toEqual({
      proof: 'password',
      words: expect.stringContaining('The workspace “goes” is deleted with your account'),
      workspaces: [{ name: 'goes', goes: true }],
    })
    const other = await logIn(ann)
    for (const payload of [{}, { password: 'wrong' }, { code: '123456' }]) {
      const refused = await remove(ann.token, payload)
      expect([refused.statusCode, refused.json().code]).toEqual([400, 'proof_refused'])
    }
    expect(await me(ann.token)).toBe(200)
    expect((await remove(ann.token, { password: PASSWORD })).json()).toEqual({ ok: true })
    await expect.poll(() => me(ann.token)).toBe(401)
    expect([await me(other.token), await refresh(other.refresh_token)]).toEqual([401, 400])
    const login = await test.call('POST', '/api/auth/login', { payload: { email: ann.email, password: PASSWORD } })
    expect(login.statusCode).toBe(400)
    expect((await person('goes')).accountId).not.toBe(ann.accountId)
  })

  it('leaves a workspace that has another owner', async () => {
    const [ann, bo] = [await person('leaves'), await person('stays')]
    await own(test, ann.workspaceId, bo.accountId)
    expect(await preview(ann.token)).toMatchObject({
      words: 'Your account and its sessions are deleted. This cannot be undone.',
      workspaces: [{ goes: false }],
    })
    expect((await remove(ann.token, { password: PASSWORD })).statusCode).toBe(200)
    expect((await preview(bo.token)).workspaces).toHaveLength(2)
  })

  it('without a password needs a fresh sign-in', async () => {
    const ann = await person('fresh')
    await queryAccounts(test.services.db, 'update account set password_hash = null where id = $1', [ann.accountId])
    expect((await preview(ann.token)).proof).toBe('recent-sign-in')
    test.time.passMs += 11 * 60_000
    expect((await remove(ann.token)).statusCode).toBe(400)
    test.time.passMs -= 11 * 60_000
    expect((await remove(ann.token)).statusCode).toBe(200)
  })

  it('is exported whole, without hashes and secrets', async () => {
    const ann = await person('exported')
    await logIn(ann)
    await insertVerifiedFactor(test.services, ann.accountId)
    const held = await test.call('GET', '/api/account/export', { as: await logIn(ann).then(({ token }) => token) })
    expect([held.statusCode, held.json().code]).toEqual([403, 'mfa_required'])
    const answer = await test.call('GET', '/api/account/export', { as: ann })
    const data = answer.json()
    expect(data).toMatchObject({
      account: { email: ann.email, name: 'exported', hasPassword: true },
      workspaces: [{ name: 'exported', role: 'owner', last_visit_at: VISITED.toISOString() }],
      second_factors: [{ friendly_name: 'phone', status: 'verified' }],
      identities: [],
    })
    expect(data.sign_ins).toHaveLength(3)
    expect(data.audit_log.map(({ action }: { action: string }) => action)).toContain('session.started')
    for (const secret of ['argon2', 's1.sealed.secret', ann.token]) expect(answer.body).not.toContain(secret)
    const auditEntries = (await test.call('GET', '/api/account/export', { as: ann })).json().audit_log
    expect(auditEntries.at(-1)).toMatchObject({ action: 'account.exported' })
  })
})

async function own(app: TestApp, workspaceId: string, accountId: string): Promise<void> {
  const client = await app.services.db.pool.connect()
  try {
    await client.query('begin')
    await client.query(`select set_config('groundswell.workspace', $1, true)`, [workspaceId])
    await client.query(`insert into member (workspace_id, account_id, role) values ($1, $2, 'owner')`, [
      workspaceId,
      accountId,
    ])
    await client.query('commit')
  } finally {
    client.release()
  }
}
