import { randomUUID } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accountRoutes, createAccount, grantAdmin, revokeAdmin } from '../../features/accounts/index.ts'
import { teamRoutes } from '../../features/team/index.ts'
import { withoutWorkspace } from '../../platform/db/tenant.ts'
import { queryAccounts } from '../../platform/db/testing.ts'
import { type TestApp, testApp } from '../../platform/http/testing.ts'
import { proves } from '../../platform/proves.ts'
import { acceptStep, insertFactor } from '../factors/store.ts'
import { authenticate, authMounts } from '../index.ts'
import { claimsFor, makeProjectKey, type ProjectKey, type ProjectStandIn, signed, startProject } from './testing.ts'

const EMAIL = 'ann@example.com'
const CONFIRMED = { email_confirmed_at: '2026-01-01T00:00:00Z' }

let key: ProjectKey
let project: ProjectStandIn
let test: TestApp

beforeAll(async () => {
  key = await makeProjectKey()
  project = await startProject()
  project.published = [key.publicJwk]
})
afterAll(() => project.stop())

beforeEach(async () => {
  project.replies.clear()
  test = await testApp(
    (services) => ({
      handlers: [...accountRoutes(services), ...teamRoutes(services)],
      mounts: authMounts(services),
      authenticate: authenticate(services),
    }),
    { hostedAuth: { url: project.url, key: 'public', issuer: project.issuer }, authRateLimits: null },
  )
})
afterEach(() => test.cleanup())

type Someone = { sub: string; token: string; session: string }

/** A token of a person of the project; `user`: what the project returns about them. */
async function someone(given: JWTPayload = {}, user: Record<string, unknown> = {}): Promise<Someone> {
  const claims = claimsFor(project, test.services.now(), given)
  const sub = String(claims.sub)
  project.people.set(sub, { email: claims['email'], ...user })
  return { sub, token: await signed(key, claims), session: String(claims['session_id']) }
}

const me = async (as: string) => {
  const answer = await test.call('GET', '/api/user/user-data', { as })
  return { status: answer.statusCode, ...answer.json() }
}
const accountOf = async (as: string): Promise<string> => (await authenticate(test.services)(as))?.accountId ?? ''
const workspaceOf = async (as: string): Promise<string> => (await authenticate(test.services)(as))?.workspaceId ?? ''

describe('an account of a hosted project', () => {
  it('is created on first sign-in with an empty workspace, once, and is new for that session only', async () => {
    const ann = await someone()
    const answers = await Promise.all([me(ann.token), me(ann.token), me(ann.token)])
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 200, name: 'Ann', email: EMAIL, is_admin: false, is_new_user: true })
    }
    const renewed = await someone({ sub: ann.sub, session_id: ann.session, iat: Math.floor(Date.now() / 1_000) + 1 })
    expect(await me(renewed.token)).toMatchObject({ status: 200, is_new_user: true })
    const again = await someone({ sub: ann.sub })
    expect(await me(again.token)).not.toHaveProperty('is_new_user')
    const places = await Promise.all([ann, renewed, again].map(({ token }) => workspaceOf(token)))
    expect(new Set(places).size).toBe(1)
    const { rows } = await queryAccounts(test.services.db, 'select count(*)::int as n from account')
    expect(rows).toEqual([{ n: 1 }])
  })

  it('is known by issuer and subject: the same address elsewhere is another account', async () => {
    proves('6.8.1', '10.3.3')
    const [ann, other] = [await someone({}, CONFIRMED), await someone({}, CONFIRMED)]
    expect([(await me(ann.token)).status, (await me(other.token)).status]).toEqual([200, 200])
    expect(await workspaceOf(ann.token)).not.toBe(await workspaceOf(other.token))
  })

  it('follows the name and the address that the newest token gives, whichever is seen last', async () => {
    const now = Math.floor(Date.now() / 1_000)
    const ann = await someone({ iat: now })
    await me(ann.token)
    const moved = { sub: ann.sub, email: 'new@example.com', user_metadata: { name: 'Ann B.' } }
    const newer = await someone({ ...moved, iat: now + 5 })
    expect(await me(newer.token)).toMatchObject({ name: 'Ann B.', email: 'new@example.com' })
    const older = await someone({ sub: ann.sub, iat: now + 2 })
    expect(await me(older.token)).toMatchObject({ name: 'Ann B.' })
    expect(await accountOf(older.token)).toBe(await accountOf(newer.token))
  })

  it('with a second factor there is not entered by the first alone', async () => {
    proves('6.8.4', '10.3.4')
    const factors = [{ id: randomUUID(), status: 'verified' }]
    const ann = await someone({}, { factors })
    expect(await me(ann.token)).toMatchObject({ status: 403, code: 'mfa_required' })
    const raised = await someone({ sub: ann.sub, session_id: ann.session, aal: 'aal2' }, { factors })
    expect(await me(raised.token)).toMatchObject({ status: 200, email: EMAIL })
    const unproven = await someone({}, { factors: [{ id: randomUUID(), status: 'unverified' }] })
    expect((await me(unproven.token)).status).toBe(200)
  })

  it('is not made for a sign-in that is over there', async () => {
    const ann = await someone()
    project.replies.set('GET /user', { status: 403, body: { code: 'session_not_found', message: 'gone' } })
    expect((await me(ann.token)).status).toBe(401)
    const { rows } = await queryAccounts(test.services.db, 'select count(*)::int as n from account')
    expect(rows).toEqual([{ n: 0 }])
  })

  it('is created as SIGNUP allows: not at all, or for invited people', async () => {
    Object.assign(test.services.config, { signup: 'closed' })
    const ann = await someone({}, { invited_at: '2026-01-01T00:00:00Z' })
    expect(await me(ann.token)).toMatchObject({ status: 403, code: 'signup_closed' })
    Object.assign(test.services.config, { signup: 'invite' })
    expect((await me(ann.token)).status).toBe(200)
    expect(await me((await someone()).token)).toMatchObject({ status: 403, code: 'signup_closed' })
  })

  it('is an admin only by this server’s word, at once', async () => {
    const ann = await someone({ app_metadata: { is_admin: true }, user_metadata: { name: 'Ann', is_admin: true } })
    expect(await me(ann.token)).toMatchObject({ is_admin: false })
    expect(await grantAdmin(test.services, EMAIL)).toBe(true)
    await expect.poll(async () => (await me(ann.token)).is_admin).toBe(true)
    expect(await revokeAdmin(test.services, EMAIL)).toBe(true)
    await expect.poll(async () => (await me(ann.token)).is_admin).toBe(false)
    await me((await someone()).token)
    await expect(grantAdmin(test.services, EMAIL)).rejects.toThrow('Several accounts')
    expect(await grantAdmin(test.services, 'nobody@example.com')).toBe(false)
  })
})

