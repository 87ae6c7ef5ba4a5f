import { get } from 'node:http'
import { type OpenIdFault, type OpenIdSandbox, startOpenId } from '@groundswell/connectors/sandbox/index.ts'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createAccount } from '../../features/accounts/index.ts'
import type { Config } from '../../platform/config/config.ts'
import { queryAccounts } from '../../platform/db/testing.ts'
import { proves } from '../../platform/proves.ts'
import { duringTests } from '../../platform/testing.ts'
import { type AuthServer, authServer, clientVersions } from '../testing.ts'

const PASSWORD = 'a sentence nobody guesses'
const BACK = '/api/auth/oauth-callback'
const [GRACE, THEO, UNA] = [0, 1, 2]
const unlimited = { oauth: 100_000, signup: 100_000, login_address: 100_000 }

const newest = clientVersions[0][1]

let test: AuthServer

/** A server whose public address is the one it listens on, so that the provider can redirect browsers back to it. */
async function openServer(config: Partial<Config> = {}): Promise<AuthServer> {
  const server = await authServer(config)
  server.services.config.publicUrl = server.url
  return server
}

const googleOf = ({ url, clientId, clientSecret }: OpenIdSandbox): Config['google'] => ({
  issuer: url,
  clientId,
  clientSecret,
})

const provider = duringTests(() =>
  startOpenId({
    people: Array.from({ length: 40 }, (_, index) => ({
      sub: `person-${index}`,
      name: `Person ${index}`,
      email: `Google${index}@Example.com`,
      emailVerified: index !== 2,
    })),
  }),
)
beforeEach(async () => {
  test ??= await openServer({ google: googleOf(provider), authRateLimits: unlimited })
})
afterAll(async () => {
  await test?.cleanup()
})

type Step = { headers?: Record<string, string>; on?: AuthServer }

async function visit(url: string, headers: Record<string, string> = {}) {
  const answer = await fetch(url, { redirect: 'manual', headers })
  const location = answer.headers.get('location')
  return { status: answer.status, location, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '', answer }
}

/** From the address that our server redirects the browser to, through the provider's page, to the address it returns to. */
async function choose(at: string | null, person: number | null): Promise<string> {
  const body = new URLSearchParams(new URL(at ?? '').search)
  body.set('person', person === null ? '' : (provider.people[person]?.sub ?? ''))
  const answer = await fetch(`${provider.url}/authorize`, { method: 'POST', body, redirect: 'manual' })
  return answer.headers.get('location') ?? ''
}

/** The whole sign-in of one browser, and where it ends. */
async function signIn(person: number | null, { headers = {}, on = test }: Step = {}): Promise<URL> {
  const redirectTo = encodeURIComponent(`${on.url}${BACK}`)
  const started = await visit(`${on.url}/auth/v1/authorize?provider=google&redirect_to=${redirectTo}`, headers)
  const back = await choose(started.location, person)
  const ended = await visit(back, { ...headers, cookie: started.cookie })
  expect(ended.status).toBe(302)
  return new URL(ended.location ?? '')
}

const fragmentOf = (url: URL) => Object.fromEntries(new URLSearchParams(url.hash.slice(1)))
const errorOf = (url: URL) => url.searchParams.get('error_code')
const me = (token: string | undefined, on = test) => on.call('GET', '/api/user/user-data', { as: token ?? '' })

