import { describe, expect, it } from 'vitest'
import { proves } from '../../platform/proves.ts'
import { duringTests } from '../../platform/testing.ts'
import { authServer } from '../testing.ts'
import { mayRedirect, redirectTarget } from './redirects.ts'

const NEW = { 'x-supabase-api-version': '2024-01-01' }
const password = 'correct horse'

const server = duringTests(() => authServer({ allowedOrigins: ['https://app.example.com'] }))

describe('a refusal', () => {
  const refused = { body: { email: 'nobody@example.com', password } }

  it('has the new format for clients that request it, and echoes the version', async () => {
    for (const version of ['2024-01-01', '2025-06-01']) {
      const headers = { 'x-supabase-api-version': version }
      const answer = await server.ask('POST', '/auth/v1/token?grant_type=password', { ...refused, headers })
      expect(answer.status).toBe(400)
      expect(await answer.json()).toEqual({ code: 'invalid_credentials', message: 'Invalid login credentials' })
      expect(answer.headers.get('x-supabase-api-version')).toBe('2024-01-01')
      expect(answer.headers.get('x-sb-error-code')).toBe('invalid_credentials')
    }
  })

  it('has the old format for all others', async () => {
    const old: Record<string, string>[] = [
      {},
      { 'x-supabase-api-version': '2023-01-01' },
      { 'x-supabase-api-version': 'soon' },
    ]
    for (const headers of old) {
      const answer = await server.ask('POST', '/auth/v1/token?grant_type=password', { ...refused, headers })
      expect(await answer.json()).toEqual({
        code: 400,
        error_code: 'invalid_credentials',
        msg: 'Invalid login credentials',
      })
      expect(answer.headers.get('x-supabase-api-version')).toBeNull()
      expect(answer.headers.get('x-sb-error-code')).toBe('invalid_credentials')
    }
  })

  it.each([
    ['GET', '/auth/v1/user', {}, 401, 'no_authorization'],
    ['GET', '/auth/v1/user', { token: 'x.y.z' }, 403, 'bad_jwt'],
    ['GET', '/auth/v1/admin/users', {}, 401, 'no_authorization'],
    ['POST', '/auth/v1/token?grant_type=magic', { body: {} }, 400, 'unsupported_grant_type'],
    ['POST', '/auth/v1/token?grant_type=refresh_token', { body: { refresh_token: 'short' } }, 400, 'validation_failed'],
    ['POST', '/auth/v1/signup', { body: { email: 'a@b.example', password: 'x'.repeat(73) } }, 422, 'weak_password'],
    ['POST', '/auth/v1/signup', { body: {} }, 422, 'anonymous_provider_disabled'],
    [
      'POST',
      '/auth/v1/verify',
      { body: { type: '__proto__', token: 'x', email: 'a@b.example' } },
      400,
      'validation_failed',
    ],
    ['POST', '/auth/v1/magiclink', { body: {} }, 422, 'otp_disabled'],
    ['POST', '/auth/v1/nothing', { body: {} }, 404, 'not_found'],
    ['HEAD', '/auth/v1/verify?token=x&type=signup', {}, 404, 'not_found'],
    ['POST', '/auth/v1/signup', { body: { data: 'x'.repeat(1024 * 1024) } }, 413, 'payload_too_large'],
  ])('%s %s: %#', async (method, path, more, status, code) => {
    const answer = await server.ask(method, path, { ...more, headers: NEW })
    expect([answer.status, answer.headers.get('x-sb-error-code')]).toEqual([status, code])
  })

  it('names a broken body and a broken path in the same form', async () => {
    const broken = await fetch(`${server.url}/auth/v1/signup`, {
      method: 'POST',
      body: '{',
      headers: { 'content-type': 'application/json', ...NEW },
    })
    expect([broken.status, await broken.json()]).toMatchObject([400, { code: 'validation_failed' }])
    const path = await server.ask('GET', '/auth/v1/admin/users/%zz', { headers: NEW })
    expect([path.status, await path.json()]).toMatchObject([400, { code: 'validation_failed' }])
  })
})

