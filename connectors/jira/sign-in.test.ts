import { describe, expect, it } from 'vitest'
import type { Context } from '../connector.ts'
import { AuthExpired, Rejected } from '../kit/errors.ts'
import { failureFrom } from '../kit/testing.ts'
import { app } from './app.ts'
import { check } from './check.ts'
import { manifest } from './manifest.ts'
import { oauth, refresh } from './oauth.ts'
import { appOf, consent, contextFor, openJira, signIn } from './testing.ts'
import { tracker } from './tracker.ts'

const redirectUrl = 'https://feedback.example.com/api/jira/callback'

describe('the form', () => {
  const form = { host: 'acme.atlassian.net', email: 'ann@acme.example', api_token: 'ATATT3x-0123456789' }

  it.each([
    ['acme.atlassian.net', 'acme.atlassian.net'],
    ['  Acme-2.Atlassian.net ', 'acme-2.atlassian.net'],
    ['https://acme.atlassian.net/jira/software/projects/X', 'acme.atlassian.net'],
    ['https://acme.atlassian.net?x=1', 'acme.atlassian.net'],
  ])('takes the site %j as %j', (host, read) => {
    expect(manifest.form.parse({ ...form, host })).toEqual({ ...form, host: read })
  })

  it.each([
    'acme',
    'acme.example.com',
    'acme.atlassian.net.evil.example',
    'evil.example/acme.atlassian.net',
    'https://evil.example/?x=.atlassian.net',
    'https://acme.atlassian.net@evil.example/',
    'https://ann:secret@acme.atlassian.net/',
    'http://acme.atlassian.net',
    'a.b.atlassian.net',
    'acme.atlassian.net:8443',
    '127.0.0.1',
    'localhost',
    '.atlassian.net',
    `${'x'.repeat(200)}.atlassian.net`,
  ])('refuses the site %j', (host) => {
    expect(manifest.form.safeParse({ ...form, host }).success).toBe(false)
  })

  it.each([
    { email: 'no address' },
    { email: 'ann:x@acme.example' },
    { api_token: 'short' },
    { api_token: 'with a space in it' },
    { api_token: 'x'.repeat(1025) },
  ])('refuses %j', (wrong) => {
    expect(manifest.form.safeParse({ ...form, ...wrong }).success).toBe(false)
  })

  it('seals the token only', () => {
    expect(manifest.secretFields).toEqual(['api_token'])
  })
})

