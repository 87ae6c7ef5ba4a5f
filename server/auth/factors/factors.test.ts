import { generate } from 'otplib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { queryAccounts } from '../../platform/db/testing.ts'
import { proves } from '../../platform/proves.ts'
import { type AuthClient, type AuthServer, authServer, clientVersions } from '../testing.ts'

const PASSWORD = 'a sentence nobody guesses'
const WRONG = '000000'

let test: AuthServer
let people = 0

beforeAll(async () => {
  test = await authServer({ authRateLimits: { mfa: 100_000, signup: 100_000, login_address: 100_000 } })
  // No window of a limit ends during a test, which would leave room for one more attempt.
  test.time.stoppedAt = Date.now()
})
afterAll(() => test.cleanup())

const newest = clientVersions[0][1]

/** The code of a secret by the server's clock; `ahead` steps later. */
const codeOf = (secret: string, ahead = 0) =>
  generate({ secret, epoch: Math.floor(test.services.now().getTime() / 1000) + 30 * ahead })

/** Moves the clock by half a minute, so that a used code is followed by a new one. */
const nextStep = () => {
  test.time.passMs += 30_000
}

async function signedUp(make = newest) {
  people += 1
  const email = `person${people}@example.com`
  const client = test.client(make)
  const { data, error } = await client.signUp({ email, password: PASSWORD })
  expect(error).toBeNull()
  return { client, email, session: data.session }
}

async function loggedIn(email: string, make = newest): Promise<AuthClient> {
  const client = test.client(make)
  const { error } = await client.signInWithPassword({ email, password: PASSWORD })
  expect(error).toBeNull()
  return client
}

async function enrolled(client: AuthClient, friendlyName = '') {
  const { data, error } = await client.mfa.enroll({ factorType: 'totp', friendlyName })
  if (error) throw error
  return { id: data.id, ...data.totp }
}

async function verified(client: AuthClient) {
  const factor = await enrolled(client)
  const { error } = await client.mfa.challengeAndVerify({ factorId: factor.id, code: await codeOf(factor.secret) })
  expect(error).toBeNull()
  nextStep()
  return factor
}

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
const tokenOf = async (client: AuthClient) => (await client.getSession()).data.session?.access_token ?? ''
const me = (token: string) => test.call('GET', '/api/user/user-data', { as: token })

describe.each(clientVersions)('with the official client %s', (_version, make) => {
  it('a second factor is enrolled, required at the next sign-in, and removed', async () => {
    proves('7.2.4')
    const { client, email, session } = await signedUp(make)
    const { data: enrolling } = await client.mfa.enroll({ factorType: 'totp', friendlyName: 'phone' })
    expect(enrolling).toMatchObject({ type: 'totp', friendly_name: 'phone' })
    expect(decodeURIComponent(enrolling?.totp.qr_code ?? '')).toContain('<svg')
    expect(enrolling?.totp.uri).toContain(`secret=${enrolling?.totp.secret}`)
    const [factorId, secret] = [enrolling?.id ?? '', enrolling?.totp.secret ?? '']
    expect((await client.mfa.listFactors()).data).toMatchObject({ totp: [], all: [{ status: 'unverified' }] })

    const { data: challenge } = await client.mfa.challenge({ factorId })
    expect(Math.abs((challenge?.expires_at ?? 0) - test.services.now().getTime() / 1000 - 300)).toBeLessThan(30)
    const wrong = await client.mfa.verify({ factorId, challengeId: challenge?.id ?? '', code: WRONG })
    expect([wrong.error?.status, wrong.error?.code]).toEqual([422, 'mfa_verification_failed'])
    const right = await client.mfa.verify({ factorId, challengeId: challenge?.id ?? '', code: await codeOf(secret) })
    expect(right.error).toBeNull()
    expect((await client.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
      currentLevel: 'aal2',
      nextLevel: 'aal2',
    })
    expect((await client.mfa.listFactors()).data?.totp).toMatchObject([{ id: factorId, status: 'verified' }])
    expect((await me(await tokenOf(client))).statusCode).toBe(200)
    const old = await test.client(make).refreshSession({ refresh_token: session?.refresh_token ?? '' })
    expect(old.error?.code).toBe('refresh_token_already_used')

    const later = await loggedIn(email, make)
    expect((await later.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
      currentLevel: 'aal1',
      nextLevel: 'aal2',
    })
    const held = await me(await tokenOf(later))
    expect([held.statusCode, held.json().code]).toEqual([403, 'mfa_required'])
    nextStep()
    const passed = await later.mfa.challengeAndVerify({ factorId, code: await codeOf(secret) })
    expect(passed.error).toBeNull()
    expect((await me(await tokenOf(later))).statusCode).toBe(200)

    const removed = await later.mfa.unenroll({ factorId })
    expect(removed).toEqual({ data: { id: factorId }, error: null })
    const renewed = await later.refreshSession()
    expect(renewed.error).toBeNull()
    expect((await later.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
      currentLevel: 'aal1',
      nextLevel: 'aal1',
    })
    expect((await me(await tokenOf(later))).statusCode).toBe(200)
  })

  it('names conflict, the eleventh is refused, and other kinds are not offered', async () => {
    const { client } = await signedUp(make)
    await enrolled(client, 'phone')
    const twice = await client.mfa.enroll({ factorType: 'totp', friendlyName: 'phone' })
    expect([twice.error?.status, twice.error?.code]).toEqual([422, 'mfa_factor_name_conflict'])
    for (let made = 1; made < 10; made += 1) await enrolled(client)
    const eleventh = await client.mfa.enroll({ factorType: 'totp' })
    expect([eleventh.error?.status, eleventh.error?.code]).toEqual([422, 'too_many_enrolled_mfa_factors'])
    const phone = await client.mfa.enroll({ factorType: 'phone', phone: '+4930123456' })
    expect([phone.error?.status, phone.error?.code]).toEqual([422, 'mfa_phone_enroll_not_enabled'])
    test.time.passMs += 301_000
    expect((await client.mfa.enroll({ factorType: 'totp', friendlyName: 'phone' })).error).toBeNull()
  })
})