describe('public calls', () => {
  it('return the server’s settings', async () => {
    proves('11.6.1')
    expect(await (await server.ask('GET', '/auth/v1/health')).json()).toMatchObject({ name: 'Groundswell' })
    expect(await (await server.ask('GET', '/auth/v1/settings')).json()).toMatchObject({
      disable_signup: false,
      mailer_autoconfirm: true,
      mail_enabled: false,
      external: { email: true, google: false, phone: false },
    })
    const keys = await server.ask('GET', '/auth/v1/.well-known/jwks.json')
    expect(keys.headers.get('cache-control')).toBe('public, max-age=600')
    expect(await keys.json()).toEqual({
      keys: [expect.objectContaining({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid: expect.any(String) })],
    })
  })

  it('are open to allowed origins with the client’s own headers', async () => {
    const headers = {
      origin: 'https://app.example.com',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'apikey,authorization,x-client-info,x-supabase-api-version,content-type',
    }
    const allowed = await server.ask('OPTIONS', '/auth/v1/token', { headers })
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([204, headers.origin])
    expect(allowed.headers.get('access-control-allow-headers')).toContain('X-Client-Info')
    const other = await server.ask('OPTIONS', '/auth/v1/token', {
      headers: { ...headers, origin: 'https://evil.example' },
    })
    expect(other.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('set no cookie, and no reply may be stored', async () => {
    const answer = await server.ask('POST', '/auth/v1/signup', { body: { email: 'cookie@example.com', password } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  })
})

describe('where a browser may be sent', () => {
  const config = {
    publicUrl: 'https://us.example',
    port: 3000,
    authRedirectUrls: ['https://app.example.com/**', 'https://*.preview.example/done', 'groundswell://done/**'],
  }
  const local = { port: 3000, authRedirectUrls: [] }

  it.each([
    ['https://us.example/auth?step=x', true],
    ['http://us.example/auth', false],
    ['https://us.example.evil.example/', false],
    ['https://us.example@evil.example/', false],
    ['https://us.example:8443/', false],
    ['https://app.example.com/any/where?x=1', true],
    ['https://app.example.com.evil.example/', false],
    ['https://appxexample.com/any/where', false],
    ['https://one.preview.example/done', true],
    ['https://one.two.preview.example/done', false],
    ['https://evil.example/.preview.example/done', false],
    ['groundswell://done/x', true],
    ['javascript://us.example/%0aalert(1)', false],
    ['javascript:alert(1)', false],
    ['//evil.example', false],
    ['', false],
  ])('%s: %s', (address, may) => {
    proves('1.2.2', '1.2.9')
    expect(mayRedirect(config, address)).toBe(may)
  })

  it('is any port of this machine while the product itself is there', () => {
    expect(mayRedirect(local, 'http://127.0.0.1:5173/callback')).toBe(true)
    expect(mayRedirect(local, 'http://localhost:8080/')).toBe(true)
    expect(mayRedirect(local, 'https://localhost:8080/')).toBe(false)
    expect(mayRedirect(config, 'http://localhost:8080/')).toBe(false)
  })

  it('is the requested address, else the referrer, else our own address', () => {
    const target = (requested: string | undefined, referer?: string) =>
      redirectTarget({ config } as never, requested, { referer })
    expect(target('https://app.example.com/a', 'https://us.example/b')).toBe('https://app.example.com/a')
    expect(target('https://evil.example/', 'https://us.example/b')).toBe('https://us.example/b')
    expect(target('https://evil.example/', 'https://evil.example/')).toBe('https://us.example')
  })
})

describe('guessing', () => {
  it('is slowed for the guesser, and cannot shut out the owner', async () => {
    const limited = await authServer({ authRateLimits: { login_account: 20, login_address: 1_000 } })
    // Not at the end of the time that attempts are counted for.
    limited.time.stoppedAt = Date.now()
    try {
      const email = 'owner@example.com'
      const logIn = (secret: string, remoteAddress: string) =>
        limited.call('POST', '/auth/v1/token?grant_type=password', {
          payload: { email, password: secret },
          remoteAddress,
        })
      await limited.call('POST', '/api/auth/signup', {
        payload: { email, password, name: 'O' },
        remoteAddress: '203.0.113.1',
      })
      for (let guess = 0; guess < 20; guess += 1) await logIn(`guess ${guess}`, `198.51.100.${guess}`)
      const guesser = await logIn(password, '198.51.100.99')
      expect([guesser.statusCode, guesser.headers['x-sb-error-code']]).toEqual([429, 'over_request_rate_limit'])
      expect((await logIn(password, '203.0.113.1')).statusCode).toBe(200)
      limited.time.passMs = 31 * 60_000
      expect((await logIn(password, '198.51.100.99')).statusCode).toBe(200)
    } finally {
      await limited.cleanup()
    }
  })

  it('makes the database do the same for an unknown address as for a wrong password', async () => {
    const email = 'timed@example.com'
    await server.ask('POST', '/api/auth/signup', { body: { email, password, name: 'T' } })
    const requested: number[] = []
    const queries = async (address: string) => {
      let count = 0
      const { pool } = server.services.db
      const listener = () => {
        count += 1
      }
      pool.on('acquire', listener)
      await server.ask('POST', '/auth/v1/token?grant_type=password', {
        body: { email: address, password: 'wrong one' },
      })
      pool.off('acquire', listener)
      requested.push(count)
    }
    await queries(email)
    await queries('unknown@example.com')
    expect(requested[0]).toBe(requested[1])
  })
})
