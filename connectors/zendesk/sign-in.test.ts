import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { AuthExpired } from '../kit/errors.ts'
import { failureFrom, recordingLog, startServer } from '../kit/testing.ts'
import { credentialProblems } from '../kit/worlds/app.ts'
import * as person from '../kit/worlds/sign-in.ts'
import type { ZendeskSandbox } from '../sandbox/zendesk/control.ts'
import { app } from './app.ts'
import { check } from './check.ts'
import { manifest, ZendeskSecrets, ZendeskSettings } from './manifest.ts'
import { oauth, refresh } from './oauth.ts'
import { revoke } from './revoke.ts'
import { contextFor, drain, fill, madeUp, openZendesk, signedIn } from './testing.ts'

const redirectUrl = 'https://fb.example/api/zendesk/oauth'
const credentials = ({ clientId, clientSecret }: ZendeskSandbox) => ({
  client_id: clientId,
  client_secret: clientSecret,
})
const codeVerifier = 'v'.repeat(64)
const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')

const attempt = (zendesk: ZendeskSandbox): person.Attempt => ({
  oauth,
  context: contextFor(zendesk, { secrets: {}, settings: { email: undefined } }),
  app: credentials(zendesk),
  redirectUrl,
  codeVerifier,
})

async function signIn(zendesk: ZendeskSandbox) {
  const { context } = attempt(zendesk)
  const signed = await person.signIn(attempt(zendesk))
  return { context: { ...context, settings: signed.settings, secrets: signed.secrets }, signed }
}

describe('an API token', () => {
  it('signs in with the subdomain and the e-mail address', async () => {
    await using zendesk = await openZendesk()
    const form = manifest.form.parse({
      subdomain: ' Tallybrook ',
      email: zendesk.email,
      api_token: ` ${zendesk.apiToken}\n`,
    })
    const { api_token, ...settings } = form as Record<string, string>
    const signed = await check(contextFor(zendesk, { settings, secrets: { api_token: api_token ?? '' } }))
    expect(signed).toEqual({
      account: 'tallybrook',
      settings: { subdomain: 'tallybrook', email: zendesk.email },
      secrets: { api_token: zendesk.apiToken },
    })
    expect(ZendeskSettings.safeParse(signed.settings).success).toBe(true)
    expect(manifest.describe(signed.settings, signed.secrets)).toEqual({ name: 'tallybrook.zendesk.com', userData: {} })
  })

  it('that is wrong is refused, without showing it', async () => {
    await using zendesk = await openZendesk()
    const error = await failureFrom(check(contextFor(zendesk, { secrets: { api_token: 'token-of-another' } })))
    expect(error).toBeInstanceOf(AuthExpired)
    expect(String(error)).toContain('did not accept the credentials')
    expect(String(error)).not.toContain('token-of-another')
  })

  it.each([
    ['agent', 'This person is an agent at Zendesk'],
    ['end-user', 'This person is not an administrator at Zendesk'],
  ] as const)('of an %s is refused at once, with the reason', async (role, words) => {
    await using zendesk = await openZendesk()
    zendesk.setRole(role)
    const error = await failureFrom(check(contextFor(zendesk)))
    expect(error).toMatchObject({ kind: 'rejected', message: expect.stringContaining(words) as string })
  })

  it('of nobody is refused: Zendesk returns an anonymous user', async () => {
    await using zendesk = await openZendesk()
    await using server = await startServer((_, response) =>
      response.end('{"user":{"id":null,"name":"Anonymous user","role":"end-user"}}'),
    )
    const error = await failureFrom(check({ ...contextFor(zendesk), baseUrl: server.url }))
    expect(error).toMatchObject({ kind: 'auth' })
  })

  it('learns that there is no such account', async () => {
    await using zendesk = await openZendesk()
    await using server = await startServer((_, response) => response.writeHead(404).end('<h1>No help desk</h1>'))
    const error = await failureFrom(check({ ...contextFor(zendesk), baseUrl: server.url }))
    expect(error).toMatchObject({ kind: 'rejected', message: 'There is no Zendesk account at tallybrook.zendesk.com' })
  })

  it('learns which scope is missing', async () => {
    await using zendesk = await openZendesk()
    zendesk.fault('forbidden', 1, 'me')
    const error = await failureFrom(check(contextFor(zendesk)))
    expect(error).toMatchObject({ kind: 'auth', message: expect.stringContaining('lacks the scope read') as string })
  })
})

