import { describe, expect, it } from 'vitest'
import { failureFrom, startServer } from '../kit/testing.ts'
import { decide } from '../kit/worlds/sign-in.ts'
import type { TeamsSandbox } from '../sandbox/teams/control.ts'
import { app } from './app.ts'
import { check } from './check.ts'
import { teams as connector } from './index.ts'
import { manifest } from './manifest.ts'
import { oauth, refresh } from './oauth.ts'
import { contextFor, drain, openTeams, scripted, scriptedContext, signedIn } from './testing.ts'

const TENANT = '7f1c0a52-3a0e-4c5e-9d0b-1f6f5f6a7c01'
const REDIRECT = 'https://fb.example/api/teams/oauth'
const credentials = ({ clientId, clientSecret }: TeamsSandbox) => ({ client_id: clientId, client_secret: clientSecret })
const before = (sandbox: TeamsSandbox, tenant = sandbox.domain) =>
  contextFor(sandbox, { secrets: {}, settings: { tenant, client_id: undefined } })

/** Accepts or cancels on the consent page; returns what the browser brings back. */
async function consent(sandbox: TeamsSandbox, decision: 'allow' | 'cancel', tenant = sandbox.domain) {
  const request = { redirectUrl: REDIRECT, state: 'state-1' }
  const url = oauth.authorizeUrl(before(sandbox, tenant), credentials(sandbox), request)
  const { back } = await decide(url, decision)
  return { url: new URL(url), query: Object.fromEntries(back.searchParams) }
}

describe('admin consent', () => {
  it('returns without a code, and a token is minted', async () => {
    await using teams = await openTeams({ consented: false })
    const { url, query } = await consent(teams, 'allow')
    expect(url.pathname).toBe(`/${teams.domain}/adminconsent`)
    expect([...url.searchParams.keys()]).toEqual(['client_id', 'redirect_uri', 'state'])
    expect(query).toEqual({ state: 'state-1', tenant: teams.tenantId, admin_consent: 'True' })
    const request = { redirectUrl: REDIRECT, code: '', query }
    const signed = await oauth.exchange(before(teams), credentials(teams), request)
    expect(signed).toMatchObject({
      account: teams.tenantId,
      settings: { tenant: teams.domain, tenant_id: teams.tenantId },
      secrets: { access_token: expect.stringMatching(/^eyJ0\./) as string },
    })
    // The app's secret stays with the app.
    expect(Object.keys(signed.secrets)).toEqual(['access_token'])
    const inAnHour = Date.now() + 3_600_000
    expect(Math.abs((signed.expiresAt?.getTime() ?? 0) - inAnHour)).toBeLessThan(60_000)
  })

  it('goes to Microsoft, with the tenant in the path', () => {
    const context = { ...contextFor({ url: 'x' } as TeamsSandbox), baseUrl: null, settings: { tenant: 'acme.example' } }
    const url = oauth.authorizeUrl(context, { client_id: 'c' }, { redirectUrl: REDIRECT, state: 's' })
    expect(url).toMatch(/^https:\/\/login\.microsoftonline\.com\/acme\.example\/adminconsent\?client_id=c&/)
  })

  it.each([
    ['refused', { error: 'access_denied' }],
    ['not given', { admin_consent: 'False', tenant: '7f1c0a52-3a0e-4c5e-9d0b-1f6f5f6a7c01' }],
    ['given in another tenant', { admin_consent: 'True', tenant: '00000000-0000-4000-8000-000000000000' }],
    ['given in a malformed tenant', { admin_consent: 'True', tenant: '../evil' }],
    ['given without a tenant', { admin_consent: 'True' }],
  ])('that is %s signs nobody in', async (_, query: Record<string, string>) => {
    await using teams = await openTeams()
    const request = { redirectUrl: REDIRECT, code: '', query }
    const failing = oauth.exchange(before(teams), credentials(teams), request)
    expect(await failureFrom(failing)).toMatchObject({ kind: 'rejected' })
    expect(teams.issued()).toBe(0)
  })

  it('that lacks a permission names it', async () => {
    await using teams = await openTeams({ consented: false })
    teams.post({ channel: 'General', author: 'Ann', text: 'one' })
    teams.withdraw('ChannelMessage.Read.All')
    const { query } = await consent(teams, 'allow')
    const failing = oauth.exchange(before(teams), credentials(teams), { redirectUrl: REDIRECT, code: '', query })
    expect(await failureFrom(failing)).toMatchObject({
      message: expect.stringContaining('the permission ChannelMessage.Read.All is missing') as string,
    })
  })
})