describe('a code', () => {
  it('counts once, also for two at the same moment and on another sign-in', async () => {
    proves('6.5.1')
    const { client, email } = await signedUp()
    const { id, secret } = await verified(client)
    const [one, two] = [await loggedIn(email), await loggedIn(email)]
    const code = await codeOf(secret)
    const both = await Promise.all([one, two].map((each) => each.mfa.challengeAndVerify({ factorId: id, code })))
    expect(both.filter(({ error }) => error === null)).toHaveLength(1)
    const again = await client.mfa.challengeAndVerify({ factorId: id, code })
    expect(again.error?.code).toBe('mfa_verification_failed')
  })

  it('answers a challenge of this session and address only, for five minutes and five attempts', async () => {
    const { client, email } = await signedUp()
    const { id, secret } = await verified(client)
    const other = await loggedIn(email)
    const ask = async (by: AuthClient) => (await by.mfa.challenge({ factorId: id })).data?.id ?? ''
    const challengeId = await ask(client)
    const foreign = await other.mfa.verify({ factorId: id, challengeId, code: await codeOf(secret) })
    expect(foreign.error?.code).toBe('mfa_factor_not_found')
    const elsewhere = await test.call('POST', `/auth/v1/factors/${id}/verify`, {
      as: await tokenOf(client),
      payload: { challenge_id: challengeId, code: await codeOf(secret) },
      remoteAddress: '203.0.113.77',
    })
    expect([elsewhere.statusCode, elsewhere.json().error_code]).toEqual([422, 'mfa_ip_address_mismatch'])
    test.time.passMs += 301_000
    const late = await client.mfa.verify({ factorId: id, challengeId, code: await codeOf(secret) })
    expect(late.error?.code).toBe('mfa_challenge_expired')
    const tired = await ask(client)
    for (let time = 0; time < 5; time += 1) await client.mfa.verify({ factorId: id, challengeId: tired, code: WRONG })
    const sixth = await client.mfa.verify({ factorId: id, challengeId: tired, code: await codeOf(secret) })
    expect(sixth.error?.code).toBe('mfa_challenge_expired')
  })

  it('cannot be guessed: after ten wrong ones an address has to wait', async () => {
    proves('6.3.1')
    const { client } = await signedUp()
    const { id, secret } = await verified(client)
    for (let time = 0; time < 10; time += 1) {
      await client.mfa.challengeAndVerify({ factorId: id, code: WRONG })
    }
    const blocked = await client.mfa.challengeAndVerify({ factorId: id, code: await codeOf(secret) })
    expect([blocked.error?.status, blocked.error?.code]).toEqual([429, 'over_request_rate_limit'])
    test.time.passMs += 16 * 60_000
    const freed = await client.mfa.challengeAndVerify({ factorId: id, code: await codeOf(secret) })
    expect(freed.error).toBeNull()
  })

  it('is accepted from its owner whatever someone with the password attempts from other addresses', async () => {
    const { client, email } = await signedUp()
    const { id, secret } = await verified(client)
    const later = await loggedIn(email)
    const requestChallenge = (as: string, remoteAddress: string) =>
      test.call('POST', `/auth/v1/factors/${id}/challenge`, { as, remoteAddress })
    const answered = (as: string, challenge_id: string, code: string, remoteAddress: string) =>
      test.call('POST', `/auth/v1/factors/${id}/verify`, { as, payload: { challenge_id, code }, remoteAddress })
    const stolen = await tokenOf(await loggedIn(email))
    const limits = new Set<string>()
    for (let address = 1; address <= 5; address += 1) {
      const from = `203.0.113.${address}`
      for (let question = 0; question < 45; question += 1) {
        const challenge = (await requestChallenge(stolen, from)).json()
        const answer = await answered(stolen, String(challenge.id ?? id), WRONG, from)
        if (challenge.error_code) limits.add(String(challenge.error_code))
        if (answer.statusCode === 429) limits.add(String(answer.json().error_code))
      }
    }
    expect([...limits]).toEqual(['over_request_rate_limit'])
    expect((await requestChallenge(stolen, '203.0.113.200')).statusCode).toBe(429)
    const passed = await later.mfa.challengeAndVerify({ factorId: id, code: await codeOf(secret) })
    expect(passed.error).toBeNull()
  })

  it('cannot have its challenges used up from one address, nor its attempts from across a /64', async () => {
    const { client, email } = await signedUp()
    const { id, secret } = await verified(client)
    const later = await tokenOf(await loggedIn(email))
    const stolen = await tokenOf(await loggedIn(email))
    const ask = (as: string, remoteAddress: string) =>
      test.call('POST', `/auth/v1/factors/${id}/challenge`, { as, remoteAddress })
    for (let question = 0; question < 120; question += 1) await ask(stolen, `2001:db8:1:2::${question}`)
    expect((await ask(stolen, '2001:db8:1:2::ffff')).statusCode).toBe(429)
    const elsewhere = '198.51.100.77'
    const challenge = await ask(later, elsewhere)
    const passed = await test.call('POST', `/auth/v1/factors/${id}/verify`, {
      as: later,
      payload: { challenge_id: challenge.json().id, code: await codeOf(secret) },
      remoteAddress: elsewhere,
    })
    expect(passed.statusCode).toBe(200)
  })
})

