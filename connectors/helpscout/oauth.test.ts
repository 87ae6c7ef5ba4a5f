import { describe, expect, it } from 'vitest'
import { failureFrom, startServer } from '../kit/testing.ts'
import { credentialProblems } from '../kit/worlds/app.ts'
import * as person from '../kit/worlds/sign-in.ts'
import type { HelpScoutSandbox } from '../sandbox/helpscout/control.ts'
import { app } from './app.ts'
import { check } from './check.ts'
import { HelpScoutSecrets } from './manifest.ts'
import { oauth, refresh } from './oauth.ts'
import { contextFor, drain, fill, many, openHelpScout, signedIn } from './testing.ts'

const redirectUrl = 'https://fb.example/api/helpscout/oauth'
const open = () => openHelpScout({ redirectUrl })
const credentials = ({ clientId, clientSecret }: HelpScoutSandbox) => ({
  client_id: clientId,
  client_secret: clientSecret,
})
/** Before the sign-in there are neither settings nor secrets. */
const start = (sandbox: HelpScoutSandbox) => contextFor(sandbox, { secrets: {}, settings: { app_id: undefined } })

const attempt = (sandbox: HelpScoutSandbox): person.Attempt => ({
  oauth,
  context: start(sandbox),
  app: credentials(sandbox),
  redirectUrl,
})

async function signIn(sandbox: HelpScoutSandbox) {
  const signed = await person.signIn(attempt(sandbox))
  return { context: { ...start(sandbox), settings: signed.settings, secrets: signed.secrets }, signed }
}

describe('OAuth', () => {
  it('opens Help Scout’s page with the app and the state, and without a secret', () => {
    const context = { baseUrl: null } as Parameters<typeof oauth.authorizeUrl>[0]
    const url = new URL(
      oauth.authorizeUrl(context, { client_id: 'fb', client_secret: 's3cret' }, { redirectUrl, state: 'a&b' }),
    )
    expect(url.origin + url.pathname).toBe('https://secure.helpscout.net/authentication/authorizeClientApplication')
    expect(Object.fromEntries(url.searchParams)).toEqual({ client_id: 'fb', state: 'a&b' })
  })

  it('gives tokens that read, and tells when they end', async () => {
    await using sandbox = await open()
    fill(sandbox, many(2))
    const asked = Date.now()
    const { context, signed } = await signIn(sandbox)
    expect(signed).toMatchObject({ account: '4', settings: { name: sandbox.email } })
    expect('app_id' in signed.settings).toBe(false)
    expect(Object.keys(signed.secrets).toSorted()).toEqual(['access_token', 'refresh_token'])
    expect(HelpScoutSecrets.safeParse(signed.secrets).data).toEqual(signed.secrets)
    const ends = signed.expiresAt?.getTime() ?? 0
    expect(ends).toBeGreaterThanOrEqual(asked + 172_800_000)
    expect(ends).toBeLessThanOrEqual(Date.now() + 172_800_000)
    expect((await drain(context)).items).toHaveLength(2)
  })

  it('that was cancelled returns with the state and without a code', async () => {
    await using sandbox = await open()
    const back = await person.consent({ ...attempt(sandbox), state: 'state with & and "' }, 'cancel')
    expect(Object.fromEntries(back.searchParams)).toEqual({ state: 'state with & and "', error: 'access_denied' })
    expect(back.href.startsWith(redirectUrl)).toBe(true)
  })

  it('accepts a code once, with the right app', async () => {
    await using sandbox = await open()
    const exchange = (code: string, more: Record<string, string> = {}) =>
      person.signIn({ ...attempt(sandbox), app: { ...credentials(sandbox), ...more } }, code)
    const code = await person.codeOf(attempt(sandbox))
    await exchange(code)
    const refused = { kind: 'rejected', message: expect.stringContaining('refused to sign in') as string }
    expect(await failureFrom(exchange(code))).toMatchObject(refused)
    const wrong = await failureFrom(exchange(await person.codeOf(attempt(sandbox)), { client_secret: 'wrong-secret' }))
    expect(wrong).toMatchObject(refused)
    expect(String(wrong)).not.toContain('wrong-secret')
  })
})

