import { describe, expect, it } from 'vitest'
import { proves } from '../../platform/proves.ts'
import { duringTests } from '../../platform/testing.ts'
import { authServer, clientVersions } from '../testing.ts'

const password = 'correct horse'

let people = 0

const server = duringTests(() => authServer())

const newEmail = () => `person${++people}@example.com`

describe.each(clientVersions)('the official client %s', (_version, make) => {
  const signedUp = async () => {
    const client = server.client(make)
    const email = newEmail()
    const { data, error } = await client.signUp({ email, password, options: { data: { name: 'Ann', team: 'blue' } } })
    if (error || !data.session || !data.user) throw new Error('nobody was signed up', { cause: error })
    return { client, email, session: data.session, user: data.user }
  }

  it('signs up, and the session has all that it should', async () => {
    const { email, session, user } = await signedUp()
    expect(user).toMatchObject({
      aud: 'authenticated',
      role: 'authenticated',
      email,
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: { name: 'Ann', team: 'blue' },
      is_anonymous: false,
    })
    expect(user.identities).toHaveLength(1)
    expect(user.identities?.[0]).toMatchObject({ provider: 'email', user_id: user.id, identity_data: { email } })
    expect(session).toMatchObject({ token_type: 'bearer', expires_in: 3_600 })
    expect((session.expires_at ?? 0) - Date.now() / 1_000).toBeGreaterThan(3_500)
    const claims = JSON.parse(Buffer.from(session.access_token.split('.')[1] ?? '', 'base64url').toString())
    expect(claims).toMatchObject({
      sub: user.id,
      aud: 'authenticated',
      role: 'authenticated',
      email,
      aal: 'aal1',
      amr: [{ method: 'password', timestamp: expect.any(Number) }],
      session_id: expect.any(String),
      is_anonymous: false,
      iss: expect.stringMatching(/\/auth\/v1$/),
    })
  })

  it('is refused what a sign-up may not have', async () => {
    const client = server.client(make)
    const { email } = await signedUp()
    const code = async (more: { email?: string; password?: string }) =>
      (await client.signUp({ email: newEmail(), password, ...more })).error
    expect(await code({ email })).toMatchObject({ code: 'user_already_exists', status: 422 })
    expect(await code({ password: 'short' })).toMatchObject({ code: 'weak_password', status: 422, reasons: ['length'] })
    expect(await code({ password: 'password123' })).toMatchObject({ code: 'weak_password', reasons: ['pwned'] })
    expect(await code({ email: 'nobody' })).toMatchObject({ code: 'validation_failed', status: 400 })
    expect((await client.signInAnonymously()).error).toMatchObject({ code: 'anonymous_provider_disabled', status: 422 })
    expect((await client.signUp({ phone: '+15550100', password })).error).toMatchObject({
      code: 'phone_provider_disabled',
    })
  })

  it('signs in by password, and a failure does not reveal its reason', async () => {
    const { email, user } = await signedUp()
    const client = server.client(make)
    const { data, error } = await client.signInWithPassword({ email: email.toUpperCase(), password })
    expect(error).toBeNull()
    expect(data.user?.id).toBe(user.id)
    expect(data.user?.last_sign_in_at).toBeDefined()
    const wrong = await client.signInWithPassword({ email, password: 'wrong password' })
    const unknown = await client.signInWithPassword({ email: 'nobody@example.com', password })
    for (const { error } of [wrong, unknown]) {
      expect(error).toMatchObject({ code: 'invalid_credentials', status: 400, message: 'Invalid login credentials' })
    }
  })

  it('reads and changes its user', async () => {
    proves('6.2.2')
    const { client, email, session, user } = await signedUp()
    expect((await client.getUser()).data.user).toMatchObject({ id: user.id, email })
    const changed = await client.updateUser({ data: { team: null, name: 'Bo' } })
    expect(changed.data.user?.user_metadata).toEqual({ name: 'Bo' })
    const me = await server.ask('GET', '/api/user/user-data', { token: session.access_token })
    expect(await me.json()).toMatchObject({ name: 'Bo', email, is_new_user: true })
    expect((await client.updateUser({ password })).error).toMatchObject({ code: 'same_password', status: 422 })
    expect((await client.updateUser({ password: 'short' })).error).toMatchObject({ code: 'weak_password' })
    expect((await client.updateUser({ password: 'battery staple' })).error).toBeNull()
    expect((await server.client(make).signInWithPassword({ email, password })).error?.code).toBe('invalid_credentials')
    expect((await server.client(make).signInWithPassword({ email, password: 'battery staple' })).error).toBeNull()
    const other = await signedUp()
    expect((await client.updateUser({ email: other.email })).error).toMatchObject({ code: 'email_exists', status: 422 })
  })

  it('must reauthenticate when the session is older than ten minutes', async () => {
    proves('7.5.1', '10.3.4')
    const { client } = await signedUp()
    server.time.passMs += 11 * 60_000
    try {
      const late = await client.updateUser({ password: 'battery staple' })
      expect(late.error).toMatchObject({ code: 'reauthentication_needed', status: 400 })
      const moved = await client.updateUser({ email: newEmail() })
      expect(moved.error).toMatchObject({ code: 'reauthentication_needed', status: 400 })
      const wrong = { password: 'battery staple', current_password: 'wrong' }
      expect((await client.updateUser(wrong)).error).toMatchObject({ code: 'invalid_credentials' })
      const right = { password: 'battery staple', current_password: password }
      expect((await client.updateUser(right)).error).toBeNull()
      expect((await client.updateUser({ password: 'no stale battery', nonce: '123456' })).error).toMatchObject({
        code: 'reauthentication_not_valid',
        status: 422,
      })
    } finally {
      server.time.passMs -= 11 * 60_000
    }
  })

  it('is signed out everywhere else by a new password', async () => {
    proves('7.4.3')
    const { client, email, session } = await signedUp()
    const other = server.client(make)
    const tokens = (await other.signInWithPassword({ email, password })).data.session
    expect((await client.updateUser({ password: 'battery staple' })).error).toBeNull()
    expect((await client.getUser()).error).toBeNull()
    expect((await other.getUser()).error).not.toBeNull()
    const stillValid = await server.ask('GET', '/api/user/user-data', { token: session.access_token })
    expect(stillValid.status).toBe(200)
    const ended = await server.ask('GET', '/api/user/user-data', { token: tokens?.access_token ?? '' })
    expect(ended.status).toBe(401)
    const renewed = await server.client(make).refreshSession({ refresh_token: tokens?.refresh_token ?? '' })
    expect(renewed.error?.status).toBe(400)
  })

  it('renews its session, and each refresh token counts once', async () => {
    const { client, session } = await signedUp()
    const { data, error } = await client.refreshSession()
    expect(error).toBeNull()
    expect(data.session?.refresh_token).not.toBe(session.refresh_token)
    const again = await server.client(make).refreshSession({ refresh_token: session.refresh_token })
    expect(again.data.session?.refresh_token).toBe(data.session?.refresh_token)
    const unknown = await server.client(make).refreshSession({ refresh_token: 'x'.repeat(43) })
    expect(unknown.error).toMatchObject({ code: 'refresh_token_not_found', status: 400 })
    const short = await server.client(make).refreshSession({ refresh_token: 'x' })
    expect(short.error).toMatchObject({ code: 'validation_failed', status: 400 })
  })

  it('takes over a session by its tokens', async () => {
    const { session, user } = await signedUp()
    const other = server.client(make)
    const { data, error } = await other.setSession(session)
    expect(error).toBeNull()
    expect(data.user?.id).toBe(user.id)
    expect((await other.mfa.listFactors()).data?.all).toEqual([])
  })

  it('verifies its own token by the published keys', async () => {
    const { client, session } = await signedUp()
    const { data, error } = await client.getClaims()
    expect(error).toBeNull()
    expect(data?.header).toMatchObject({ alg: 'ES256', typ: 'JWT' })
    expect(data?.claims.session_id).toBeDefined()
    const [head, body, signature] = session.access_token.split('.')
    const forged = `${head}.${body}.${signature?.split('').reverse().join('')}`
    expect((await client.getClaims(forged)).error).not.toBeNull()
  })

  it('signs out of one place, of all others and of all', async () => {
    const { client, email, session } = await signedUp()
    const signIn = async () => {
      const other = server.client(make)
      const { data } = await other.signInWithPassword({ email, password })
      return { other, token: data.session?.access_token ?? '' }
    }
    const alive = async (token: string) => (await server.ask('GET', '/auth/v1/user', { token })).status
    const [second, third] = [await signIn(), await signIn()]
    expect((await second.other.signOut({ scope: 'local' })).error).toBeNull()
    expect([await alive(session.access_token), await alive(second.token), await alive(third.token)]).toEqual([
      200, 403, 200,
    ])
    const ended = await server.ask('GET', '/auth/v1/user', { token: second.token })
    expect(ended.headers.get('x-sb-error-code')).toBe('session_not_found')
    expect((await client.signOut({ scope: 'others' })).error).toBeNull()
    expect([await alive(session.access_token), await alive(third.token)]).toEqual([200, 403])
    const fourth = await signIn()
    expect((await client.signOut()).error).toBeNull()
    expect([await alive(session.access_token), await alive(fourth.token)]).toEqual([403, 403])
    const refreshed = await server.client(make).refreshSession({ refresh_token: session.refresh_token })
    expect(refreshed.error?.status).toBe(400)
  })

  it('gets an error that sign-in by mailed codes is disabled', async () => {
    const { error } = await server.client(make).signInWithOtp({ email: newEmail() })
    expect(error).toMatchObject({ code: 'otp_disabled', status: 422 })
  })
})

describe('the spec’s own calls and the protocol', () => {
  it('make the same sessions of the same accounts', async () => {
    const email = newEmail()
    const made = await server.ask('POST', '/api/auth/signup', { body: { email, password, name: 'Ann' } })
    const reply = (await made.json()) as { token: string; refresh_token: string; expires_at: number }
    expect(reply).toMatchObject({
      is_new_user: true,
      refresh_token: expect.any(String),
      expires_at: expect.any(Number),
    })
    const client = server.client(clientVersions[0][1])
    const tokens = { access_token: reply.token, refresh_token: reply.refresh_token }
    expect((await client.setSession(tokens)).data.user?.email).toBe(email)
    const renewed = await client.refreshSession()
    const token = renewed.data.session?.access_token ?? ''
    const me = await server.ask('GET', '/api/user/user-data', { token })
    expect(await me.json()).toMatchObject({ email, name: 'Ann', is_new_user: true })
  })
})
