import { describe, expect, it } from 'vitest'
import type { Context } from '../connector.ts'
import { AuthExpired, Rejected } from '../kit/errors.ts'
import { failureFrom, startServer } from '../kit/testing.ts'
import { signIn } from '../kit/worlds/sign-in.ts'
import type { AzureSandbox } from '../sandbox/azure/azure.ts'
import { app } from './app.ts'
import { check } from './check.ts'
import { oauth, refresh } from './oauth.ts'
import { contextFor, openAzure } from './testing.ts'

const redirectUrl = 'https://feedback.example.com/api/azure/callback'

const appOf = ({ signIns }: AzureSandbox): Record<string, string> => ({
  tenant: signIns.tenant,
  client_id: signIns.clientId,
  client_secret: signIns.clientSecret,
})

const signedIn = (azure: AzureSandbox) =>
  signIn({ oauth, context: contextFor(azure, { secrets: {} }), app: appOf(azure), redirectUrl })

describe('a sign-in that ends', () => {
  it('is renewed with the refresh token, which Microsoft replaces', async () => {
    await using azure = await openAzure()
    const first = await signedIn(azure)
    azure.advance(3601)
    expect(await failureFrom(check(contextFor(azure, { secrets: first.secrets })))).toBeInstanceOf(AuthExpired)
    const now = new Date('2026-11-23T10:00:00Z')
    const renewed = await refresh(contextFor(azure, { secrets: first.secrets, now: () => now }), appOf(azure))
    expect(renewed.expiresAt).toEqual(new Date('2026-11-23T11:00:00Z'))
    expect(renewed.secrets['refresh_token']).not.toBe(first.secrets['refresh_token'])
    expect(await check(contextFor(azure, { secrets: renewed.secrets }))).toMatchObject({ account: first.account })
    const used = await failureFrom(refresh(contextFor(azure, { secrets: first.secrets }), appOf(azure)))
    expect(used).toMatchObject({
      kind: 'auth',
      message: 'Microsoft no longer accepts the sign-in (AADSTS700082). Connect again',
    })
  })

  it('asks again for the same scope, with the secret in the body only', async () => {
    await using azure = await openAzure()
    const { secrets } = await signedIn(azure)
    const sent: { url: string; body: string }[] = []
    const context = contextFor(azure, { secrets })
    const http = {
      request: (request: Parameters<Context['http']['request']>[0]) => {
        sent.push({ url: request.url, body: String(request.body) })
        return context.http.request(request)
      },
    }
    await refresh({ ...context, http }, appOf(azure))
    expect(sent).toHaveLength(1)
    expect(sent[0]?.url).toBe(`${azure.url}/${azure.signIns.tenant}/oauth2/v2.0/token`)
    expect(Object.fromEntries(new URLSearchParams(sent[0]?.body))).toEqual({
      grant_type: 'refresh_token',
      refresh_token: secrets['refresh_token'],
      scope: '499b84ac-1321-427f-aa17-267ca6975798/.default offline_access',
      client_id: azure.signIns.clientId,
      client_secret: azure.signIns.clientSecret,
    })
  })

  it.each([[{ access_token: 'a' }], [{ pat: 'a'.repeat(52) }], [{}]])('cannot be renewed with %j', async (secrets) => {
    await using azure = await openAzure()
    const error = await failureFrom(refresh(contextFor(azure, { secrets: { ...secrets } }), appOf(azure)))
    expect(error).toBeInstanceOf(AuthExpired)
    expect(azure.calls).toEqual([])
  })

  it('cannot be renewed without the app, nor with another tenant', async () => {
    await using azure = await openAzure()
    const context = contextFor(azure, { secrets: (await signedIn(azure)).secrets })
    expect(await failureFrom(refresh(context, null))).toBeInstanceOf(AuthExpired)
    expect(await failureFrom(refresh(context, { ...appOf(azure), tenant: '../x' }))).toBeInstanceOf(Rejected)
  })

  it('is over where Microsoft says so, and not where it is unavailable', async () => {
    await using azure = await openAzure()
    const context = contextFor(azure, { secrets: (await signedIn(azure)).secrets })
    const unavailable = { ...context, baseUrl: 'http://127.0.0.1:9' }
    expect(await failureFrom(refresh(unavailable, appOf(azure)))).toMatchObject({ kind: 'unavailable' })
    azure.signIns.end()
    expect(await failureFrom(refresh(context, appOf(azure)))).toBeInstanceOf(AuthExpired)
  })

  it.each([
    [400, 'temporarily_unavailable', 'AADSTS90033: customer words', 'unavailable', 'at the moment'],
    [400, 'invalid_request', 'AADSTS90033: customer words', 'unavailable', 'at the moment'],
    [400, 'server_error', 'customer words', 'unavailable', 'at the moment'],
    [503, 'temporarily_unavailable', 'customer words', 'unavailable', 'temporarily unavailable'],
    [429, 'invalid_request', 'customer words', 'rate-limited', 'a pause of 60 seconds'],
    [
      401,
      'invalid_client',
      'AADSTS7000222: customer words',
      'unavailable',
      'the client ID or the secret of the app (AADSTS7000222)',
    ],
    [400, 'invalid_grant', 'AADSTS700082: customer words', 'auth', '(AADSTS700082)'],
  ])('with %i %s %j fails as %s', async (status, error, error_description, kind, words) => {
    await using azure = await openAzure()
    await using server = await startServer((_, response) =>
      response.writeHead(status).end(JSON.stringify({ error, error_description })),
    )
    const secrets = { access_token: 'a', refresh_token: 'r' }
    const failure = await failureFrom(refresh({ ...contextFor(azure, { secrets }), baseUrl: server.url }, appOf(azure)))
    expect(failure).toMatchObject({ kind, message: expect.stringContaining(words) })
    expect((failure as Error).message).not.toContain('customer words')
  })
})

