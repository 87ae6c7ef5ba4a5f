import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inWorkspace } from '../../platform/db/tenant.ts'
import { queryAccounts } from '../../platform/db/testing.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { type CertifiedProvider, signInAtProvider, startCertifiedProvider } from '../../platform/openid/testing.ts'
import { duringTests } from '../../platform/testing.ts'
import { openSso } from './testing.ts'

const PASSWORD = 'a sentence nobody guesses'

let provider: CertifiedProvider
let ann: TestPerson
let bo: TestPerson
let people = 0

const at = (login: string) => (to: string) => signInAtProvider(to, login)
const rowsOf = async (text: string, values: unknown[] = []) =>
  (await queryAccounts(test.services.db, text, values)).rows

/** Somebody new at the provider. */
function someone(more: { email?: string; emailVerified?: boolean } = {}): { login: string; email: string } {
  people += 1
  const person = { login: `person-${people}`, name: `Person ${people}`, email: `person${people}@acme.example`, ...more }
  provider.people.push(person)
  return person
}

const test = duringTests(() => openSso())

beforeAll(async () => {
  ann = await test.person('ann', { password: PASSWORD })
  bo = await test.person('bo', { password: PASSWORD })
  const back = ({ workspaceId }: TestPerson) => `${test.url}/api/sso/${workspaceId}/callback`
  provider = await startCertifiedProvider([back(ann), back(bo)])
  await test.open(ann, provider, at(someone().login))
})
afterAll(() => provider.stop())

describe('somebody new', () => {
  it('whose address is in a domain of the workspace gets an account there, and the same one the next time', async () => {
    const { login, email } = someone()
    const first = await test.signIn(ann.workspaceId, at(login))
    expect(`${first.url.origin}${first.url.pathname}`).toBe(`${test.url}/api/auth/oauth-callback`)
    const { body } = await test.who(first.token ?? '')
    expect(body).toMatchObject({ email, is_new_user: true, is_admin: false })
    expect(body.workspace).toMatchObject({ id: ann.workspaceId, role: 'member', has_others: false })
    const second = await test.signIn(ann.workspaceId, at(login))
    expect((await test.who(second.token ?? '')).body).toMatchObject({ email })
    expect((await test.who(second.token ?? '')).body).not.toHaveProperty('is_new_user')
    const identities = await rowsOf('select provider, subject from identity where email = $1', [email])
    expect(identities).toEqual([{ provider: `sso:${provider.issuer}/`, subject: login }])
    const accounts = await rowsOf('select email_proven_at, is_admin, password_hash from account where email = $1', [
      email,
    ])
    expect(accounts).toEqual([{ email_proven_at: null, is_admin: false, password_hash: null }])
  })

  it('is made once by two browsers at the same moment', async () => {
    const { login, email } = someone()
    const both = await Promise.all([1, 2].map(() => test.signIn(ann.workspaceId, at(login))))
    expect(both.map(({ token }) => typeof token)).toEqual(['string', 'string'])
    expect(await rowsOf('select 1 as one from account where email = $1', [email])).toHaveLength(1)
  })

  it.each([
    ['of another domain', { email: 'una@elsewhere.example' }, 'Nobody with your e-mail address may join'],
    ['of a domain that ends in the same way', { email: 'una@notacme.example' }, 'Nobody with your e-mail address'],
    ['whose address the provider has not verified', { emailVerified: false }, 'has not verified your e-mail address'],
  ])('%s does not get in', async (_who, more, words) => {
    const ended = await test.signIn(ann.workspaceId, at(someone(more).login))
    expect([ended.token, ended.words]).toEqual([undefined, expect.stringContaining(words)])
  })

  it('does not get an account where sign-up is closed', async () => {
    test.services.config.signup = 'closed'
    const ended = await test.signIn(ann.workspaceId, at(someone().login)).finally(() => {
      test.services.config.signup = 'open'
    })
    expect([ended.token, ended.words]).toEqual([undefined, expect.stringContaining('New accounts cannot be made')])
  })
})

