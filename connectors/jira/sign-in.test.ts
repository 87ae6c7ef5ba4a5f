import { describe, expect, it } from 'vitest'
import type { Context } from '../connector.ts'
import { AuthExpired } from '../kit/errors.ts'
import { failureFrom } from '../kit/testing.ts'
import { credentialProblems } from '../kit/worlds/app.ts'
import { app } from './app.ts'
import { manifest } from './manifest.ts'
import { oauth, refresh } from './oauth.ts'
import { appOf, consent, contextFor, openJira, signIn } from './testing.ts'
import { tracker } from './tracker.ts'

const redirectUrl = 'https://feedback.example.com/api/jira/callback'

describe('the app', () => {
  it('is set up with the callback URL of this server and the scopes that are requested', () => {
    const { steps, paste } = app.guide({ redirectUrl, eventsUrl: 'https://feedback.example.com/api/jira/events' })
    expect(paste?.text).toBe(redirectUrl)
    for (const scope of ['read:jira-work', 'write:jira-work', 'read:jira-user', 'manage:jira-webhook']) {
      expect(steps.join(' ')).toContain(scope)
    }
  })

  it('needs both credentials', () => {
    expect(credentialProblems(app, { client_id: 'c', client_secret: 's' })).toEqual([])
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

  it('returns the sites with Jira, both tokens and when they end', async () => {
    await using jira = await openJira()
    const now = new Date(Date.now())
    const { account, settings, secrets, expiresAt } = await signIn(jira, () => now)
    const [site] = jira.sites
    expect(account).toBe(site.id)
    expect(settings).toEqual({ sites: { [site.id]: { name: 'Fernweh', url: 'https://fernweh.atlassian.net' } } })
    expect(Object.keys(secrets).toSorted()).toEqual(['access_token', 'refresh_token'])
    expect(expiresAt).toEqual(new Date(now.getTime() + 3_600_000))
    expect(manifest.describe(settings, secrets).name).toBe('Fernweh')
    expect(jira.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /authorize',
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

  it('is the same account for everyone who signs in to the same sites', async () => {
    await using jira = await openJira()
    const [first, second] = jira.sites
    jira.signIns.sites = [first, second]
    const before = await signIn(jira)
    jira.signIns.sites = [second, first]
    for (const site of jira.sites) site.people.splice(0, 1)
    expect((await signIn(jira)).account).toBe(before.account)
    jira.signIns.sites = [second]
    expect((await signIn(jira)).account).toBe(second.id)
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

  it('works without the scope for webhooks', async () => {
    await using jira = await openJira()
    jira.signIns.allowed = ['read:jira-work', 'write:jira-work', 'read:jira-user', 'offline_access']
    expect(await signIn(jira)).toMatchObject({ account: jira.sites[0].id })
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
