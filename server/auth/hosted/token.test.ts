import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { exportSPKI, importJWK, type JWTPayload, SignJWT } from 'jose'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accountRoutes } from '../../features/accounts/index.ts'
import { type TestApp, testApp } from '../../platform/http/testing.ts'
import { proves } from '../../platform/proves.ts'
import { authenticate, authMounts, authProtocol, checkHosted } from '../index.ts'
import { claimsFor, makeProjectKey, type ProjectKey, type ProjectStandIn, signed, startProject } from './testing.ts'

let project: ProjectStandIn
let test: TestApp
let key: ProjectKey
const FRESH_MS = 10 * 60_000

beforeAll(async () => {
  key = await makeProjectKey()
})

beforeEach(async () => {
  project = await startProject()
  project.published = [key.publicJwk]
  test = await testApp(
    (services) => ({
      handlers: accountRoutes(services),
      mounts: authMounts(services),
      authenticate: authenticate(services),
    }),
    { hostedAuth: { url: project.url, key: 'public', issuer: project.issuer } },
  )
})
afterEach(async () => {
  await test.cleanup()
  await project.stop()
})

/** A person of the project with a token of theirs. */
async function token(given: JWTPayload = {}, by: ProjectKey = key): Promise<string> {
  const claims = claimsFor(project, test.services.now(), given)
  project.people.set(String(claims.sub), { email: claims['email'], email_confirmed_at: '2026-01-01T00:00:00Z' })
  return signed(by, claims)
}

async function ask(bearer: string): Promise<[number, string]> {
  const answer = await test.call('GET', '/api/user/user-data', { as: bearer })
  return [answer.statusCode, answer.json().message ?? answer.json().email]
}

const keyReadings = () => project.calls.filter((call) => call.endsWith('jwks.json')).length
const GOOD = [200, 'ann@example.com']
const NOT_SIGNED_IN = [401, 'Sign in first']
const NO_KEY = [401, 'No matching signing key found in JWKS']

