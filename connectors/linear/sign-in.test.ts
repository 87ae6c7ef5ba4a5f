import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Context } from '../connector.ts'
import { AuthExpired, Rejected } from '../kit/errors.ts'
import { failureFrom } from '../kit/testing.ts'
import { type Attempt, addressOf, decide, signIn as signInBy } from '../kit/worlds/sign-in.ts'
import type { LinearSandbox } from '../sandbox/linear/linear.ts'
import { check } from './check.ts'
import { manifest } from './manifest.ts'
import { oauth, refresh, revoke } from './oauth.ts'
import { contextFor, openLinear } from './testing.ts'

const redirectUrl = 'https://feedback.example.com/api/linear/callback'
const codeVerifier = 'v'.repeat(64)
const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')

const appOf = ({ signIns }: LinearSandbox) => ({ client_id: signIns.clientId, client_secret: signIns.clientSecret })

const attempt = (linear: LinearSandbox, context: Context): Attempt => ({
  oauth,
  context,
  app: appOf(linear),
  redirectUrl,
  state: 'the state',
  codeVerifier,
})

/** Decides on the consent page, which names the workspace, and returns the address that follows. */
async function consent(linear: LinearSandbox, context: Context, decision?: 'cancel'): Promise<URL> {
  const { page, back } = await decide(addressOf(attempt(linear, context)), decision)
  expect(page).toContain('Fernweh')
  return back
}

const signIn = (linear: LinearSandbox, now: () => Date = () => new Date()) =>
  signInBy(attempt(linear, contextFor(linear, { secrets: {}, now })))

describe('an API key', () => {
  it('belongs to a workspace, whose name is on the tile', async () => {
    await using linear = await openLinear()
    const { organization } = linear.workspace
    const { account, settings, secrets } = await check(contextFor(linear))
    expect(account).toBe(organization.id)
    expect(settings).toEqual({ name: 'Fernweh', organization_id: organization.id })
    expect(secrets).toEqual({ api_key: linear.signIns.apiKey })
    expect(manifest.describe(settings, secrets).name).toBe('Fernweh')
  })

  it('that Linear does not know is refused', async () => {
    await using linear = await openLinear()
    const error = await failureFrom(check(contextFor(linear, { secrets: { api_key: 'lin_api_wrong_wrong_wrong' } })))
    expect(error).toBeInstanceOf(AuthExpired)
    expect((error as Error).message).not.toContain('lin_api')
  })

  it.each([
    ['lin_api_0123456789abcdef0123', true],
    ['  lin_api_0123456789abcdef0123\n', true],
    ['lin_api_short', false],
    ['lin_api_with spaces in between it', false],
    ['lin_oauth_0123456789abcdef0123', false],
    [`lin_api_${'x'.repeat(600)}`, false],
  ])('%j is accepted by the form: %s', (api_key, accepted) => {
    expect(manifest.form.safeParse({ api_key }).success).toBe(accepted)
  })

  it('is not revoked at the end, because it may be in use elsewhere', async () => {
    await using linear = await openLinear()
    await revoke(contextFor(linear))
    expect(linear.calls).toEqual([])
  })

  it('is missing where nothing is connected', async () => {
    await using linear = await openLinear()
    expect(await failureFrom(check(contextFor(linear, { secrets: {} })))).toBeInstanceOf(Rejected)
    expect(linear.calls).toEqual([])
  })
})