describe('our own account with the same address', () => {
  const own = (more = {}) =>
    createAccount(test.services, { email: EMAIL, name: 'Ann here', password: 'long enough to pass', ...more })

  it('is linked when both sides have verified the address, and keeps its workspace and roles', async () => {
    const { accountId, workspaceId } = await own({ isAdmin: true })
    const ann = await someone({}, CONFIRMED)
    expect(await me(ann.token)).toMatchObject({ status: 200, is_admin: true, name: 'Ann' })
    expect([await accountOf(ann.token), await workspaceOf(ann.token)]).toEqual([accountId, workspaceId])
    expect(await me(ann.token)).not.toHaveProperty('is_new_user')
    const second = await someone({}, CONFIRMED)
    expect(await accountOf(second.token)).not.toBe(accountId)
  })

  it.each([
    ['ours is not confirmed', { confirmed: false }, {}, CONFIRMED, undefined],
    ['theirs is not confirmed', {}, {}, {}, undefined],
    ['they only say so themselves', {}, { user_metadata: { name: 'Ann', email_verified: true } }, {}, undefined],
    ['another address of theirs is confirmed', {}, {}, { ...CONFIRMED, email: 'other@example.com' }, undefined],
    ['their project confirms nothing by mail', {}, {}, CONFIRMED, { mailer_autoconfirm: true }],
    ['their project does not say how it confirms', {}, {}, CONFIRMED, { message: 'none' }],
  ])('is left alone when %s', async (_, mine, claims, user, settings) => {
    proves('6.8.1')
    const { accountId } = await own(mine)
    if (settings) project.replies.set('GET /settings', { status: 200, body: settings })
    const ann = await someone(claims, user)
    expect((await me(ann.token)).status).toBe(200)
    expect(await accountOf(ann.token)).not.toBe(accountId)
  })

  it('is left alone when addresses of ours count as confirmed unseen', async () => {
    const { accountId } = await own()
    Object.assign(test.services.config, { authAutoconfirm: true })
    expect(await accountOf((await someone({}, CONFIRMED)).token)).not.toBe(accountId)
  })

  it('with a second factor is joined by two factors only', async () => {
    const { accountId } = await own()
    await withoutWorkspace(test.services.db.accounts, async (tx) => {
      const [id, at] = [randomUUID(), new Date()]
      await insertFactor(tx, { id, accountId, friendlyName: 'phone', sealedSecret: 's1.sealed.secret', at })
      await acceptStep(tx, id, 1, at)
    })
    const weak = await someone({}, CONFIRMED)
    expect(await accountOf(weak.token)).not.toBe(accountId)
    const strong = await someone({ aal: 'aal2' }, CONFIRMED)
    expect(await accountOf(strong.token)).toBe(accountId)
  })
})