describe('an account that is there already', () => {
  it('is not opened by its e-mail address: its person links it first', async () => {
    const carla = await test.person('carla', { password: PASSWORD })
    await rowsOf("update account set email = 'carla@acme.example', email_proven_at = now() where id = $1", [
      carla.accountId,
    ])
    const { login } = someone({ email: 'carla@acme.example' })
    const ended = await test.signIn(ann.workspaceId, at(login))
    expect([ended.token, ended.words]).toEqual([
      undefined,
      expect.stringContaining('Log in to it as before, then link it'),
    ])
    expect(await rowsOf('select 1 as one from identity where subject = $1', [login])).toEqual([])
    await test.join(carla, 'viewer', ann)
    const linked = await test.link(carla, at(login))
    expect((await test.who(linked.token ?? '')).body).toMatchObject({ email: 'carla@acme.example' })
    const again = await test.signIn(ann.workspaceId, at(login))
    const { workspace } = (await test.who(again.token ?? '')).body
    expect(workspace).toMatchObject({ id: ann.workspaceId, role: 'viewer' })
  })

  it('is linked to one person, and a person to one account', async () => {
    const [dan, eve] = [
      await test.person('dan', { password: PASSWORD }),
      await test.person('eve', { password: PASSWORD }),
    ]
    await test.join(dan, 'member', ann)
    await test.join(eve, 'member', ann)
    const [one, other] = [someone(), someone()]
    expect((await test.link(dan, at(one.login))).token).toBeDefined()
    expect((await test.link(eve, at(one.login))).words).toContain('linked to another account')
    expect((await test.link(dan, at(other.login))).words).toContain('linked to another person')
    // Some providers use a different subject for each client.
    await rowsOf(`update identity set data = data || '{"client_id": "another"}' where subject = $1`, [one.login])
    expect((await test.link(dan, at(other.login))).token).toBeDefined()
  })

  it('is linked only in a session that began a moment ago', async () => {
    const finn = await test.person('finn', { password: PASSWORD })
    await test.join(finn, 'member', ann)
    test.time.passMs = 11 * 60_000
    const { status, body } = await test.ask('POST', '/api/account/single-sign-on', finn)
    test.time.passMs = 0
    expect([status, body.code]).toEqual([403, 'reauthentication_needed'])
  })

  it('is not linked by a link that was started before the person logged out everywhere', async () => {
    const ida = await test.person('ida', { password: PASSWORD })
    await test.join(ida, 'member', ann)
    const started = await test.ask('POST', '/api/account/single-sign-on', ida)
    expect((await test.ask('POST', '/api/account/sessions/end', ida, { scope: 'all' })).status).toBe(200)
    const back = await at(someone().login)(started.body.url)
    expect((await test.comeBack(back, started.cookie)).words).toContain('is unknown here')
    const again = await test.logIn(ida.email, PASSWORD)
    expect((await test.link(again, at(someone().login))).token).toBeDefined()
  })

  it('that is banned is not linked, and the audit log does not say so', async () => {
    const max = await test.person('max', { password: PASSWORD })
    await test.join(max, 'member', ann)
    const { body, cookie } = await test.ask('POST', '/api/account/single-sign-on', max)
    await rowsOf("update account set banned_until = now() + interval '1 day' where id = $1", [max.accountId])
    const { login } = someone()
    const since = test.services.now()
    expect((await test.comeBack(await at(login)(body.url), cookie)).words).toContain('may not sign in')
    expect(await rowsOf('select 1 as one from identity where subject = $1', [login])).toEqual([])
    const { rows } = await inWorkspace(test.services.db, ann.workspaceId, (tx) =>
      sql`select action from audit_event where account_id = ${max.accountId} and at >= ${since}`.execute(tx),
    )
    expect(rows).toEqual([{ action: 'session.refused' }])
  })

  it('that is banned stays out', async () => {
    const { login, email } = someone()
    await test.signIn(ann.workspaceId, at(login))
    await rowsOf("update account set banned_until = now() + interval '1 day' where email = $1", [email])
    expect((await test.signIn(ann.workspaceId, at(login))).words).toContain('may not sign in')
  })
})