describe('the app', () => {
  it('is set up with the redirect address, and can come from the environment', () => {
    const { steps, paste } = app.guide({ redirectUrl, eventsUrl: 'https://feedback.example.com/api/azure/events' })
    expect(paste).toEqual({ label: 'Redirect URI', text: redirectUrl })
    for (const scope of ['vso.work_write', 'vso.project', 'vso.profile']) expect(steps.join('\n')).toContain(scope)
    expect(Object.keys(app.environment)).toEqual(app.fields.map(({ name }) => name))
    // What the server reads of its environment, and not the identity of a machine that runs in Azure.
    for (const name of Object.values(app.environment)) expect(name).toMatch(/^[A-Z]+_APP_[A-Z_]+$/)
    expect(app.secretFields).toEqual(['client_secret'])
  })

  it.each([
    [{ client_id: '' }],
    [{ client_secret: '' }],
    [{ client_secret: 'two words' }],
    [{ client_secret: 'x'.repeat(513) }],
  ])('is refused with %j', (part) => {
    const whole = { tenant: 'organizations', client_id: 'c', client_secret: 's' }
    expect(app.form.safeParse(whole).success).toBe(true)
    expect(app.form.safeParse({ ...whole, ...part }).success).toBe(false)
  })

  it.each(['../common', 'a b', 'https://evil.example.com', 'evil.example.com/x', ''])(
    'refuses the tenant %j before any request',
    (tenant) => {
      const request = { redirectUrl, state: 's' }
      expect(() => oauth.authorizeUrl({ baseUrl: null } as Context, { tenant }, request)).toThrow(Rejected)
      expect(app.form.safeParse({ tenant, client_id: 'c', client_secret: 's' }).success).toBe(false)
    },
  )

  it.each(['3f2b6a0c-2f0d-4c57-9f0e-6b1d1f5f0a01', 'fabrikam.onmicrosoft.com', 'organizations'])(
    'accepts the tenant %j',
    (tenant) => {
      expect(app.form.safeParse({ tenant, client_id: 'c', client_secret: 's' }).success).toBe(true)
    },
  )
})