describe('sign-in with Google', () => {
  it('ends in the fragment that the spec names, as a new account and then as the same one', async () => {
    proves('6.8.4')
    const url = await signIn(GRACE)
    expect(`${url.origin}${url.pathname}${url.search}`).toBe(`${test.url}${BACK}`)
    const fields = fragmentOf(url)
    expect(Object.keys(fields).sort()).toEqual(
      ['access_token', 'expires_at', 'expires_in', 'provider_token', 'refresh_token', 'sb', 'token_type'].sort(),
    )
    expect([fields.token_type, fields.expires_in, fields.sb]).toEqual(['bearer', '3600', ''])
    const first = (await me(fields.access_token)).json()
    expect(first).toMatchObject({ name: 'Person 0', email: 'google0@example.com', is_new_user: true })
    const claims = JSON.parse(Buffer.from(String(fields.access_token?.split('.')[1]), 'base64url').toString())
    expect([claims.aal, claims.amr]).toEqual(['aal1', [{ method: 'oauth', timestamp: expect.any(Number) }]])
    const again = fragmentOf(await signIn(GRACE))
    const second = (await me(again.access_token)).json()
    expect(second).toMatchObject({ email: 'google0@example.com' })
    expect(second).not.toHaveProperty('is_new_user')
    const client = test.client(newest)
    await client.setSession({ access_token: again.access_token ?? '', refresh_token: again.refresh_token ?? '' })
    const { user } = (await client.getUser()).data
    expect(user).toMatchObject({
      app_metadata: { provider: 'google', providers: ['google'] },
      identities: [{ provider: 'google', id: 'person-0', identity_data: { email_verified: true } }],
    })
  })

  it.each(clientVersions)('is started and exchanged by the official client %s (PKCE)', async (_version, make) => {
    const client = test.client(make, { flowType: 'pkce' })
    const { data, error } = await client.signInWithOAuth({
      provider: 'google',
      options: {
        redirectTo: `${test.url}${BACK}?next=1`,
        scopes: 'https://example.com/calendar',
        queryParams: { prompt: 'consent', access_type: 'offline' },
        skipBrowserRedirect: true,
      },
    })
    expect(error).toBeNull()
    const started = await visit(data.url ?? '')
    const parameters = new URL(started.location ?? '').searchParams
    expect(parameters.get('scope')).toBe('openid email profile https://example.com/calendar')
    expect([parameters.get('prompt'), parameters.get('access_type'), parameters.get('code_challenge_method')]).toEqual([
      'consent',
      'offline',
      'S256',
    ])
    const ended = await visit(await choose(started.location, THEO))
    const url = new URL(ended.location ?? '')
    expect([url.searchParams.get('next'), url.hash]).toEqual(['1', ''])
    const code = url.searchParams.get('code') ?? ''
    const stolen = await test.client(make, { flowType: 'pkce' }).exchangeCodeForSession(code)
    expect(stolen.error).not.toBeNull()
    const exchanged = await client.exchangeCodeForSession(code)
    expect(exchanged.data.user?.email).toBe('google1@example.com')
    expect(exchanged.data.session).toMatchObject({
      provider_token: expect.any(String),
      provider_refresh_token: expect.any(String),
    })
    expect(exchanged.data.user?.user_metadata).toMatchObject({ name: 'Person 1', full_name: 'Person 1' })
    expect((await me(exchanged.data.session?.access_token)).statusCode).toBe(200)
    const wrong = await test.call('POST', '/auth/v1/token?grant_type=pkce', {
      payload: { auth_code: code, code_verifier: 'x'.repeat(43) },
    })
    expect([wrong.statusCode, wrong.json().error_code]).toEqual([404, 'flow_state_not_found'])
  })

  it('refuses a plain challenge', async () => {
    proves('10.4.6')
    const query = `provider=google&code_challenge=${'x'.repeat(43)}&code_challenge_method=plain`
    const answer = await test.call('GET', `/auth/v1/authorize?${query}`)
    expect([answer.statusCode, answer.json().error_code]).toEqual([400, 'validation_failed'])
  })

  it('returns to the host name of this machine that it was started with', async () => {
    const own = await authServer({ google: googleOf(provider), authRateLimits: unlimited })
    for (const name of ['127.0.0.1', 'localhost']) {
      const on = { ...own, url: own.url.replace(/127\.0\.0\.1|localhost/, name) }
      const url = await signIn(THEO, { on })
      expect(url.origin).toBe(on.url)
      expect(fragmentOf(url)).toMatchObject({ token_type: 'bearer' })
    }
    const location = await new Promise<string>((resolve, reject) => {
      const headers = { host: 'evil.example' }
      get(`${own.url}/auth/v1/authorize?provider=google`, { headers }, (answer) => {
        answer.resume()
        resolve(answer.headers.location ?? '')
      }).on('error', reject)
    })
    const back = new URL(location).searchParams.get('redirect_uri')
    expect(back).toBe(`http://localhost:${own.services.config.port}/auth/v1/callback`)
    await own.cleanup()
  })

  it('does not redirect to an address that is not allowed', async () => {
    proves('3.7.2')
    const evil = encodeURIComponent('https://evil.example/steal')
    const started = await visit(`${test.url}/auth/v1/authorize?provider=google&redirect_to=${evil}`)
    const ended = await visit(await choose(started.location, GRACE))
    expect(new URL(ended.location ?? '').origin).toBe(test.url)
  })
})