describe('the second level', () => {
  it('ends the other aal1 sessions and removes unverified factors', async () => {
    const { client, email } = await signedUp()
    const other = await loggedIn(email)
    const { access_token: stale = '' } = (await client.getSession()).data.session ?? {}
    await enrolled(client, 'forgotten')
    await verified(client)
    expect((await client.mfa.listFactors()).data?.all).toHaveLength(1)
    await expect.poll(async () => (await me(await tokenOf(other))).statusCode).toBe(401)
    expect((await other.refreshSession()).error?.code).toBe('refresh_token_already_used')
    const before = await me(stale)
    expect([before.statusCode, before.json().code]).toEqual([403, 'mfa_required'])
  })

  it('is needed to add or remove a factor of an account that has one', async () => {
    const { client, email } = await signedUp()
    const { id } = await verified(client)
    const first = await loggedIn(email)
    const removing = await first.mfa.unenroll({ factorId: id })
    expect([removing.error?.status, removing.error?.code]).toEqual([422, 'insufficient_aal'])
    const adding = await first.mfa.enroll({ factorType: 'totp' })
    expect([adding.error?.status, adding.error?.code]).toEqual([403, 'insufficient_aal'])
    expect((await client.mfa.enroll({ factorType: 'totp' })).error).toBeNull()
  })

  it('is changed only by a session authenticated within ten minutes', async () => {
    proves('7.5.1')
    const { client } = await signedUp()
    const { id, secret } = await verified(client)
    test.time.passMs += 601_000
    const codes = await test.call('POST', '/api/account/recovery-codes', { as: await tokenOf(client) })
    expect([codes.statusCode, codes.json().code]).toEqual([403, 'reauthentication_needed'])
    for (const refused of [
      await client.mfa.enroll({ factorType: 'totp' }),
      await client.mfa.unenroll({ factorId: id }),
    ]) {
      expect(refused.error?.code).toBe('reauthentication_needed')
    }
    await client.mfa.challengeAndVerify({ factorId: id, code: await codeOf(secret) })
    expect((await client.mfa.unenroll({ factorId: id })).error).toBeNull()
  })

  it('is required to change the password or the e-mail address, however the session started', async () => {
    const { client, email } = await signedUp()
    await verified(client)
    const first = await loggedIn(email)
    for (const change of [{ password: 'another sentence of mine' }, { email: `new-${email}` }]) {
      const refused = await first.updateUser(change)
      expect([refused.error?.status, refused.error?.code]).toEqual([401, 'insufficient_aal'])
    }
    expect((await client.updateUser({ password: 'another sentence of mine' })).error).toBeNull()
  })

  it('does not work with another account’s factor', async () => {
    const [ann, bo] = [await signedUp(), await signedUp()]
    const { id } = await verified(ann.client)
    for (const refused of [
      await bo.client.mfa.challenge({ factorId: id }),
      await bo.client.mfa.unenroll({ factorId: id }),
    ]) {
      expect([refused.error?.status, refused.error?.code]).toEqual([404, 'mfa_factor_not_found'])
    }
  })

  it('protects its sessions from sign-out by sessions without it', async () => {
    const { client, email } = await signedUp()
    const early = await tokenOf(client)
    await verified(client)
    const owner = await tokenOf(client)
    const alive = async (token: string) => (await test.ask('GET', '/auth/v1/user', { token })).status
    const post = (path: string, as: string, payload = {}) => test.call('POST', path, { as, payload })
    const ownerId = claimsOf(owner).session_id
    for (const scope of ['global', 'others']) {
      const attacker = await tokenOf(await loggedIn(email))
      for (const [method, path, payload] of [
        ['POST', '/api/account/sessions/end', { scope: 'all' }],
        ['POST', '/api/account/sessions/end', { scope: 'others' }],
        ['DELETE', `/api/account/sessions/${ownerId}`, undefined],
      ] as const) {
        const refused = await test.call(method, path, { as: attacker, payload })
        expect([refused.statusCode, refused.json().code]).toEqual([403, 'mfa_required'])
        expect(await alive(owner)).toBe(200)
      }
      expect((await test.ask('POST', `/auth/v1/logout?scope=${scope}`, { token: attacker })).status).toBe(204)
      expect([await alive(owner), await alive(attacker)]).toEqual([200, scope === 'global' ? 403 : 200])
    }
    // The same sign-in, with a token from before the second factor was verified.
    for (const scope of ['local', 'global']) {
      const refused = await test.ask('POST', `/auth/v1/logout?scope=${scope}`, { token: early })
      expect([refused.status, refused.headers.get('x-sb-error-code')]).toEqual([401, 'insufficient_aal'])
    }
    expect((await test.ask('POST', '/auth/v1/logout?scope=others', { token: early })).status).toBe(204)
    const spec = await post('/api/auth/logout', early)
    expect([spec.statusCode, spec.json().code]).toEqual([403, 'mfa_required'])
    expect(await alive(owner)).toBe(200)
    const [pending, other] = [await tokenOf(await loggedIn(email)), await tokenOf(await loggedIn(email))]
    expect((await post('/api/auth/logout', pending)).statusCode).toBe(200)
    expect((await test.ask('POST', '/auth/v1/logout?scope=others', { token: owner })).status).toBe(204)
    expect([await alive(pending), await alive(other), await alive(owner)]).toEqual([403, 403, 200])
    expect((await test.ask('POST', '/auth/v1/logout', { token: owner })).status).toBe(204)
    expect(await alive(owner)).toBe(403)
  })

  it('proves a deletion where there is no password', async () => {
    const { client, session } = await signedUp()
    const { secret } = await verified(client)
    await queryAccounts(test.services.db, 'update account set password_hash = null where id = $1', [session?.user.id])
    const as = await tokenOf(client)
    const remove = (payload: object) => test.call('POST', '/api/account/delete', { as, payload })
    expect((await test.call('GET', '/api/account/deletion', { as })).json().proof).toBe('code')
    for (const payload of [{}, { code: WRONG }, { password: PASSWORD }]) {
      const refused = await remove(payload)
      expect([refused.statusCode, refused.json().code]).toEqual([400, 'proof_refused'])
    }
    expect((await remove({ code: await codeOf(secret) })).statusCode).toBe(200)
    await expect.poll(async () => (await me(as)).statusCode).toBe(401)
  })

  it('stores the secret sealed', async () => {
    const { client } = await signedUp()
    const { secret } = await verified(client)
    const { rows } = await queryAccounts(test.services.db, 'select json_agg(f)::text as everything from factor f')
    expect(rows[0].everything).toContain('s2.')
    expect(rows[0].everything).not.toContain(secret)
  })
})