describe('leaving', () => {
  it('ends the sign-in here at once, for every token of it, whether the project answers or not', async () => {
    proves('7.4.1')
    const ann = await someone()
    const other = await someone({ sub: ann.sub })
    await me(ann.token)
    project.replies.set('POST /logout', { status: 500 })
    expect((await test.call('POST', '/api/auth/logout', { as: ann.token })).json()).toEqual({ ok: true })
    expect(project.calls.at(-1)).toBe('POST /logout')
    expect((await me(ann.token)).status).toBe(401)
    const renewed = await someone({ sub: ann.sub, session_id: ann.session })
    expect((await me(renewed.token)).status).toBe(401)
    expect((await me(other.token)).status).toBe(200)
  })

  it('by deletion takes a sign-in of the last ten minutes, and older tokens do not make the account again', async () => {
    const stale = await someone({ amr: [{ method: 'password', timestamp: Math.floor(Date.now() / 1_000) - 700 }] })
    const remove = (as: string) => test.call('POST', '/api/account/delete', { as, payload: {} })
    expect((await remove(stale.token)).json()).toMatchObject({ code: 'proof_refused' })
    const ann = await someone({ sub: stale.sub })
    expect((await test.call('GET', '/api/account/deletion', { as: ann.token })).json()).toMatchObject({
      proof: 'recent-sign-in',
      words: expect.stringContaining('belongs to the hosted service'),
    })
    const exported = (await test.call('GET', '/api/account/export', { as: ann.token })).json()
    expect(exported).toMatchObject({ identities: [{ provider: project.issuer, subject: ann.sub }] })
    const before = await accountOf(ann.token)
    expect((await remove(ann.token)).json()).toEqual({ ok: true })
    expect([(await me(ann.token)).status, (await me(stale.token)).status]).toEqual([401, 401])
    test.time.passMs += 2_000
    const back = await someone({ sub: ann.sub })
    expect(await me(back.token)).toMatchObject({ status: 200, is_new_user: true })
    expect(await accountOf(back.token)).not.toBe(before)
  })
})

describe('a person of a hosted project', () => {
  it('deletes a workspace after a sign-in of the last ten minutes, and goes on in a new one', async () => {
    const stale = await someone({ amr: [{ method: 'password', timestamp: Math.floor(Date.now() / 1_000) - 700 }] })
    const before = await workspaceOf(stale.token)
    const preview = (await test.call('GET', '/api/workspace/deletion', { as: stale.token })).json()
    expect(preview).toMatchObject({ proof: 'recent-sign-in', afterwards: 'new' })
    const remove = async (as: string) =>
      (await test.call('POST', '/api/workspace/delete', { as, payload: { name: preview.name } })).json()
    expect(await remove(stale.token)).toMatchObject({ code: 'proof_refused' })
    const fresh = await someone({ sub: stale.sub })
    expect(await remove(fresh.token)).toEqual({ afterwards: 'new' })
    expect([before, '']).not.toContain(await workspaceOf(fresh.token))
    expect(await workspaceOf(stale.token)).toBe(await workspaceOf(fresh.token))
  })

  it('joins a workspace, switches for all sign-ins, and gets a new one when none is left', async () => {
    const [ann, bo] = [await someone(), await someone({ email: 'bo@example.com' })]
    const [of, own] = [await workspaceOf(ann.token), await workspaceOf(bo.token)]
    const ask = async (method: 'POST' | 'DELETE', url: string, as: string, payload?: object) => {
      const answer = await test.call(method, url, { as, ...(payload ? { payload } : {}) })
      expect([url, answer.statusCode]).toEqual([url, 200])
      return answer.json()
    }
    const { link } = await ask('POST', '/api/team/invitations', ann.token, { role: 'viewer' })
    await ask('POST', '/api/invitations/accept', bo.token, { token: String(link).split('#invitation=')[1] })
    const elsewhere = await someone({ sub: bo.sub, email: 'bo@example.com' })
    expect(await me(elsewhere.token)).toMatchObject({ workspace: { id: of, role: 'viewer', has_others: true } })
    await ask('POST', '/api/workspaces/switch', bo.token, { workspace_id: own })
    expect([await workspaceOf(bo.token), await workspaceOf(elsewhere.token)]).toEqual([own, own])
    await ask('POST', '/api/workspaces/switch', bo.token, { workspace_id: of })
    await ask('DELETE', `/api/team/${await accountOf(bo.token)}`, ann.token)
    expect(await workspaceOf(bo.token)).toBe(own)
    await ask('POST', '/api/invitations/accept', ann.token, {
      token: String((await ask('POST', '/api/team/invitations', bo.token, { role: 'owner' })).link).split(
        '#invitation=',
      )[1],
    })
    await ask('POST', '/api/team/leave', bo.token)
    expect([of, own]).not.toContain(await workspaceOf(bo.token))
    expect(await me(bo.token)).toMatchObject({ workspace: { role: 'owner', has_others: false } })
  })
})
