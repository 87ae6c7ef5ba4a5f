import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { lockMembers } from '../../features/workspaces/index.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import { queryAccounts } from '../../platform/db/testing.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { signInAtProvider, startCertifiedProvider } from '../../platform/openid/testing.ts'
import { type Key, keyFrom } from '../../platform/secrets/seal.ts'
import { duringTests } from '../../platform/testing.ts'
import { resealProviders } from './reseal.ts'
import { openSso } from './testing.ts'

const PASSWORD = 'a sentence nobody guesses'
const PATH = '/api/team/single-sign-on'
const WELL_KNOWN = '/.well-known/openid-configuration'

let people = 0

const as = (login: string) => (to: string) => signInAtProvider(to, login)

/** The rows of a workspace in a table. */
function rowsIn({ workspaceId }: TestPerson, table: string): Promise<Record<string, unknown>[]> {
  return inWorkspace(test.services.db.accounts, workspaceId, async (tx) => {
    const { rows } = await sql<Record<string, unknown>>`
      select * from ${sql.table(table)} where workspace_id = ${workspaceId}`.execute(tx)
    return rows
  })
}

async function person(name = 'person'): Promise<TestPerson> {
  people += 1
  return test.person(`${name}-${people}`, { password: PASSWORD })
}

/** A person at the provider, who may join. */
function someone(): string {
  people += 1
  const login = `login-${people}`
  provider.people.push({ login, name: 'Someone', email: `${login}@acme.example` })
  return login
}

/** Until the answer waits for the lock of members that this transaction holds. Throws when it does not. */
async function untilWaiting(tx: Tx, answer: Promise<unknown>): Promise<void> {
  let isWaiting = true
  void answer.finally(() => {
    isWaiting = false
  })
  while (isWaiting) {
    const { rows } = await sql`
      select 1 from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`.execute(tx)
    if (rows.length > 0) return
    await sleep(20)
  }
  throw new Error('answered without the lock')
}

/** A workspace whose single sign-on is on, with a member who is linked. */
async function opened() {
  const owner = await person('owner')
  const member = await person('member')
  const own = await startCertifiedProvider([`${test.url}/api/sso/${owner.workspaceId}/callback`], provider.people)
  const login = someone()
  await test.open(owner, own, as(login))
  await test.join(member, 'member', owner)
  return { owner, member, login, app: own, [Symbol.asyncDispose]: () => own.stop() }
}

const test = duringTests(() => openSso())
const provider = duringTests(() => startCertifiedProvider([`${test.url}/callback`]))