describe('a subdomain', () => {
  const form = (subdomain: string) => manifest.form.safeParse({ subdomain, email: 'a@b.example', api_token: 'x' })
  const hostile = [
    '',
    '-acme',
    'evil.example',
    'acme.zendesk.com.evil.example',
    'evil.example/.zendesk.com',
    'https://evil.example/acme.zendesk.com',
    'http://acme.zendesk.com',
    'acme@evil.example',
    'user:pass@acme',
    '127.0.0.1',
    'localhost:80',
    'acme#',
    'acme?x',
    'acme/../x',
    'a b',
    'äcme',
    'a'.repeat(64),
  ]
  it.each(hostile)('%j is refused, in the form and before OAuth', (subdomain) => {
    expect(form(subdomain).success).toBe(false)
    expect(oauth.form?.safeParse({ subdomain }).success).toBe(false)
  })

  it.each(['acme', 'ACME', 'https://acme.zendesk.com', 'acme.zendesk.com/agent/dashboard', ' acme '])(
    '%j is acme',
    (subdomain) => {
      expect(form(subdomain).data).toMatchObject({ subdomain: 'acme' })
      expect(oauth.form?.parse({ subdomain })).toEqual({ subdomain: 'acme' })
    },
  )

  it('that was stored wrongly is never sent a request', async () => {
    await using zendesk = await openZendesk()
    const context = { ...contextFor(zendesk, { settings: { subdomain: 'evil.example' } }), baseUrl: null }
    expect(await failureFrom(check(context))).toMatchObject({ kind: 'rejected' })
    expect(() => oauth.authorizeUrl(context, {}, { redirectUrl, state: 's' })).toThrow('not set up')
    expect(zendesk.calls()).toEqual([])
  })
})

describe('OAuth', () => {
  it('asks for the subdomain first, then opens its page with scopes and challenge, and without a secret', async () => {
    await using zendesk = await openZendesk()
    expect(oauth.fields?.map(({ name }) => name)).toEqual(['subdomain'])
    const context = { ...contextFor(zendesk, { secrets: {} }), baseUrl: null }
    const url = new URL(
      oauth.authorizeUrl(
        context,
        { client_id: 'fb', client_secret: 's3cret' },
        { redirectUrl, state: 'a&b', codeChallenge },
      ),
    )
    expect(url.origin + url.pathname).toBe('https://tallybrook.zendesk.com/oauth/authorizations/new')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'fb',
      redirect_uri: redirectUrl,
      scope: 'read webhooks:write',
      state: 'a&b',
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    })
  })

  it('gives tokens that read, and tells when they end', async () => {
    await using zendesk = await openZendesk({ lifetime: 1800 })
    fill(zendesk, [madeUp('a', 2)])
    const asked = Date.now()
    const { context, signed } = await signIn(zendesk)
    expect(signed).toMatchObject({ account: 'tallybrook', settings: { subdomain: 'tallybrook' } })
    expect(Object.keys(signed.secrets).toSorted()).toEqual(['access_token', 'refresh_token'])
    const ends = signed.expiresAt?.getTime() ?? 0
    expect(ends).toBeGreaterThanOrEqual(asked + 1_800_000)
    expect(ends).toBeLessThanOrEqual(Date.now() + 1_800_000)
    expect((await drain(context)).items).toHaveLength(2)
  })

  it('that was cancelled returns without a code', async () => {
    await using zendesk = await openZendesk()
    const back = await person.consent({ ...attempt(zendesk), state: 'state with & and "' }, 'cancel')
    expect(Object.fromEntries(back.searchParams)).toEqual({ state: 'state with & and "', error: 'access_denied' })
  })

  it('accepts a code once, with the right client, address and verifier', async () => {
    await using zendesk = await openZendesk()
    const codeOf = () => person.codeOf(attempt(zendesk))
    const exchange = (code: string, more: Record<string, string> = {}, to = redirectUrl, verifier = codeVerifier) => {
      const app = { ...credentials(zendesk), ...more }
      return person.signIn({ ...attempt(zendesk), app, redirectUrl: to, codeVerifier: verifier }, code)
    }
    const code = await codeOf()
    await exchange(code)
    const refused = { kind: 'rejected', message: expect.stringContaining('refused to sign in') as string }
    expect(await failureFrom(exchange(code))).toMatchObject(refused)
    expect(await failureFrom(exchange(await codeOf(), {}, `${redirectUrl}/other`))).toMatchObject(refused)
    expect(await failureFrom(exchange(await codeOf(), {}, redirectUrl, 'w'.repeat(64)))).toMatchObject(refused)
    const wrong = await failureFrom(exchange(await codeOf(), { client_secret: 'wrong-secret' }))
    expect(wrong).toMatchObject(refused)
    expect(String(wrong)).not.toContain('wrong-secret')
  })

  it('refuses a sign-in without the scope read, and one of an agent', async () => {
    await using zendesk = await openZendesk()
    zendesk.signIns.narrow('webhooks:write')
    expect(await failureFrom(signIn(zendesk))).toMatchObject({
      kind: 'rejected',
      message: expect.stringContaining('lacks the scope read') as string,
    })
    zendesk.signIns.narrow(null)
    zendesk.setRole('agent')
    expect(await failureFrom(signIn(zendesk))).toMatchObject({
      kind: 'rejected',
      message: expect.stringContaining('agent') as string,
    })
  })
})