describe('signing in with OAuth', () => {
  it('asks on Linear’s own host, as the application, for four scopes', () => {
    const context = { baseUrl: null } as Context
    const url = new URL(oauth.authorizeUrl(context, { client_id: 'c' }, { redirectUrl, state: 's', codeChallenge }))
    expect(`${url.origin}${url.pathname}`).toBe('https://linear.app/oauth/authorize')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'c',
      redirect_uri: redirectUrl,
      response_type: 'code',
      scope: 'read,write,issues:create,comments:create',
      state: 's',
      actor: 'app',
      prompt: 'consent',
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    })
  })

  it('returns the workspace, both tokens and when they end', async () => {
    await using linear = await openLinear()
    const now = new Date('2026-11-23T10:00:00Z')
    const { account, secrets, expiresAt, settings } = await signIn(linear, () => now)
    expect(account).toBe(linear.workspace.organization.id)
    expect(settings).toMatchObject({ name: 'Fernweh' })
    expect(Object.keys(secrets).toSorted()).toEqual(['access_token', 'refresh_token'])
    expect(expiresAt).toEqual(new Date('2026-11-24T10:00:00Z'))
    expect(await check(contextFor(linear, { secrets }))).toMatchObject({ account })
  })

  it('returns the state, and nothing to exchange where the person declined', async () => {
    await using linear = await openLinear()
    const { searchParams } = await consent(linear, contextFor(linear), 'cancel')
    expect(Object.fromEntries(searchParams)).toEqual({ state: 'the state', error: 'access_denied' })
  })

  it.each([
    ['a wrong secret', { client_secret: 'wrong' }, {}],
    ['another verifier', {}, { codeVerifier: 'w'.repeat(64) }],
    ['another address', {}, { redirectUrl: 'https://other.example.com/' }],
    ['another code', {}, { code: 'unknown' }],
  ])('is refused with %s', async (_, otherApp, request) => {
    await using linear = await openLinear()
    const context = contextFor(linear, { secrets: {} })
    const code = (await consent(linear, context)).searchParams.get('code') ?? ''
    const error = await failureFrom(
      oauth.exchange(context, { ...appOf(linear), ...otherApp }, { redirectUrl, code, codeVerifier, ...request }),
    )
    expect(error).toMatchObject({ kind: 'rejected', message: expect.stringContaining('check the client ID') })
    expect(JSON.stringify(error)).not.toContain(linear.signIns.clientSecret)
  })

  it('names the scopes that were not granted', async () => {
    await using linear = await openLinear()
    linear.signIns.allowed = ['read', 'issues:create']
    const error = await failureFrom(signIn(linear))
    expect((error as Error).message).toBe(
      'The sign-in at Linear lacks write, comments:create. Allow it and connect again',
    )
  })

  it('needs no narrow scope beside write', async () => {
    await using linear = await openLinear()
    linear.signIns.allowed = ['read', 'write']
    expect(await signIn(linear)).toMatchObject({ account: linear.workspace.organization.id })
  })

  it('sends its client secret as Linear documents, never in an address', async () => {
    await using linear = await openLinear()
    await signIn(linear)
    expect(linear.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /oauth/authorize',
      'POST /oauth/authorize',
      'POST /oauth/token',
      'POST /graphql',
    ])
  })
})

describe('a sign-in that ends', () => {
  it('is renewed with the refresh token, which Linear replaces', async () => {
    await using linear = await openLinear()
    const first = await signIn(linear)
    linear.advance(2 * 86_400)
    expect(await failureFrom(check(contextFor(linear, { secrets: first.secrets })))).toBeInstanceOf(AuthExpired)
    const now = new Date('2026-11-23T10:00:00Z')
    const renewed = await refresh(contextFor(linear, { secrets: first.secrets, now: () => now }), appOf(linear))
    expect(renewed.expiresAt).toEqual(new Date('2026-11-24T10:00:00Z'))
    expect(renewed.secrets.refresh_token).not.toBe(first.secrets.refresh_token)
    expect(await check(contextFor(linear, { secrets: renewed.secrets }))).toMatchObject({ account: first.account })
    const used = failureFrom(refresh(contextFor(linear, { secrets: first.secrets }), appOf(linear)))
    expect(await used).toMatchObject({ kind: 'auth', message: 'Linear no longer accepts the sign-in. Connect again' })
  })

  it.each([[{ access_token: 'a' }], [{ api_key: 'lin_api_0123456789abcdef' }], [{}]])(
    'cannot be renewed with %j',
    async (secrets) => {
      await using linear = await openLinear()
      const error = await failureFrom(refresh(contextFor(linear, { secrets }), appOf(linear)))
      expect(error).toBeInstanceOf(AuthExpired)
      expect(linear.calls).toEqual([])
    },
  )

  it('cannot be renewed without the application', async () => {
    await using linear = await openLinear()
    const { secrets } = await signIn(linear)
    expect(await failureFrom(refresh(contextFor(linear, { secrets }), null))).toBeInstanceOf(AuthExpired)
  })

  it('is revoked at the end, also when it is over already', async () => {
    await using linear = await openLinear()
    const { secrets } = await signIn(linear)
    expect(linear.signIns.live()).toBe(1)
    await revoke(contextFor(linear, { secrets }))
    expect(linear.signIns.live()).toBe(0)
    await revoke(contextFor(linear, { secrets }))
    expect(await failureFrom(check(contextFor(linear, { secrets })))).toBeInstanceOf(AuthExpired)
  })
})