describe('a state', () => {
  const startSignIn = () => visit(`${test.url}/auth/v1/authorize?provider=google`)

  it('is good once', async () => {
    const started = await startSignIn()
    const back = await choose(started.location, GRACE)
    expect(fragmentOf(new URL((await visit(back)).location ?? '')).access_token).toBeDefined()
    const replayed = new URL((await visit(back)).location ?? '')
    expect([errorOf(replayed), fragmentOf(replayed).access_token]).toEqual(['bad_oauth_state', undefined])
  })

  it.each(['', 'state=', 'state=unknown&code=x', 'state=a&state=b', 'code=x', 'error=access_denied'])(
    'that is not ours is refused: %s',
    async (query) => {
      const url = new URL((await visit(`${test.url}/auth/v1/callback?${query}`)).location ?? '')
      expect([url.origin, errorOf(url)]).toEqual([test.url, 'bad_oauth_state'])
      expect(fragmentOf(url)).toMatchObject({ error: 'invalid_request', error_code: 'bad_oauth_state', sb: '' })
    },
  )

  it('runs out after ten minutes', async () => {
    const started = await startSignIn()
    const back = await choose(started.location, GRACE)
    test.time.passMs += 601_000
    expect(errorOf(new URL((await visit(back)).location ?? ''))).toBe('bad_oauth_state')
    test.time.passMs = 0
  })

  it('belongs to the browser that started it: another one cannot be made to finish it', async () => {
    proves('7.6.2')
    const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' }
    const started = await startSignIn()
    expect(started.answer.headers.get('set-cookie')).toMatch(/; Path=\/auth\/v1; Max-Age=900; HttpOnly; SameSite=Lax$/)
    const stolen = { cookie: `groundswell_sign_in=${'x'.repeat(32)}` }
    for (const headers of [browser, { 'sec-fetch-mode': 'navigate' }, stolen]) {
      const attack = new URL(await choose((await startSignIn()).location, GRACE))
      const answer = await test.call('GET', `${attack.pathname}${attack.search}`, { headers })
      const url = new URL(answer.headers.location ?? '')
      expect([errorOf(url), fragmentOf(url).access_token]).toEqual(['bad_oauth_state', undefined])
    }
    expect(fragmentOf(await signIn(GRACE, { headers: browser })).access_token).toBeDefined()
  })
})

describe('what the provider answers', () => {
  it.each<[OpenIdFault, string]>([
    ['wrong-nonce', 'bad_oauth_callback'],
    ['wrong-audience', 'bad_oauth_callback'],
    ['wrong-issuer', 'bad_oauth_callback'],
    ['expired', 'bad_oauth_callback'],
    ['bad-signature', 'bad_oauth_callback'],
    ['no-id-token', 'bad_oauth_callback'],
    ['500', 'unexpected_failure'],
    ['blocked', 'unexpected_failure'],
    ['invalid-client', 'unexpected_failure'],
  ])('is rejected when it is wrong: %s', async (fault, code) => {
    proves('6.8.2', '10.5.1', '10.5.4')
    provider.fault(fault)
    const url = await signIn(GRACE)
    expect([errorOf(url), fragmentOf(url).error_code, fragmentOf(url).access_token]).toEqual([code, code, undefined])
    expect(url.pathname).toBe(BACK)
  })

  it('may be slow', async () => {
    provider.fault('slow')
    expect(fragmentOf(await signIn(GRACE)).access_token).toBeDefined()
  })

  it('reports that the person cancelled', async () => {
    const url = await signIn(null)
    expect([errorOf(url), url.searchParams.get('error')]).toEqual(['access_denied', 'access_denied'])
    expect(url.searchParams.get('error_description')).toContain('cancelled')
  })

  it('is refused for an e-mail address that it has not verified', async () => {
    const url = await signIn(UNA)
    expect([errorOf(url), url.searchParams.get('error')]).toEqual([
      'provider_email_needs_verification',
      'access_denied',
    ])
    const { rows } = await queryAccounts(test.services.db, "select 1 from account where email = 'google2@example.com'")
    expect(rows).toEqual([])
  })

  it('shows an error while the provider is unreachable, and works again afterwards', async () => {
    proves('16.5.2')
    const away = await startOpenId()
    const own = await openServer({ google: googleOf(away) })
    await away.stop()
    const started = await visit(`${own.url}/auth/v1/authorize?provider=google`)
    expect(errorOf(new URL(started.location ?? ''))).toBe('unexpected_failure')
    const port = Number(new URL(away.url).port)
    const back = await startOpenId({ port })
    const later = await visit(`${own.url}/auth/v1/authorize?provider=google`)
    expect(later.location).toContain(`${back.url}/authorize?`)
    await own.cleanup()
    await back.stop()
  })
})