describe('two workspaces', () => {
  it('know a person by issuer and subject, and neither lets them in for being in the other', async () => {
    await test.open(bo, provider, at(someone().login), { domains: [] })
    const { login } = someone()
    const inAnns = await test.signIn(ann.workspaceId, at(login))
    expect(inAnns.token).toBeDefined()
    expect((await test.signIn(bo.workspaceId, at(login))).words).toContain('You are not in this workspace')
    // Another spelling of the same issuer.
    await test.save(bo, provider, { issuer: `${provider.issuer}/`, client_secret: undefined, default_role: 'viewer' })
    const inBos = await test.signIn(bo.workspaceId, at(login))
    const [one, other] = [await test.who(inAnns.token ?? ''), await test.who(inBos.token ?? '')]
    expect(one.body.email).toBe(other.body.email)
    expect([one.body.workspace.id, other.body.workspace.id]).toEqual([ann.workspaceId, bo.workspaceId])
    expect(other.body.workspace.role).toBe('viewer')
  })

  it('have providers that use the same subject for different people', async () => {
    const mine = `${test.url}/api/sso/${bo.workspaceId}/callback`
    const second = await startCertifiedProvider([mine])
    const { login, email } = someone()
    await test.signIn(ann.workspaceId, at(login))
    second.people.push({ login, name: 'Somebody else', email: 'else@acme.example' })
    await test.open(bo, second, at(login), { domains: ['acme.example'] })
    const ended = await test.signIn(bo.workspaceId, at(login))
    expect((await test.who(ended.token ?? '')).body.email).toBe('else@acme.example')
    expect(await rowsOf('select count(*)::int as count from identity where subject = $1', [login])).toEqual([
      { count: 2 },
    ])
    expect(email).not.toBe('else@acme.example')
    await second.stop()
  })
})

describe('a session of single sign-on', () => {
  const opened = async () => (await test.signIn(ann.workspaceId, at(someone().login))).token ?? ''

  it('acts in its workspace and nowhere else', async () => {
    const gus = await test.person('gus', { password: PASSWORD })
    await test.join(gus, 'member', ann)
    const { token = '' } = await test.link(gus, at(someone().login))
    expect((await test.ask('POST', '/api/workspaces/switch', token, { workspace_id: gus.workspaceId })).status).toBe(
      403,
    )
    const { body } = await test.ask('GET', '/api/workspaces', token)
    expect(body.workspaces.map(({ id }: { id: string }) => id)).toEqual([ann.workspaceId])
    expect((await test.ask('GET', '/api/account/export', token)).status).toBe(403)
  })

  it('changes nothing of the account: a provider cannot take it over', async () => {
    const token = await opened()
    const password = await test.ask('PUT', '/auth/v1/user', token, { password: 'another sentence to remember' })
    expect([password.status, password.body.error_code]).toEqual([422, 'user_sso_managed'])
    expect((await test.ask('POST', '/auth/v1/factors', token, { factor_type: 'totp' })).status).toBe(422)
    expect((await test.ask('POST', '/api/account/delete', token, {})).status).toBe(403)
    expect((await test.ask('POST', '/api/account/sessions/end', token, { scope: 'all' })).status).toBe(403)
    expect((await test.ask('POST', '/auth/v1/logout?scope=others', token)).status).toBe(422)
    expect((await test.ask('GET', '/auth/v1/user', token)).status).toBe(200)
  })

  it('ends alone, whatever else the person is signed in to', async () => {
    const hal = await test.person('hal', { password: PASSWORD })
    await test.join(hal, 'member', ann)
    const { token = '' } = await test.link(hal, at(someone().login))
    expect((await test.call('POST', '/auth/v1/logout?scope=global', { as: token })).statusCode).toBe(204)
    expect((await test.who(token)).status).toBe(401)
    expect((await test.who(hal)).status).toBe(200)
  })

  it('makes nobody an admin', async () => {
    const { login, email } = someone()
    await test.signIn(ann.workspaceId, at(login))
    await rowsOf('update account set is_admin = true where email = $1', [email])
    const { token = '' } = await test.signIn(ann.workspaceId, at(login))
    expect((await test.who(token)).body.is_admin).toBe(false)
  })

  it('is renewed as one, and ends after a day', async () => {
    const { refreshToken: refresh_token } = await test.signIn(ann.workspaceId, at(someone().login))
    const renewed = await test.ask('POST', '/auth/v1/token?grant_type=refresh_token', '', { refresh_token })
    expect((await test.ask('GET', '/api/account/export', renewed.body.access_token)).status).toBe(403)
    test.time.passMs = 25 * 3_600_000
    const later = await test.ask('POST', '/auth/v1/token?grant_type=refresh_token', '', {
      refresh_token: renewed.body.refresh_token,
    })
    test.time.passMs = 0
    expect([later.status, later.body.error_code]).toEqual([400, 'session_expired'])
  })
})