describe('the settings', () => {
  it('are an owner’s: others see whether it is on, and nobody the secret', async () => {
    await using place = await opened()
    const { owner, member, app } = place
    const shown = await test.ask('GET', PATH, owner)
    expect(shown.body).toMatchObject({
      enabled: true,
      required: false,
      linked: false,
      sign_in_link: `${test.url}/api/sso/${owner.workspaceId}`,
      redirect_uri: `${test.url}/api/sso/${owner.workspaceId}/callback`,
      settings: { issuer: app.issuer, client_id: 'groundswell', domains: ['acme.example'], default_role: 'member' },
    })
    const members = await test.ask('GET', PATH, member)
    expect(members.body).toMatchObject({ enabled: true, settings: null })
    const stored = await rowsIn(owner, 'sso_provider')
    expect(stored).toHaveLength(1)
    for (const text of [shown, members, stored]) expect(JSON.stringify(text)).not.toContain(app.clientSecret)
    const refused = [
      test.save(member, app),
      test.change(member, true, true),
      test.ask('DELETE', PATH, member),
      test.ask('POST', `${PATH}/test`, member),
    ]
    expect((await Promise.all(refused)).map(({ status }) => status)).toEqual([403, 403, 403, 403])
  })

  it.each([
    ['an http address', { issuer: 'http://idp.example' }, 'issuer'],
    ['no address', { issuer: 'idp.example' }, 'issuer'],
    ['an address with a password', { issuer: 'https://a:b@idp.example' }, 'issuer'],
    ['the address of what a provider announces', { issuer: `https://accounts.google.com${WELL_KNOWN}` }, 'issuer'],
    ['every organisation at Entra ID', { issuer: 'https://login.microsoftonline.com/common/v2.0' }, 'issuer'],
    ['the same in another spelling', { issuer: 'https://login.microsoftonline.com/Organizations/v2.0/' }, 'issuer'],
    ['every personal account at Microsoft', { issuer: 'https://login.microsoftonline.com/consumers/v2.0' }, 'issuer'],
    ['a private address', { issuer: 'https://10.0.0.7' }, 'issuer'],
    ['the metadata of a cloud', { issuer: 'https://169.254.169.254' }, 'issuer'],
    ['this machine under another address', { issuer: 'https://[::1]:9' }, 'issuer'],
    ['plain http on a machine that the operator does not list', { issuer: 'http://localhost:9' }, 'issuer'],
    ['a name within a network', { issuer: 'https://idp' }, 'issuer'],
    ['a name with a private end', { issuer: 'https://login.corp.internal' }, 'issuer'],
    ['a domain where anyone gets an address', { domains: ['gmail.com'] }, 'domains'],
    ['no secret', { client_secret: undefined }, 'client_secret'],
    ['the role of an owner', { default_role: 'owner' }, 'default_role'],
  ])('refuse %s', async (_what, more, field) => {
    const { status, body } = await test.save(
      await person(),
      { issuer: 'https://idp.example', clientId: 'a', clientSecret: 'b' },
      more,
    )
    expect([status, Object.keys(body.fields ?? {})]).toEqual([400, [field]])
  })

  it('have to be tested before they are turned on, and again with another provider', async () => {
    await using place = await opened()
    const { owner, login, app } = place
    expect((await test.save(owner, app, { client_id: 'another' })).body.settings.tested_at).toBeNull()
    expect((await test.ask('GET', PATH, owner)).body.enabled).toBe(false)
    expect((await test.change(owner, true)).status).toBe(409)
    await test.save(owner, app)
    expect((await test.change(owner, true)).status).toBe(409)
    expect(await test.tryOut(owner, as(login))).toContain('The test succeeded')
    expect((await test.change(owner, true)).status).toBe(200)
  })

  it('that change while a test ends are not tested by it', async () => {
    await using place = await opened()
    const { owner, login, app } = place
    const { body, cookie } = await test.ask('POST', `${PATH}/test`, owner)
    const back = await as(login)(body.url)
    const { ended } = await inWorkspace(test.services.db.accounts, owner.workspaceId, async (tx) => {
      await lockMembers(tx, owner.workspaceId)
      const answer = fetch(back, { redirect: 'manual', headers: { cookie } })
      await untilWaiting(tx, answer)
      await sql`update sso_provider set client_id = 'another', tested_at = null, changed_at = changed_at + interval '1 hour'`.execute(
        tx,
      )
      return { ended: answer }
    })
    expect(await (await ended).text()).toContain('changed in the meantime')
    expect((await test.ask('GET', PATH, owner)).body.settings).toMatchObject({ client_id: 'another', tested_at: null })
    expect((await test.save(owner, app)).status).toBe(200)
  })

  it('are replaced without a moment in which nobody gets in, when only the secret changes', async () => {
    await using place = await opened()
    const { owner, login, app } = place
    await test.change(owner, true, true)
    await test.save(owner, app, { client_secret: 'a new one that is wrong' })
    expect((await test.ask('GET', PATH, owner)).body).toMatchObject({ enabled: true, required: true })
    expect((await test.signIn(owner.workspaceId, as(login))).token).toBeUndefined()
    await test.save(owner, app)
    expect((await test.signIn(owner.workspaceId, as(login))).token).toBeDefined()
    expect((await test.save(owner, app, { client_id: 'another' })).status).toBe(409)
  })

  it('that change while somebody is at the provider end that sign-in', async () => {
    await using place = await opened()
    const { owner, login, app } = place
    const { to, cookie } = await test.begin(owner.workspaceId)
    const back = await as(login)(to)
    await test.save(owner, app)
    expect((await test.comeBack(back, cookie)).words).toContain('changed in the meantime')
  })

  it('are in the audit log, with sign-ins and those who were refused', async () => {
    await using place = await opened()
    const { owner, login } = place
    await test.signIn(owner.workspaceId, as(login))
    const actions = await rowsIn(owner, 'audit_event')
    const named = actions.map(({ action }) => action)
    for (const action of ['sso.saved', 'sso.tested', 'sso.switched', 'member.joined_by_sso', 'account.created']) {
      expect(named).toContain(action)
    }
    expect(actions).toContainEqual(
      expect.objectContaining({ action: 'session.started', detail: expect.objectContaining({ method: 'sso' }) }),
    )
  })
})