describe('an API token', () => {
  it('belongs to a site, whose address is on the tile', async () => {
    await using jira = await openJira()
    const context = contextFor(jira)
    const { account, settings, secrets } = await check(context)
    expect(account).toBe('fernweh.atlassian.net')
    expect(settings).toEqual({ host: 'fernweh.atlassian.net', email: jira.signIns.email })
    expect(secrets).toEqual({ api_token: jira.signIns.apiToken })
    expect(manifest.describe(settings, secrets).name).toBe('fernweh.atlassian.net')
    expect(jira.calls.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /rest/api/3/myself'])
  })

  it('is sent to the site itself', async () => {
    await using jira = await openJira()
    const urls: string[] = []
    const http: Context['http'] = {
      request: ({ url }) => {
        urls.push(url)
        return Promise.reject(new Rejected('not sent'))
      },
    }
    await failureFrom(check({ ...contextFor(jira), baseUrl: null, http }))
    expect(urls).toEqual(['https://fernweh.atlassian.net/rest/api/3/myself'])
  })

  it('that Jira does not know is refused', async () => {
    await using jira = await openJira()
    const error = await failureFrom(check(contextFor(jira, { secrets: { api_token: 'wrong-token-wrong' } })))
    expect(error).toBeInstanceOf(AuthExpired)
    expect(JSON.stringify(error)).not.toContain('wrong-token')
  })

  it('that is treated as an anonymous visitor’s is refused, so that no issue looks gone', async () => {
    await using jira = await openJira()
    const context = contextFor(jira, { secrets: { api_token: 'wrong-token-wrong' } })
    jira.signIns.anonymous = true
    const remote = { id: '10001', url: null, label: 'GROW-1', status: 'open' as const, statusName: null, data: {} }
    for (const work of [tracker.readStatus(context, [remote]), tracker.find(context, 'm'), check(context)]) {
      expect(await failureFrom(work)).toBeInstanceOf(AuthExpired)
    }
  })

  it('without a site is not used', async () => {
    await using jira = await openJira()
    for (const settings of [{ host: undefined }, { host: 'evil.example' }]) {
      expect(await failureFrom(check(contextFor(jira, { settings })))).toBeInstanceOf(Rejected)
    }
    expect(await failureFrom(check(contextFor(jira, { secrets: {} })))).toBeInstanceOf(Rejected)
    expect(jira.calls).toEqual([])
  })
})

describe('the app', () => {
  it('is set up with the callback URL of this server and the scopes that are requested', () => {
    const { steps, paste } = app.guide({ redirectUrl, eventsUrl: 'https://feedback.example.com/api/jira/events' })
    expect(paste?.text).toBe(redirectUrl)
    for (const scope of ['read:jira-work', 'write:jira-work', 'read:jira-user', 'manage:jira-webhook']) {
      expect(steps.join(' ')).toContain(scope)
    }
  })

  it('needs both credentials', () => {
    expect(app.form.safeParse({ client_id: 'c', client_secret: 's' }).success).toBe(true)
    expect(app.form.safeParse({ client_id: 'c', client_secret: '' }).success).toBe(false)
    expect(app.form.safeParse({ client_id: 'a b', client_secret: 's' }).success).toBe(false)
  })
})

describe('signing in with OAuth', () => {
  it('asks on Atlassian’s own host, for its API and a refresh token', () => {
    const context = { baseUrl: null } as Context
    const url = new URL(oauth.authorizeUrl(context, { client_id: 'c' }, { redirectUrl, state: 's' }))
    expect(`${url.origin}${url.pathname}`).toBe('https://auth.atlassian.com/authorize')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      audience: 'api.atlassian.com',
      client_id: 'c',
      scope: 'read:jira-work write:jira-work read:jira-user manage:jira-webhook offline_access',
      redirect_uri: redirectUrl,
      state: 's',
      response_type: 'code',
      prompt: 'consent',
    })
  })

  it('returns the person, the sites with Jira, both tokens and when they end', async () => {
    await using jira = await openJira()
    const now = new Date(Date.now())
    const { account, settings, secrets, expiresAt } = await signIn(jira, () => now)
    const [site] = jira.sites
    expect(account).toBe(site.people[0]?.accountId)
    expect(settings).toEqual({ sites: { [site.id]: { name: 'Fernweh', url: 'https://fernweh.atlassian.net' } } })
    expect(Object.keys(secrets).toSorted()).toEqual(['access_token', 'refresh_token'])
    expect(expiresAt).toEqual(new Date(now.getTime() + 3_600_000))
    expect(manifest.describe(settings, secrets).name).toBe('Fernweh')
    expect(jira.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /authorize',
      'POST /oauth/token',
      'GET /oauth/token/accessible-resources',
      `GET /ex/jira/${site.id}/rest/api/3/myself`,
    ])
  })

  it('keeps every site that was allowed, and has no name before one of several is chosen', async () => {
    await using jira = await openJira()
    jira.signIns.sites = jira.sites
    const { settings, secrets } = await signIn(jira)
    const [first, second] = jira.sites
    expect(Object.keys(settings.sites as object).toSorted()).toEqual([first.id, second.id])
    expect(manifest.describe(settings, secrets).name).toBe('Jira')
    expect(manifest.describe({ ...settings, site: [second.id] }, secrets).name).toBe('Fernweh Labs')
  })

  it('returns the state, and nothing to exchange where the person declined', async () => {
    await using jira = await openJira()
    const { searchParams } = await consent(jira, contextFor(jira), 'cancel')
    expect(Object.fromEntries(searchParams)).toEqual({ state: 'the state', error: 'access_denied' })
  })

  it.each([
    ['a wrong secret', { client_secret: 'wrong' }, {}],
    ['another address', {}, { redirectUrl: 'https://other.example.com/' }],
    ['another code', {}, { code: 'unknown' }],
  ])('is refused with %s', async (_, otherApp, request) => {
    await using jira = await openJira()
    const context = contextFor(jira, { secrets: {} })
    const code = (await consent(jira, context)).searchParams.get('code') ?? ''
    const given = { redirectUrl, code, ...request }
    const error = await failureFrom(oauth.exchange(context, { ...appOf(jira), ...otherApp }, given))
    expect(error).toMatchObject({ kind: 'rejected', message: expect.stringContaining('check the client ID') })
    expect(JSON.stringify(error)).not.toContain(jira.signIns.clientSecret)
  })

  it.each([
    [['read:jira-work', 'offline_access'], 'The sign-in at Jira lacks write:jira-work, read:jira-user. '],
    [['read:jira-work', 'write:jira-work', 'read:jira-user'], 'The sign-in at Jira lacks offline_access. '],
  ])('with %j alone names the scopes that are missing', async (allowed, message) => {
    await using jira = await openJira()
    jira.signIns.allowed = allowed
    const error = await failureFrom(signIn(jira))
    expect(error).toMatchObject({ kind: 'rejected', message: `${message}Add it to the app and connect again` })
  })

  it('does without webhooks', async () => {
    await using jira = await openJira()
    jira.signIns.allowed = ['read:jira-work', 'write:jira-work', 'read:jira-user', 'offline_access']
    expect(await signIn(jira)).toMatchObject({ account: jira.sites[0].people[0]?.accountId })
  })

  it('for no site is refused', async () => {
    await using jira = await openJira()
    jira.signIns.sites = []
    expect(await failureFrom(signIn(jira))).toMatchObject({ message: expect.stringContaining('no site with Jira') })
  })
})