describe('the tenant', () => {
  const parse = (tenant: unknown) => oauth.form?.safeParse({ tenant })

  it.each(['acme.onmicrosoft.com', ' ACME.example ', '7F1C0A52-3a0e-4c5e-9d0b-1f6f5f6a7c01', 'a.xn--p1ai'])(
    'may be %j',
    (tenant) => {
      expect(parse(tenant)).toMatchObject({ success: true, data: { tenant: tenant.trim().toLowerCase() } })
    },
  )

  it.each([
    'common',
    'organizations',
    'consumers',
    '',
    'acme.example/..',
    'acme.example@evil.example',
    'https://acme.example',
    'acme.example?x',
    '127.0.0.1',
    'a..b',
    '-a.example',
    '%2e%2e.example',
    `${'a'.repeat(300)}.example`,
    7,
    null,
  ])('may not be %j', (tenant) => {
    expect(parse(tenant)).toMatchObject({ success: false })
  })

  it('that does not exist is refused', async () => {
    await using teams = await openTeams()
    const failing = check(contextFor(teams, { settings: { tenant: 'nobody.example' } }))
    expect(await failureFrom(failing)).toMatchObject({
      kind: 'rejected',
      message: expect.stringMatching(/no Microsoft tenant/) as string,
    })
  })
})

describe('pasted credentials', () => {
  it('sign in, by the id of the tenant', async () => {
    await using teams = await openTeams()
    const signed = await check(contextFor(teams))
    expect(signed).toMatchObject({
      account: teams.tenantId,
      settings: { tenant: teams.domain, tenant_id: teams.tenantId, client_id: teams.clientId },
      secrets: { client_secret: teams.clientSecret },
      expiresAt: expect.any(Date) as Date,
    })
  })

  it.each([
    ['another secret', { client_secret: 'wrong' }, {}, /client secret is not the right one/],
    ['another app', {}, { client_id: '00000000-0000-4000-8000-000000000000' }, /does not exist in this tenant/],
  ])('with %s are refused with the reason, without the secret', async (_, secrets, settings, reason) => {
    await using teams = await openTeams()
    const given = { secrets: { client_secret: teams.clientSecret, ...secrets }, settings }
    const error = await failureFrom(check(contextFor(teams, given)))
    expect(error).toMatchObject({ kind: 'auth', message: expect.stringMatching(reason) as string })
    expect((error as Error).message).not.toContain(given.secrets.client_secret)
  })

  it('without consent are refused', async () => {
    await using teams = await openTeams({ consented: false })
    expect(await failureFrom(check(contextFor(teams)))).toMatchObject({
      message: expect.stringMatching(/Give admin consent/) as string,
    })
  })

  it('are parsed by the form, where anything else is refused', () => {
    const form = { tenant: 'acme.example', client_id: '3b1f4c1e-9a53-4a52-9c06-0f3a3b8f1d02', client_secret: 'a~b' }
    expect(manifest.form.safeParse(form).success).toBe(true)
    for (const wrong of [
      { client_id: 'acme' },
      { client_secret: '' },
      { client_secret: 'a b' },
      { tenant: 'common' },
    ]) {
      expect(manifest.form.safeParse({ ...form, ...wrong }).success).toBe(false)
    }
    expect(manifest.secretFields).toEqual(['client_secret'])
  })
})