describe('required single sign-on', () => {
  it('refuses other sessions in this workspace, with the address to sign in at, and no other workspace', async () => {
    await using place = await opened()
    const { owner, member } = place
    const key = await test.ask('POST', '/api/keys', member, {
      name: 'a program',
      scopes: ['read'],
      expires_in_days: 30,
    })
    expect((await test.change(owner, true, true)).status).toBe(200)
    const refused = await test.who(member)
    expect([refused.status, refused.body.code]).toEqual([403, 'sso_required'])
    expect(refused.body.message).toContain(`${test.url}/api/sso/${owner.workspaceId}`)
    expect((await test.team(member)).status).toBe(403)
    expect((await test.team(owner)).status).toBe(200)
    // The next session begins in a workspace that it can reach, and may not enter this one.
    const token = await test.logIn(member.email, PASSWORD)
    expect((await test.who(token)).body.workspace.id).toBe(member.workspaceId)
    const entered = await test.ask('POST', '/api/workspaces/switch', token, { workspace_id: owner.workspaceId })
    expect([entered.status, entered.body.message]).toEqual([409, expect.stringContaining('/api/sso/')])
    expect((await test.ask('GET', '/api/account/export', member)).status).toBe(200)
    // Programs keep working: their keys are revoked individually, or with the membership.
    expect((await test.ask('GET', '/api/insights/get-all', key.body.token)).status).toBe(200)
    expect((await test.ask('GET', '/api/insights/get-all', member)).body.code).toBe('sso_required')
  })

  it('lets the same person in by the provider, once they linked it', async () => {
    await using place = await opened()
    const { owner, member } = place
    await test.change(owner, true, true)
    const { token = '' } = await test.link(member, as(someone()))
    expect((await test.who(token)).body).toMatchObject({ email: member.email, workspace: { id: owner.workspaceId } })
  })

  it('lets everyone in again when it is not required any more', async () => {
    await using place = await opened()
    const { owner, member } = place
    await test.change(owner, true, true)
    expect((await test.team(member)).status).toBe(403)
    await test.change(owner, true, false)
    expect((await test.team(member)).status).toBe(200)
  })

  it('ends for a person who becomes an owner, and begins for one who is no owner any more', async () => {
    await using place = await opened()
    const { owner, member } = place
    await test.change(owner, true, true)
    const role = (to: string) => test.ask('PUT', `/api/team/${member.accountId}/role`, owner, { role: to })
    await role('owner')
    expect((await test.team(member)).status).toBe(200)
    await role('member')
    expect((await test.team(member)).status).toBe(403)
  })

  it('keeps an owner who can sign in without the provider', async () => {
    await using place = await opened()
    const { owner, login } = place
    const { token = '' } = await test.signIn(owner.workspaceId, as(login))
    const { account_id: id } = (await test.team(owner)).body.members.find(
      ({ email }: { email: string }) => email === `${login}@acme.example`,
    )
    await test.ask('PUT', `/api/team/${id}/role`, owner, { role: 'owner' })
    await test.change(owner, true, true)
    const last = await Promise.all([
      test.ask('POST', '/api/team/leave', owner),
      test.ask('PUT', `/api/team/${owner.accountId}/role`, token, { role: 'member' }),
      test.ask('DELETE', `/api/team/${owner.accountId}`, token),
      test.ask('POST', `/api/team/${id}/transfer`, owner),
      test.ask('POST', '/api/account/delete', owner, { password: PASSWORD }),
    ])
    expect(last.map(({ status }) => status)).toEqual([409, 409, 409, 409, 409])
    await test.change(owner, true, false)
    expect((await test.ask('POST', `/api/team/${id}/transfer`, owner)).status).toBe(200)
    expect((await test.change(token, true, true)).status).toBe(409)
  })
})