describe('a refresh', () => {
  it('replaces both tokens, and the old ones end', async () => {
    await using zendesk = await openZendesk({ lifetime: 60 })
    const { context } = await signIn(zendesk)
    zendesk.advance(120)
    expect(await failureFrom(check(context))).toMatchObject({ kind: 'auth' })
    const renewed = await refresh(context, credentials(zendesk))
    expect(ZendeskSecrets.safeParse(renewed.secrets).success).toBe(true)
    expect(renewed.expiresAt?.getTime()).toBeGreaterThan(Date.now())
    expect(renewed.secrets.refresh_token).not.toBe(context.secrets.refresh_token)
    expect((await check({ ...context, secrets: renewed.secrets })).account).toBe('tallybrook')
    const again = await failureFrom(refresh(context, credentials(zendesk)))
    expect(again).toMatchObject({ kind: 'auth', message: expect.stringMatching(/connect again/i) as string })
    expect(String(again)).not.toContain(context.secrets.refresh_token)
  })

  it('that is interrupted by an outage may be tried again', async () => {
    await using zendesk = await openZendesk()
    const { context } = await signIn(zendesk)
    zendesk.fault('500', 1, 'grant')
    expect(await failureFrom(refresh(context, credentials(zendesk)))).toMatchObject({ kind: 'unavailable' })
    const { secrets } = await refresh(context, credentials(zendesk))
    expect((await check({ ...context, secrets })).account).toBe('tallybrook')
  })

  it('needs a refresh token and the client', async () => {
    await using zendesk = await openZendesk()
    const { context } = await signIn(zendesk)
    expect(await failureFrom(refresh(context, null))).toMatchObject({ kind: 'auth' })
    expect(await failureFrom(refresh(contextFor(zendesk), credentials(zendesk)))).toMatchObject({ kind: 'auth' })
  })

  it('of a token that does not end is not needed', async () => {
    await using zendesk = await openZendesk()
    await using server = await startServer(({ url }, response) =>
      response.end(
        JSON.stringify(
          url.startsWith('/oauth') ? { access_token: 'a', scope: 'read' } : { user: { id: 1, role: 'admin' } },
        ),
      ),
    )
    const context = { ...contextFor(zendesk, { secrets: {} }), baseUrl: server.url }
    const signed = await oauth.exchange(context, credentials(zendesk), { redirectUrl, code: 'c' })
    expect(signed).toMatchObject({ secrets: { access_token: 'a' }, expiresAt: null })
    expect('refresh_token' in signed.secrets).toBe(false)
  })
})

describe('a disconnect', () => {
  it('revokes the tokens of OAuth, and only those', async () => {
    await using zendesk = await openZendesk()
    const other = await signIn(zendesk)
    const { context } = await signIn(zendesk)
    await revoke(context)
    expect(await failureFrom(check(context))).toMatchObject({ kind: 'auth' })
    expect((await check(other.context)).account).toBe('tallybrook')
    expect(zendesk.calls().filter(({ method }) => method === 'DELETE')).toHaveLength(1)
  })

  it('leaves a pasted token alone', async () => {
    await using zendesk = await openZendesk()
    const context = await signedIn(zendesk)
    const before = zendesk.calls().length
    await revoke(context)
    expect(zendesk.calls()).toHaveLength(before)
  })

  it('is over where Zendesk does not allow it, or where it was revoked before, and repeated after an outage', async () => {
    await using zendesk = await openZendesk()
    const { context } = await signIn(zendesk)
    const log = recordingLog()
    zendesk.fault('500', 1, 'revoke')
    expect(await failureFrom(revoke({ ...context, log }))).toMatchObject({ kind: 'unavailable' })
    await using server = await startServer(({ method, url }, response) => {
      const tokens = [{ id: 7, token: context.secrets.access_token?.slice(0, 10) }]
      if (method === 'GET')
        return void response.end(
          JSON.stringify({ tokens: url.includes('page') ? tokens : [], meta: { has_more: true, after_cursor: 'x' } }),
        )
      response.writeHead(403).end('{}')
    })
    await revoke({ ...context, log, baseUrl: server.url })
    expect(log.lines.join()).toContain('ends when it expires')
    expect(log.lines.join()).not.toContain(context.secrets.access_token)
    expect(server.seen.map(({ method, url }) => `${method} ${url.split('?')[0]}`)).toEqual([
      'GET /api/v2/oauth/tokens',
      'GET /api/v2/oauth/tokens',
      'DELETE /api/v2/oauth/tokens/7',
    ])
  })
})

it('the OAuth client has a form with a sealed secret, a variable for each field, and a guide with the redirect URL', () => {
  expect(credentialProblems(app, { client_id: 'fb', client_secret: 'a' })).toEqual([])
  const guide = app.guide({ redirectUrl, eventsUrl: 'https://fb.example/events' })
  expect(guide.steps.length).toBeGreaterThan(2)
  expect(guide.paste?.text).toBe(redirectUrl)
})