describe('a token of the hosted project', () => {
  it('is verified by the published keys, ES256 and RS256, which are fetched once', async () => {
    const rsa = await makeProjectKey('RS256')
    project.published = [rsa.publicJwk, key.publicJwk]
    expect(await ask(await token())).toEqual(GOOD)
    expect(await ask(await token({}, rsa))).toEqual(GOOD)
    expect(keyReadings()).toBe(1)
  })

  it('is verified and looked up once', async () => {
    const bearer = await token()
    for (let i = 0; i < 3; i += 1) expect(await ask(bearer)).toEqual(GOOD)
    expect(project.calls).toEqual(['GET /.well-known/jwks.json', 'GET /user'])
  })

  it('of an unknown key is refused; the keys are fetched again every ten seconds at most', async () => {
    proves('9.1.3')
    expect(await ask(await token())).toEqual(GOOD)
    const otherKey = await makeProjectKey()
    for (let i = 0; i < 5; i += 1) expect(await ask(await token({}, otherKey))).toEqual(NO_KEY)
    expect(keyReadings()).toBe(1)
    test.time.passMs += 10_000
    for (let i = 0; i < 5; i += 1) expect(await ask(await token({}, otherKey))).toEqual(NO_KEY)
    expect(keyReadings()).toBe(2)
  })

  it('of a new key is accepted immediately after a rotation; those of a withdrawn key are refused once the keys are fetched again', async () => {
    expect(await ask(await token())).toEqual(GOOD)
    const next = await makeProjectKey()
    project.published = [next.publicJwk, key.publicJwk]
    test.time.passMs += 10_000
    expect(await ask(await token({}, next))).toEqual(GOOD)
    expect(await ask(await token())).toEqual(GOOD)
    project.published = [next.publicJwk]
    test.time.passMs += FRESH_MS
    expect(await ask(await token())).toEqual(NO_KEY)
    expect(await ask(await token({}, next))).toEqual(GOOD)
  })

  it('of a withdrawn key is refused within ten minutes, also where it was verified before', async () => {
    const bearer = await token({ exp: Math.floor(Date.now() / 1_000) + 7_200 })
    expect(await ask(bearer)).toEqual(GOOD)
    const next = await makeProjectKey()
    project.published = [next.publicJwk]
    test.time.passMs += FRESH_MS - 1_000
    expect(await ask(bearer)).toEqual(GOOD)
    test.time.passMs += 1_000
    expect(await ask(bearer)).toEqual(NO_KEY)
    expect(await ask(await token({}, next))).toEqual(GOOD)
  })

  it('that was issued more than a minute ahead is refused, and accepted once its time has come', async () => {
    proves('9.2.1')
    const ahead = (seconds: number) => token({ iat: Math.floor(test.services.now().getTime() / 1_000) + seconds })
    test.time.stoppedAt = Date.now()
    expect(await ask(await ahead(60))).toEqual(GOOD)
    const early = await ahead(62)
    expect(await ask(early)).toEqual(NOT_SIGNED_IN)
    test.time.passMs += 2_000
    expect(await ask(early)).toEqual(GOOD)
  })

  it('with a signature of another key under the same name is refused by its name', async () => {
    proves('9.1.1')
    const forger = await makeProjectKey('ES256', key.kid)
    expect(await ask(await token({}, forger))).toEqual([401, 'Invalid JWT signature'])
  })

  it.each([
    ['another issuer', { iss: 'https://elsewhere.example/auth/v1' }],
    ['another audience', { aud: 'anon' }],
    ['no audience', { aud: undefined }],
    ['an expiry that is past', { exp: Math.floor(Date.now() / 1_000) - 60 }],
    ['no expiry', { exp: undefined }],
    ['the role of a program', { role: 'service_role' }],
    ['no role', { role: undefined }],
    ['no person', { sub: undefined }],
    ['a person without their own account', { is_anonymous: true }],
    ['no session', { session_id: undefined }],
  ])('with %s is refused', async (_, wrong) => {
    proves('9.2.1', '9.2.2', '9.2.3', '10.3.1')
    expect(await ask(await token())).toEqual(GOOD)
    expect(await ask(await token(wrong))).toEqual(NOT_SIGNED_IN)
  })

  it('whose algorithm does not fit its key is refused: HS256 by the public key, RS256 by a key for ES256, none', async () => {
    proves('9.1.2')
    const rsa = await makeProjectKey('RS256')
    project.published = [key.publicJwk, rsa.publicJwk]
    const claims = claimsFor(project, test.services.now())
    project.people.set(String(claims.sub), { email: claims['email'] })
    const publicKey = (await importJWK(rsa.publicJwk, 'RS256')) as Parameters<typeof exportSPKI>[0]
    const secret = Buffer.from(await exportSPKI(publicKey))
    const hs256 = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: rsa.kid }).sign(secret)
    expect(await ask(hs256)).toEqual(NOT_SIGNED_IN)
    expect(await ask(await signed({ ...rsa, kid: key.kid }, claims))).toEqual(NO_KEY)
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    expect(await ask(`${part({ alg: 'none', kid: key.kid })}.${part(claims)}.`)).toEqual(NOT_SIGNED_IN)
    expect(await ask('not.a.token')).toEqual(NOT_SIGNED_IN)
    expect(await ask(await signed(key, claims))).toEqual(GOOD)
  })

  it('is the only accepted one: our own tokens are refused, and /auth/v1 is off', async () => {
    const own = await testApp((services) => ({
      handlers: accountRoutes(services),
      mounts: [authProtocol(services)],
      authenticate: authenticate(services),
    }))
    try {
      const ann = await own.person('ann')
      expect(await ask(ann.token)).toEqual(NO_KEY)
    } finally {
      await own.cleanup()
    }
    for (const [method, path] of [
      ['POST', '/auth/v1/signup'],
      ['POST', '/auth/v1/token?grant_type=password'],
      ['GET', '/auth/v1/admin/users'],
      ['GET', '/auth/v1/.well-known/jwks.json'],
      ['GET', '/api/account/sessions'],
      ['POST', '/api/account/recovery-codes'],
    ] as const) {
      expect([path, (await test.call(method, path, { as: await token(), payload: {} })).statusCode]).toEqual([
        path,
        404,
      ])
    }
  })

  it('without a published key returns 503 with the specified message, and names a shared secret as the reason', async () => {
    project.published = []
    expect(await ask(await token())).toEqual([503, 'JWKS is empty'])
    const claims = claimsFor(project, test.services.now())
    const secret = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.alloc(32, 1))
    expect(await ask(secret)).toEqual([503, expect.stringContaining('shared secret (HS256)')])
  })
})