describe('the permissions', () => {
  const CHANNELS = [{ id: '19:a@thread.tacv2', displayName: 'General' }]
  const TEAMS = ['new', 'old'].map((id) => ({ id, displayName: id }))
  const PROTECTED =
    'Invoked API requires Protected API access in application-only context when not using Resource Specific Consent.'

  it('are tried with the next team where Microsoft does not show one, such as one that is being created', async () => {
    const channels = (_: URLSearchParams, path: string) =>
      path.includes('/new/') ? { status: 404, error: { code: 'NotFound', message: 'No team' } } : { value: CHANNELS }
    await using server = await startServer(scripted({ teams: () => ({ value: TEAMS }), channels }))
    expect(
      await check(scriptedContext(server.url, { settings: { tenant_id: undefined, tenant: TENANT } })),
    ).toMatchObject({ account: TENANT })
    const asked = server.seen.map(({ url }) => decodeURIComponent(url.split('?')[0] ?? '').replace('/v1.0/', ''))
    expect(asked).toEqual([
      'teams',
      'teams/new/channels',
      'teams/old/channels',
      'teams/old/channels/19:a@thread.tacv2/messages',
    ])
  })

  it('include the access to protected APIs, which is named', async () => {
    const messages = () => ({ status: 403, error: { code: 'Forbidden', message: PROTECTED } })
    await using server = await startServer(scripted({ messages }))
    const error = await failureFrom(check(scriptedContext(server.url, { settings: { tenant: TENANT } })))
    expect(error).toMatchObject({
      kind: 'auth',
      message:
        'Microsoft does not allow channel messages: the app may not use its protected APIs. Request access to them for the app from Microsoft and connect again',
    })
  })

  it('are those of the own app, also where another app of the tenant was shown more', async () => {
    await using teams = await openTeams()
    teams.post({ channel: 'General', author: 'Ann', text: 'one' })
    const one = await signedIn(teams)
    const other = { ...(await signedIn(teams)), cache: one.cache }
    await drain(one)
    teams.withdraw('Team.ReadBasic.All')
    expect(await failureFrom(drain(other))).toMatchObject({ kind: 'auth' })
  })
})

describe('the token', () => {
  it.each([
    ['a busy Entra', 400, { error: 'temporarily_unavailable', error_codes: [90033] }],
    ['too many requests of the tenant', 400, { error: 'invalid_request', error_codes: [90055] }],
    ['a proxy', 403, '<!doctype html>Forbidden'],
  ])('that %s does not issue for now does not end the sign-in', async (_, status, body) => {
    await using server = await startServer((_request, response) =>
      response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body)),
    )
    const context = { ...scriptedContext(server.url), secrets: { client_secret: 'a~b' } }
    const settings = { ...context.settings, client_id: '3b1f4c1e-9a53-4a52-9c06-0f3a3b8f1d02' }
    expect(await failureFrom(refresh({ ...context, settings }, null))).toMatchObject({ kind: 'unavailable' })
  })

  it('is minted again from pasted credentials, which are kept', async () => {
    await using teams = await openTeams({ lifetime: 3600 })
    teams.post({ channel: 'General', author: 'Ann', text: 'one' })
    const context = await signedIn(teams)
    teams.advance(3601)
    expect(await failureFrom(drain(context))).toMatchObject({ kind: 'auth' })
    const { secrets, expiresAt } = await refresh(context, null)
    expect(secrets.client_secret).toBe(teams.clientSecret)
    expect(secrets.access_token).not.toBe(context.secrets.access_token)
    expect(expiresAt).toBeInstanceOf(Date)
    expect((await drain({ ...context, secrets })).items).toHaveLength(1)
  })

  it('is minted from the app where nothing was pasted, and without an app the sign-in is over', async () => {
    await using teams = await openTeams()
    const context = { ...before(teams), secrets: { access_token: 'old' } }
    const { secrets } = await refresh(context, credentials(teams))
    expect(Object.keys(secrets)).toEqual(['access_token'])
    expect(await failureFrom(refresh(context, null))).toMatchObject({ kind: 'auth' })
  })

  it('is not issued after consent was withdrawn', async () => {
    await using teams = await openTeams()
    const context = await signedIn(teams)
    teams.revokeAll()
    expect(await failureFrom(refresh(context, null))).toMatchObject({
      kind: 'auth',
      message: expect.stringMatching(/connect again/) as string,
    })
  })
})

it('explains the app step by step, with each permission', () => {
  const { steps, paste } = app.guide({ redirectUrl: REDIRECT, eventsUrl: 'https://fb.example/api/teams/events' })
  const text = steps.join('\n')
  for (const name of ['ChannelMessage.Read.All', 'Channel.ReadBasic.All', 'Team.ReadBasic.All', 'User.Read.All']) {
    expect(text).toContain(name)
  }
  expect(paste?.text).toBe(REDIRECT)
})

it('reads nothing until teams are chosen', () => {
  expect(connector.choicesRequired).toBe(true)
})