describe('an account that is there already', () => {
  const FREE = 10

  it('is signed in to when its own e-mail address is confirmed, and still has its password', async () => {
    const email = `google${FREE}@example.com`
    const made = await createAccount(test.services, { email, name: 'Confirmed', password: PASSWORD })
    const { access_token } = fragmentOf(await signIn(FREE))
    expect((await me(access_token)).json()).toMatchObject({ name: 'Confirmed', email })
    const client = test.client(newest)
    const { data } = await client.signInWithPassword({ email, password: PASSWORD })
    expect(data.user).toMatchObject({ id: made.accountId, app_metadata: { providers: ['email', 'google'] } })
  })

  it('is displaced when nobody proved its address: the person who entered it first has no access to its owner’s account', async () => {
    const email = `google${FREE + 1}@example.com`
    const person = await test.person(`google${FREE + 1}`)
    expect(person.email).toBe(email)
    const url = await signIn(FREE + 1)
    const owner = await me(fragmentOf(url).access_token)
    expect(owner.json()).toMatchObject({ email, name: `Person ${FREE + 1}`, is_new_user: true })
    await expect.poll(async () => (await me(person.token)).statusCode).toBe(401)
  })

  it('is found by the person’s subject at Google, even after their address there changed', async () => {
    proves('6.8.1', '10.5.2')
    const { access_token } = fragmentOf(await signIn(FREE + 2))
    const { email } = (await me(access_token)).json()
    const person = provider.people[FREE + 2]
    Object.assign(person ?? {}, { email: 'moved@example.com', emailVerified: false })
    const moved = fragmentOf(await signIn(FREE + 2))
    expect((await me(moved.access_token)).json().email).toBe(email)
    Object.assign(provider.people[FREE + 3] ?? {}, { email })
    const heir = await signIn(FREE + 3)
    expect([errorOf(heir), fragmentOf(heir).access_token]).toEqual(['email_exists', undefined])
  })

  it('that is banned stays out', async () => {
    await signIn(FREE + 4)
    const until = "update account set banned_until = now() + interval '1 day' where email = $1"
    await queryAccounts(test.services.db, until, [`google${FREE + 4}@example.com`])
    expect(errorOf(await signIn(FREE + 4))).toBe('user_banned')
  })

  it('with a second factor is not open by Google alone', async () => {
    const email = `google${FREE + 6}@example.com`
    await signIn(FREE + 6)
    const enrol = `insert into factor (account_id, factor_type, status, created_at, updated_at)
      select id, 'totp', 'verified', now(), now() from account where email = $1`
    await queryAccounts(test.services.db, enrol, [email])
    const held = await me(fragmentOf(await signIn(FREE + 6)).access_token)
    expect([held.statusCode, held.json().code]).toEqual([403, 'mfa_required'])
  })

  it('is made once by two that come at the same moment', async () => {
    const both = await Promise.all([signIn(FREE + 5), signIn(FREE + 5)])
    const signedIn = both.filter((url) => fragmentOf(url).access_token !== undefined)
    expect(signedIn).toHaveLength(2)
    const { rows } = await queryAccounts(test.services.db, 'select 1 from account where email = $1', [
      `google${FREE + 5}@example.com`,
    ])
    expect(rows).toHaveLength(1)
  })
})

describe('by configuration', () => {
  it('sign-in with Google shows an error when it is not set up', async () => {
    const own = await openServer()
    const settings = (await own.call('GET', '/auth/v1/settings')).json()
    expect(settings.external.google).toBe(false)
    const answer = await own.call('GET', '/auth/v1/authorize?provider=google')
    expect([answer.statusCode, answer.json().error_code]).toEqual([400, 'provider_disabled'])
    expect(answer.json().msg).toContain('GOOGLE_CLIENT_ID')
    const other = await own.call('GET', '/auth/v1/authorize?provider=github')
    expect([other.statusCode, other.json().error_code]).toEqual([400, 'validation_failed'])
    await own.cleanup()
    expect((await test.call('GET', '/auth/v1/settings')).json().external.google).toBe(true)
  })

  it.each(['closed', 'invite'] as const)('%s admits existing accounts and no new ones', async (signup) => {
    const own = await openServer({ google: googleOf(provider), signup, authRateLimits: unlimited })
    await createAccount(own.services, {
      email: 'google20@example.com',
      name: 'Here',
      password: PASSWORD,
      isAdmin: true,
    })
    expect(fragmentOf(await signIn(20, { on: own })).access_token).toBeDefined()
    const url = await signIn(21, { on: own })
    expect([errorOf(url), url.searchParams.get('error')]).toEqual(['signup_disabled', 'access_denied'])
    await own.cleanup()
  })
})