describe('a refresh', () => {
  it('replaces both tokens: the old refresh token is accepted once', async () => {
    await using sandbox = await open()
    const { context } = await signIn(sandbox)
    sandbox.signIns.expireAll()
    expect(await failureFrom(check(context))).toMatchObject({ kind: 'auth' })
    const renewed = await refresh(context, credentials(sandbox))
    expect(HelpScoutSecrets.safeParse(renewed.secrets).data).toEqual(renewed.secrets)
    expect(renewed.expiresAt?.getTime()).toBeGreaterThan(Date.now())
    expect(renewed.secrets.refresh_token).not.toBe(context.secrets.refresh_token)
    expect((await check({ ...context, secrets: renewed.secrets })).account).toBe('4')
    const again = await failureFrom(refresh(context, credentials(sandbox)))
    expect(again).toMatchObject({ kind: 'auth', message: expect.stringMatching(/connect again/i) as string })
    expect(String(again)).not.toContain(context.secrets.refresh_token)
    const next = await refresh({ ...context, secrets: renewed.secrets }, credentials(sandbox))
    expect((await check({ ...context, secrets: next.secrets })).account).toBe('4')
  })

  it('that is interrupted by an outage may be tried again', async () => {
    await using sandbox = await open()
    const { context } = await signIn(sandbox)
    sandbox.fault('500', 1, 'token')
    expect(await failureFrom(refresh(context, credentials(sandbox)))).toMatchObject({ kind: 'unavailable' })
    const { secrets } = await refresh(context, credentials(sandbox))
    expect(await check({ ...context, secrets })).toMatchObject({ account: '4', secrets })
  })

  it('needs a refresh token and the app', async () => {
    await using sandbox = await open()
    const { context } = await signIn(sandbox)
    const before = sandbox.calls().length
    expect(await failureFrom(refresh(context, null))).toMatchObject({ kind: 'auth' })
    const bare = { ...context, secrets: { access_token: 'a' } }
    expect(await failureFrom(refresh(bare, credentials(sandbox)))).toMatchObject({ kind: 'auth' })
    expect(await failureFrom(refresh({ ...context, secrets: {} }, credentials(sandbox)))).toMatchObject({
      kind: 'auth',
    })
    expect(sandbox.calls()).toHaveLength(before)
  })

  it('keeps the refresh token where Help Scout returns no new one', async () => {
    await using sandbox = await open()
    const { context } = await signIn(sandbox)
    await using server = await startServer((_, response) => response.end('{"access_token":"new","expires_in":172800}'))
    const renewed = await refresh({ ...context, baseUrl: server.url }, credentials(sandbox))
    expect(renewed.secrets).toEqual({ access_token: 'new', refresh_token: context.secrets.refresh_token })
    expect(server.seen[0]?.url).toBe('/v2/oauth2/token')
    expect(server.seen[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(server.seen[0]?.headers.authorization).toBeUndefined()
  })

  it('with client credentials uses the app of the form, never the one of OAuth', async () => {
    await using sandbox = await open()
    const context = await signedIn(sandbox)
    const { secrets } = await refresh(context, { client_id: 'another', client_secret: 'another' })
    expect(secrets.app_secret).toBe(sandbox.clientSecret)
  })
})

it('the app has a form with a sealed secret, a variable for each field, and a guide with the redirection URL', () => {
  expect(credentialProblems(app, { client_id: 'fb', client_secret: 'a' })).toEqual([])
  const guide = app.guide({ redirectUrl, eventsUrl: 'https://fb.example/events' })
  expect(guide.steps.length).toBeGreaterThan(2)
  expect(guide.paste?.text).toBe(redirectUrl)
})