describe('single sign-on that is turned off or removed', () => {
  it('ends its sessions, and lets nobody in any more', async () => {
    await using place = await opened()
    const { owner, login, member } = place
    const { token = '' } = await test.signIn(owner.workspaceId, as(login))
    await test.change(owner, false)
    expect((await test.who(token)).status).toBe(401)
    expect((await test.signIn(owner.workspaceId, as(login)).catch(() => null))?.token).toBeUndefined()
    await test.change(owner, true, true)
    expect((await test.ask('DELETE', PATH, owner)).status).toBe(200)
    expect((await test.team(member)).status).toBe(200)
    expect((await test.ask('GET', PATH, owner)).body).toMatchObject({ enabled: false, required: false, settings: null })
    const { to } = await test.begin(owner.workspaceId)
    expect(new URL(to).searchParams.get('error_description')).toContain('is not turned on')
    expect((await test.ask('DELETE', PATH, owner)).status).toBe(404)
  })
})

describe('a workspace that requires single sign-on', () => {
  const preview = (token: string) => test.ask('GET', '/api/workspace/deletion', token)
  const remove = (who: string, payload: object) => test.ask('POST', '/api/workspace/delete', who, payload)

  it('is deleted by an owner who signs in with a password', async () => {
    await using place = await opened()
    const { owner, login, member } = place
    await test.change(owner, true, true)
    expect((await remove(member.token, { name: owner.name, password: PASSWORD })).status).toBe(403)
    const deleted = await remove(owner.token, { name: owner.name, password: PASSWORD })
    expect([deleted.status, deleted.body]).toEqual([200, { afterwards: 'new' }])
    expect((await test.who(member)).status).toBe(401)
    expect((await test.signIn(owner.workspaceId, as(login)).catch(() => null))?.token).toBeUndefined()
  })

  it('is deleted by an owner whom it signed in itself: the session ends with it, the account stays', async () => {
    await using place = await opened()
    const { owner } = place
    const login = someone()
    const first = await test.signIn(owner.workspaceId, as(login))
    const { account_id: id, email } = (await test.who(first.token ?? '')).body
    await test.ask('PUT', `/api/team/${id}/role`, owner, { role: 'owner' })
    await test.change(owner, true, true)
    const { token = '' } = await test.signIn(owner.workspaceId, as(login))
    expect((await preview(token)).body).toMatchObject({ proof: 'recent-sign-in', afterwards: 'sign-in', others: 2 })
    expect((await remove(token, { name: 'another' })).body.code).toBe('invalid_input')
    const deleted = await remove(token, { name: owner.name })
    expect([deleted.status, deleted.body]).toEqual([200, { afterwards: 'sign-in' }])
    expect([(await test.who(token)).status, (await test.who(owner)).status]).toEqual([401, 401])
    const { rows } = await queryAccounts(test.services.db, 'select email from account where id = $1', [id])
    expect(rows).toEqual([{ email }])
  })
})

it('keeps its secret when the sealing key changes', async () => {
  await using place = await opened()
  const { owner, login } = place
  const { services } = test
  const before = services.key
  const after = keyFrom(randomBytes(32))
  const opening = (key: Key, other: Key): Key => ({ ...key, find: (id) => (id === other.id ? other.bytes : null) })
  expect((await resealProviders({ ...services, key: opening(after, before) })).lost).toBe(0)
  expect((await test.signIn(owner.workspaceId, as(login)).catch(() => null))?.token).toBeUndefined()
  const { sealed, lost } = await resealProviders({ ...services, key: opening(before, after) })
  expect([sealed > 0, lost]).toEqual([true, 0])
  expect((await test.signIn(owner.workspaceId, as(login))).token).toBeDefined()
})

it('is not offered where a hosted project signs people in', async () => {
  const owner = await person()
  const { config } = test.services
  config.hostedAuth = { issuer: 'https://project.example' } as unknown as NonNullable<typeof config.hostedAuth>
  const saved = await test.save(owner, provider)
  delete config.hostedAuth
  expect([saved.status, saved.body.code]).toEqual([422, 'not_configured'])
})