describe('a recovery code', () => {
  const post = (path: string, as: string, payload = {}) => test.call('POST', path, { as, payload })
  const CODES = '/api/account/recovery-codes'

  it('exists once there is a second factor, is shown once, and new ones replace the old', async () => {
    proves('6.5.2')
    const { client } = await signedUp()
    const early = await post(CODES, await tokenOf(client))
    expect([early.statusCode, early.json().code]).toEqual([409, 'conflict'])
    await verified(client)
    const token = await tokenOf(client)
    const { codes } = (await post(CODES, token)).json()
    expect(new Set(codes).size).toBe(10)
    // 24 letters of an alphabet of 31: 118 bits.
    for (const one of codes) expect(one).toMatch(/^([a-hjkmnp-z2-9]{6}-){3}[a-hjkmnp-z2-9]{6}$/)
    expect((await test.call('GET', CODES, { as: token })).json()).toEqual({ left: 10, made_at: expect.any(String) })
    const { rows } = await queryAccounts(test.services.db, 'select json_agg(r)::text as text from recovery_code r')
    for (const code of codes) expect(rows[0].text).not.toContain(code.replaceAll('-', ''))
    const renewed = (await post(CODES, token)).json().codes
    expect((await test.call('GET', CODES, { as: token })).json().left).toBe(10)
    const old = await post(`${CODES}/use`, token, { code: codes[0] })
    expect([old.statusCode, old.json().code]).toEqual([400, 'code_refused'])
    expect(renewed).not.toContain(codes[0])
  })

  it('passes the second factor once, however it is typed, and not after the factor is removed', async () => {
    proves('6.5.1')
    const { client, email } = await signedUp()
    const { id } = await verified(client)
    const { codes } = (await post(CODES, await tokenOf(client))).json()
    const held = await loggedIn(email)
    const wrong = await post(`${CODES}/use`, await tokenOf(held), { code: 'aaaaaa-aaaaaa-aaaaaa-aaaaaa' })
    expect([wrong.statusCode, wrong.json().code]).toEqual([400, 'code_refused'])
    const typed = ` ${codes[0].toUpperCase().replaceAll('-', ' ')} `
    const passed = await post(`${CODES}/use`, await tokenOf(held), { code: typed })
    expect(passed.json()).toMatchObject({ codes_left: 9, token_type: 'bearer', user: { email } })
    const { access_token, refresh_token } = passed.json()
    expect((await me(access_token)).statusCode).toBe(200)
    expect((await held.setSession({ access_token, refresh_token })).error).toBeNull()
    const level = (await held.mfa.getAuthenticatorAssuranceLevel()).data
    expect(level).toMatchObject({
      currentLevel: 'aal2',
      currentAuthenticationMethods: [{ method: 'recovery_code' }, {}],
    })
    const again = await loggedIn(email)
    expect((await post(`${CODES}/use`, await tokenOf(again), { code: codes[0] })).statusCode).toBe(400)
    expect((await held.mfa.unenroll({ factorId: id })).error).toBeNull()
    expect((await post(`${CODES}/use`, await tokenOf(again), { code: codes[1] })).statusCode).toBe(400)
  })
})
