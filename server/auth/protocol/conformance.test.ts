import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { proves } from '../../platform/proves.ts'
import { serviceToken } from '../keys/service-token.ts'
import { type AuthServer, authServer, clientVersions } from '../testing.ts'

const password = 'correct horse'
const BAD_EMAILS = [
  'nobody',
  'a@',
  '@b.example',
  'a b@c.example',
  'a@b@c.example',
  'a@b..example',
  'a@-b.example',
  'a@b.example\r\nbcc: c@d.example',
]

let server: AuthServer
let key: string
let people = 0

beforeAll(async () => {
  server = await authServer({ authAutoconfirm: true })
  key = await serviceToken(server.services, 1)
})
afterAll(() => server.cleanup())

const newEmail = () => `somebody${++people}@example.com`
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

/** What programs written for Supabase Auth rely on, tested with the official client. */
describe.each(clientVersions)('with the official client %s', (_version, make) => {
  const operator = () => server.client(make, { key }).admin

  it('user metadata is exactly what was sent', async () => {
    for (const data of [undefined, {}, { team: 'blue' }, { name: 'Ann', full_name: 'Ann A.' }]) {
      const client = server.client(make)
      const made = await client.signUp({ email: newEmail(), password, options: data ? { data } : {} })
      expect(made.data.user?.user_metadata).toEqual(data ?? {})
      expect(claimsOf(made.data.session?.access_token ?? '').user_metadata).toEqual(data ?? {})
      expect((await client.getUser()).data.user?.user_metadata).toEqual(data ?? {})
      const user_metadata = data ?? {}
      const managed = await operator().createUser({ email: newEmail(), user_metadata })
      expect(managed.data.user?.user_metadata).toEqual(user_metadata)
    }
  })

  it('an account without a name in its metadata is shown by its address', async () => {
    const { data } = await server.client(make).signUp({ email: newEmail(), password, options: { data: { team: 'x' } } })
    const me = await server.ask('GET', '/api/user/user-data', { token: data.session?.access_token ?? '' })
    expect(await me.json()).toMatchObject({ name: data.user?.email?.split('@')[0] })
  })

  it('app metadata is stored, merged, in the token, and no person can set it', async () => {
    const email = newEmail()
    const app_metadata = { roles: ['editor'], plan: 'large', provider: 'made-up', providers: [] }
    const made = await operator().createUser({ email, password, email_confirm: true, app_metadata })
    const stored = { roles: ['editor'], plan: 'large', provider: 'email', providers: ['email'] }
    expect(made.data.user?.app_metadata).toEqual(stored)
    const id = made.data.user?.id ?? ''
    const changed = await operator().updateUserById(id, { app_metadata: { plan: null, seats: 3 } })
    expect(changed.data.user?.app_metadata).toEqual({
      roles: ['editor'],
      seats: 3,
      provider: 'email',
      providers: ['email'],
    })
    expect((await operator().getUserById(id)).data.user?.app_metadata).toEqual(changed.data.user?.app_metadata)
    const client = server.client(make)
    const { data } = await client.signInWithPassword({ email, password })
    expect(claimsOf(data.session?.access_token ?? '').app_metadata).toEqual(changed.data.user?.app_metadata)
    const own = await server.ask('PUT', '/auth/v1/user', {
      token: data.session?.access_token ?? '',
      body: { app_metadata: { roles: ['owner'] }, data: { colour: 'red' } },
    })
    expect(await own.json()).toMatchObject({ app_metadata: { roles: ['editor'] }, user_metadata: { colour: 'red' } })
    const large = { app_metadata: { text: 'x'.repeat(4_096) } }
    expect((await operator().updateUserById(id, large)).error).toMatchObject({ code: 'validation_failed', status: 400 })
  })

  it('a ban ends every session and refuses new ones', async () => {
    proves('7.4.2')
    const client = server.client(make)
    const email = newEmail()
    const { data } = await client.signUp({ email, password })
    const other = (await server.client(make).signInWithPassword({ email, password })).data.session
    const ban = await operator().updateUserById(data.user?.id ?? '', { ban_duration: '24h' })
    expect(ban.error).toBeNull()
    for (const session of [data.session, other]) {
      const token = session?.access_token ?? ''
      await expect.poll(async () => (await server.ask('GET', '/api/user/user-data', { token })).status).toBe(401)
      const refresh_token = session?.refresh_token ?? ''
      expect((await server.client(make).refreshSession({ refresh_token })).error?.status).toBe(400)
    }
    expect((await client.signInWithPassword({ email, password })).error).toMatchObject({ code: 'user_banned' })
  })

  it('users are listed newest first', async () => {
    const emails = [newEmail(), newEmail(), newEmail()]
    for (const email of emails) expect((await operator().createUser({ email })).error).toBeNull()
    const pages = [1, 2, 3].map(async (page) => (await operator().listUsers({ page, perPage: 1 })).data.users[0]?.email)
    expect(await Promise.all(pages)).toEqual(emails.toReversed())
  })

  it('only an invited user has the time of its invitation', async () => {
    const invited = await operator().inviteUserByEmail(newEmail(), { data: { team: 'red' } })
    expect(invited.data.user).toMatchObject({ invited_at: expect.any(String), user_metadata: { team: 'red' } })
    expect(Math.abs(Date.parse(invited.data.user?.invited_at ?? '') - Date.now())).toBeLessThan(60_000)
    const linked = await operator().generateLink({ type: 'invite', email: newEmail() })
    expect(linked.data.user?.invited_at).toBeDefined()
    expect((await operator().createUser({ email: newEmail() })).data.user).not.toHaveProperty('invited_at')
  })

  it.each(BAD_EMAILS)('an invalid e-mail address is refused everywhere: %s', async (email) => {
    proves('1.3.11')
    const refusal = {
      code: 'validation_failed',
      status: 400,
      message: 'Unable to validate email address: invalid format',
    }
    const client = server.client(make)
    const known = (await client.signUp({ email: newEmail(), password })).data.user?.id ?? ''
    expect((await client.updateUser({ email })).error).toMatchObject(refusal)
    expect((await client.signUp({ email, password })).error).toMatchObject(refusal)
    expect((await operator().createUser({ email, password })).error).toMatchObject(refusal)
    expect((await operator().updateUserById(known, { email })).error).toMatchObject(refusal)
    expect((await operator().inviteUserByEmail(email)).error).toMatchObject(refusal)
    expect((await operator().generateLink({ type: 'signup', email, password })).error).toMatchObject(refusal)
    const own = await server.ask('POST', '/api/auth/signup', { body: { email, password, name: 'A' } })
    expect([own.status, await own.json()]).toMatchObject([400, { code: 'invalid_input', fields: { email: {} } }])
  })

  it('a password that is the account’s own address is refused wherever one is chosen', async () => {
    const refusal = { code: 'weak_password', reasons: ['pwned'] }
    const client = server.client(make)
    const weak = 'Rosalind.Example-2026'
    const email = `rosalind.example${++people}@example.com`
    const own = `x${email}x`
    expect((await client.signUp({ email, password: own })).error).toMatchObject(refusal)
    expect((await operator().createUser({ email, password: own })).error).toMatchObject(refusal)
    const { data } = await client.signUp({ email: `rosalind.example@${++people}.example`, password })
    expect((await client.updateUser({ password: weak })).error).toMatchObject(refusal)
    expect((await operator().updateUserById(data.user?.id ?? '', { password: weak })).error).toMatchObject(refusal)
    const spec = await server.ask('POST', '/api/auth/signup', { body: { email, password: own, name: 'R' } })
    expect([spec.status, await spec.json()]).toMatchObject([400, { code: 'invalid_input' }])
  })

  it('unsupported calls are refused with the protocol’s own codes', async () => {
    const client = server.client(make)
    expect((await client.signInAnonymously()).error).toMatchObject({
      code: 'anonymous_provider_disabled',
      message: 'Anonymous sign-ins are disabled',
    })
    expect((await client.signInWithSSO({ domain: 'company.example' })).error).toMatchObject({
      code: 'saml_provider_disabled',
      status: 404,
      message: 'SAML 2.0 is disabled',
    })
    expect((await client.signInWithIdToken({ provider: 'google', token: 'x.y.z' })).error).toMatchObject({
      code: 'provider_disabled',
      status: 400,
    })
    const sms = { token: '123456', type: 'sms' } as const
    expect((await client.verifyOtp({ ...sms, phone: '15550100123' })).error).toMatchObject({
      code: 'otp_expired',
      status: 403,
      message: 'Token has expired or is invalid',
    })
    expect((await client.verifyOtp({ ...sms, phone: '1555-invalid' })).error).toMatchObject({
      code: 'validation_failed',
      message: 'Invalid phone number format (E.164 required)',
    })
    const { data } = await client.signUp({ email: newEmail(), password })
    const identity = data.user?.identities?.[0]
    if (!identity) throw new Error('an account has its identity')
    const linking = { code: 'manual_linking_disabled', status: 404, message: 'Manual linking is disabled' }
    expect((await client.unlinkIdentity(identity)).error).toMatchObject(linking)
    expect((await client.linkIdentity({ provider: 'google' })).error).toMatchObject(linking)
    const again = await client.signUp({ email: data.user?.email ?? '', password })
    expect(again.error).toMatchObject({ code: 'user_already_exists', message: 'User already registered' })
  })

  it('names a missing and a bad token as the protocol does', async () => {
    const missing = await server.ask('GET', '/auth/v1/user')
    expect(await missing.json()).toMatchObject({ msg: 'This endpoint requires a valid Bearer token' })
    expect((await server.client(make, { key: 'x' }).admin.signOut('bad')).error?.message).toMatch(/^invalid JWT/)
  })
})