describe('a sign-in that ends', () => {
  it('is renewed with the refresh token, which Atlassian replaces', async () => {
    await using jira = await openJira()
    const first = await signIn(jira)
    const context = contextFor(jira, { secrets: first.secrets })
    const connected = { ...context, settings: { ...first.settings, project: ['10000'], issue_type: ['10001'] } }
    jira.advance(7200)
    expect(await failureFrom(tracker.verify(connected))).toBeInstanceOf(AuthExpired)
    const renewed = await refresh(connected, appOf(jira))
    expect(renewed.secrets.refresh_token).not.toBe(first.secrets.refresh_token)
    expect(renewed.expiresAt?.getTime()).toBeGreaterThan(Date.now())
    expect(await tracker.verify({ ...connected, secrets: renewed.secrets })).toContain('Growth')
    expect(await failureFrom(refresh(connected, appOf(jira)))).toBeInstanceOf(AuthExpired)
    expect(jira.signIns.exchanged).toEqual(['authorization_code', 'refresh_token', 'refresh_token'])
  })

  it('is over without a refresh token, without an app, and with an API token', async () => {
    await using jira = await openJira()
    const { secrets } = await signIn(jira)
    const before = jira.calls.length
    const { access_token = '' } = secrets
    expect(await failureFrom(refresh(contextFor(jira, { secrets: { access_token } }), appOf(jira)))).toBeInstanceOf(
      AuthExpired,
    )
    expect(await failureFrom(refresh(contextFor(jira, { secrets }), null))).toBeInstanceOf(AuthExpired)
    expect(await failureFrom(refresh(contextFor(jira), appOf(jira)))).toBeInstanceOf(AuthExpired)
    expect(jira.calls).toHaveLength(before)
  })
})