it('the doctor reports whether the project publishes keys', async () => {
  expect(await checkHosted(test.services)).toEqual([{ state: 'ok', what: expect.stringContaining('1 signing key') }])
  project.published = []
  test.time.passMs += FRESH_MS
  expect(await checkHosted(test.services)).toMatchObject([
    { state: 'problem', what: expect.stringContaining('JWKS is empty') },
  ])
  project.replies.set('GET /.well-known/jwks.json', { status: 500 })
  test.time.passMs += 2 * 24 * 3_600_000
  expect(await checkHosted(test.services)).toMatchObject([
    { state: 'problem', what: expect.stringContaining('does not answer') },
  ])
})

describe('a hosted project that does not answer', () => {
  const down = (...calls: string[]) => {
    for (const call of calls) project.replies.set(call, { status: 502, body: 'Bad gateway' })
  }

  it('signs nobody out: 503, never 401, and recovers automatically', async () => {
    proves('16.5.2')
    down('GET /.well-known/jwks.json')
    const bearer = await token()
    const unreachable = [503, expect.stringContaining('cannot be reached')]
    expect(await ask(bearer)).toEqual(unreachable)
    for (let i = 0; i < 5; i += 1) await ask(bearer)
    expect(keyReadings()).toBe(1)
    project.replies.clear()
    test.time.passMs += 2_000
    expect(await ask(bearer)).toEqual(GOOD)
  })

  it('leaves verified callers signed in, and the last known keys are used', async () => {
    const bearer = await token({ exp: Math.floor(Date.now() / 1_000) + 7_200 })
    expect(await ask(bearer)).toEqual(GOOD)
    down('GET /.well-known/jwks.json')
    test.time.passMs += FRESH_MS
    expect(await ask(bearer)).toEqual(GOOD)
    expect(await ask(await token())).toEqual(GOOD)
    const otherKey = await makeProjectKey()
    expect((await ask(await token({}, otherKey)))[0]).toBe(503)
  })

  it('makes nobody wait whose key is known: the keys are fetched beside the calls until it answers', async () => {
    const bearer = await token({ exp: Math.floor(Date.now() / 1_000) + 7_200 })
    expect(await ask(bearer)).toEqual(GOOD)
    down('GET /.well-known/jwks.json')
    test.time.passMs += FRESH_MS
    expect(await ask(bearer)).toEqual(GOOD)
    const fetched = Promise.withResolvers<void>()
    project.held.set('GET /.well-known/jwks.json', fetched.promise)
    test.time.passMs += 2_000
    expect(await ask(bearer)).toEqual(GOOD)
    fetched.resolve()
  })

  it('cannot say whether there is a second factor: 503 for a token that was not seen before', async () => {
    proves('16.5.3')
    down('GET /user')
    const bearer = await token()
    expect((await ask(bearer))[0]).toBe(503)
    project.replies.set('GET /user', { status: 401, body: { message: 'Invalid API key' } })
    expect(await ask(bearer)).toEqual([503, expect.stringContaining("refuses this server's calls")])
    project.replies.clear()
    expect(await ask(bearer)).toEqual(GOOD)
  })

  it('refuses connections: 503', async () => {
    const bearer = await token()
    await project.stop()
    expect((await ask(bearer))[0]).toBe(503)
    project = await startProject()
  })
})

it('a key that jose will not use is no fault of ours', async () => {
  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const kid = randomUUID()
  project.published = [{ ...weak.publicKey.export({ format: 'jwk' }), kid, alg: 'RS256' } as ProjectKey['publicJwk']]
  const rsa = await makeProjectKey('RS256', kid)
  expect((await ask(await token({}, rsa)))[0]).toBe(401)
})
