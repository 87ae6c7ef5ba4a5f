import { describe, expect, it } from 'vitest'
import { AuthExpired } from '../kit/errors.ts'
import { failureFrom, type Handler, startServer, testContext } from '../kit/testing.ts'
import { credentialProblems } from '../kit/worlds/app.ts'
import { type Attempt, codeOf, consent, signIn } from '../kit/worlds/sign-in.ts'
import type { SlackSandbox } from '../sandbox/slack/slack.ts'
import { app, SCOPES } from './app.ts'
import { check } from './check.ts'
import { choices } from './choices.ts'
import { manifest, SlackSettings } from './manifest.ts'
import { oauth } from './oauth.ts'
import { refresh } from './rotation.ts'
import { madeUp, openSlack, signedIn } from './testing.ts'

const redirectUrl = 'http://127.0.0.1:9/integrations/slack'
const contextFor = (baseUrl: string | null, secrets: Record<string, string> = {}) => testContext({ baseUrl, secrets })
const credentials = ({ clientId, clientSecret, signingSecret }: SlackSandbox) => ({
  client_id: clientId,
  client_secret: clientSecret,
  signing_secret: signingSecret,
})

const attempt = (slack: SlackSandbox, context = contextFor(slack.url)): Attempt => ({
  oauth,
  context,
  app: credentials(slack),
  redirectUrl,
})

const HALF_DAY = { seconds: 12 * 3600, graceMs: 0 }

describe('signing in', () => {
  it('opens Slack with the scopes and no secret', () => {
    const url = new URL(
      oauth.authorizeUrl(
        contextFor(null),
        { client_id: '1.2', client_secret: 's3cret' },
        { redirectUrl, state: 'a&b' },
      ),
    )
    expect(url.origin + url.pathname).toBe('https://slack.com/oauth/v2/authorize')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: '1.2',
      scope: 'channels:history,channels:read,groups:history,groups:read,users:read,team:read',
      redirect_uri: redirectUrl,
      state: 'a&b',
    })
  })

  it('returns a code that gives a token and identifies the account', async () => {
    await using slack = await openSlack()
    const back = await consent({ ...attempt(slack), state: 'state with & and "' })
    expect(back.searchParams.get('state')).toBe('state with & and "')
    const signed = await signIn(attempt(slack), back.searchParams.get('code') ?? '')
    expect(signed).toEqual({
      account: slack.teamId,
      settings: {
        team_id: slack.teamId,
        team: 'Tallybrook',
        workspace_url: 'https://tallybrook.slack.com',
        bot_id: 'B0GROUNDSW',
        bot_user_id: 'U0GROUNDSW',
        revocable: true,
      },
      secrets: { bot_token: expect.stringMatching(/^xoxb-/) as string },
      expiresAt: null,
    })
    expect(SlackSettings.safeParse(signed.settings).success).toBe(true)
    expect(manifest.describe(signed.settings, signed.secrets)).toEqual({
      name: 'Tallybrook',
      userData: { slack_data: { access_token: null, team: { name: 'Tallybrook' } } },
    })
    expect(slack.calls().filter(({ verb }) => verb === 'POST')).toHaveLength(1)
  })

  it('that was cancelled returns without a code', async () => {
    await using slack = await openSlack()
    const back = await consent(attempt(slack), 'cancel')
    expect(Object.fromEntries(back.searchParams)).toEqual({ state: 'state-1', error: 'access_denied' })
  })

  it('accepts a code once, and only with the right app and address', async () => {
    await using slack = await openSlack()
    const exchange = (code: string, more: Record<string, string> = {}, to = redirectUrl) =>
      signIn({ ...attempt(slack), app: { ...credentials(slack), ...more }, redirectUrl: to }, code)
    const code = await codeOf(attempt(slack))
    await exchange(code)
    expect(await failureFrom(exchange(code))).toMatchObject({ kind: 'rejected', code: 'invalid_code' })
    const other = `${redirectUrl}/other`
    expect(await failureFrom(exchange(await codeOf(attempt(slack)), {}, other))).toMatchObject({
      code: 'bad_redirect_uri',
    })
    const wrong = await failureFrom(exchange(await codeOf(attempt(slack)), { client_secret: 'wrong-secret' }))
    expect(wrong).toMatchObject({ kind: 'rejected', message: 'Slack refused oauth.v2.access: bad_client_secret' })
  })

  it('uses the data of the exchange where Slack refuses more', async () => {
    const access = { ok: true, access_token: 'xoxb-1', bot_user_id: 'U1', team: { id: 'T1', name: 'Acme' } }
    await using server = await startServer(({ url }, response) =>
      response.end(JSON.stringify(url.endsWith('access') ? access : { ok: false, error: 'unknown_method' })),
    )
    const signed = await oauth.exchange(contextFor(server.url), {}, { redirectUrl, code: 'c' })
    expect(signed).toMatchObject({ account: 'T1', secrets: { bot_token: 'xoxb-1' } })
    expect(SlackSettings.parse(signed.settings)).toMatchObject({ team: 'Acme', bot_user_id: 'U1' })
  })

  it('of a whole organisation is refused, by sign-in and by token', async () => {
    const enterprise = { is_enterprise_install: true, team: null, enterprise: { id: 'E1' } }
    const token = { ok: true, access_token: 'xoxb-1', ...enterprise }
    const me = { ok: true, team: 'Acme Org', team_id: 'E1', is_enterprise_install: true }
    await using server = await startServer(({ url }, response) =>
      response.end(JSON.stringify(url.endsWith('access') ? token : me)),
    )
    const refusal = { kind: 'rejected', message: expect.stringContaining('Enterprise Grid') as string }
    const exchange = () => failureFrom(oauth.exchange(contextFor(server.url), {}, { redirectUrl, code: 'c' }))
    expect(await exchange()).toMatchObject(refusal)
    const pasted = await failureFrom(check({ ...contextFor(server.url), secrets: { bot_token: 'xoxb-1' } }))
    expect(pasted).toMatchObject(refusal)
    // Also where only the test of the token shows it.
    Object.assign(token, { is_enterprise_install: false, team: { id: 'T1', name: 'Acme' } })
    expect(await exchange()).toMatchObject(refusal)
    // Also where only the sign-in shows it.
    Object.assign(token, enterprise)
    Object.assign(me, { is_enterprise_install: false })
    expect(await exchange()).toMatchObject(refusal)
  })

  it('keeps the refresh token and the end of a token that rotates', async () => {
    const now = new Date('2026-03-02T10:00:00Z')
    await using slack = await openSlack({ rotation: HALF_DAY, now: () => now })
    const context = { ...contextFor(slack.url), now: () => now }
    const signed = await signIn(attempt(slack, context))
    expect(signed).toMatchObject({
      account: slack.teamId,
      secrets: { bot_token: expect.stringMatching(/^xoxe\.xoxb-/), refresh_token: expect.stringMatching(/^xoxe-/) },
      expiresAt: new Date('2026-03-02T22:00:00Z'),
    })
  })

  it('that ends is not accepted without a refresh token', async () => {
    const access = { ok: true, access_token: 'xoxe.xoxb-1', expires_in: 43_200 }
    await using server = await startServer((_, response) => response.end(JSON.stringify(access)))
    const error = await failureFrom(oauth.exchange(contextFor(server.url), {}, { redirectUrl, code: 'c' }))
    expect(error).toMatchObject({ kind: 'rejected', message: expect.stringContaining('without a refresh token') })
  })
})

describe('a token that rotates', () => {
  it('ends after 12 hours; its refresh token is good once', async () => {
    let now = new Date('2026-03-02T10:00:00Z')
    await using slack = await openSlack({ rotation: HALF_DAY, now: () => now })
    const context = { ...contextFor(slack.url), now: () => now }
    const { secrets } = await signIn(attempt(slack, context))
    now = new Date('2026-03-02T22:00:00Z')
    const expired = await failureFrom(check({ ...context, secrets }))
    expect(expired).toMatchObject({ kind: 'auth', message: expect.stringContaining('token_expired') })
    const renewed = await refresh({ ...context, secrets }, credentials(slack))
    expect(renewed.expiresAt).toEqual(new Date('2026-03-03T10:00:00Z'))
    expect((await check({ ...context, secrets: renewed.secrets })).account).toBe(slack.teamId)
    const again = await failureFrom(refresh({ ...context, secrets }, credentials(slack)))
    expect(again).toMatchObject({ kind: 'auth', message: expect.stringContaining('invalid_refresh_token') })
    expect(String(again)).not.toContain('xox')
  })

  it.each([
    ['429', 'rate-limited'],
    ['500', 'unavailable'],
    ['html', 'unavailable'],
  ] as const)('is not given up because of %s', async (fault, kind) => {
    await using slack = await openSlack({ rotation: HALF_DAY })
    const context = contextFor(slack.url)
    const { secrets } = await signIn(attempt(slack, context))
    slack.fault(fault, 1, 'oauth.v2.access')
    expect(await failureFrom(refresh({ ...context, secrets }, credentials(slack)))).toMatchObject({ kind })
    expect((await refresh({ ...context, secrets }, credentials(slack))).secrets).not.toEqual(secrets)
  })

  it('cannot be refreshed without the app', async () => {
    const secrets = { bot_token: 'xoxe.xoxb-1', refresh_token: 'xoxe-1' }
    expect(await failureFrom(refresh(contextFor(null, secrets), null))).toMatchObject({ kind: 'rejected' })
  })
})

describe('a pasted token', () => {
  it('is parsed by the form and verified with Slack', async () => {
    await using slack = await openSlack()
    const { bot_token } = manifest.form.parse({ bot_token: `  ${slack.botToken}\n` }) as { bot_token: string }
    expect(bot_token).toBe(slack.botToken)
    expect((await check(contextFor(slack.url, { bot_token }))).account).toBe(slack.teamId)
    const error = await failureFrom(check(contextFor(slack.url, { bot_token: 'xoxb-of-another' })))
    expect(error).toBeInstanceOf(AuthExpired)
    expect(String(error)).not.toContain('xoxb')
  })

  it.each(['', 'token', 'xoxb-', 'xoxb-with space', 'xoxb-ü', `xoxb-${'x'.repeat(1100)}`, 'Bearer xoxb-1'])(
    'is refused by the form: %j',
    (bot_token) => {
      expect(manifest.form.safeParse({ bot_token }).success).toBe(false)
    },
  )

  const workspace = (team: unknown): Handler => {
    const me = { ok: true, team: 'Acme', team_id: 'T1', user_id: 'U1', bot_id: 'B1' }
    return ({ url }, response) => response.end(JSON.stringify(url.endsWith('auth.test') ? me : team))
  }
  it.each([
    [{ ok: true, team: { name: 'Acme Inc', domain: 'acme' } }, 'Acme Inc', 'https://acme.slack.com'],
    [{ ok: true, team: { name: '', domain: 'evil.example/x' } }, 'Acme', null],
    [{ ok: false, error: 'missing_scope', needed: 'team:read' }, 'Acme', null],
    [{ ok: false, error: 'unknown_method' }, 'Acme', null],
  ])('is enough where team.info returns %j', async (team, name, workspace_url) => {
    await using server = await startServer(workspace(team))
    const { settings } = await check(contextFor(server.url, { bot_token: 'xoxb-1' }))
    expect(settings).toMatchObject({ team: name, workspace_url })
  })

  it('of a person is not mistaken for the app’s', async () => {
    const me = { ok: true, team: 'Acme', team_id: 'T1', user_id: 'U1' }
    await using server = await startServer((_, response) => response.end(JSON.stringify({ ...me, team: 'Acme' })))
    const error = await failureFrom(check(contextFor(server.url, { bot_token: 'xoxp-1' })))
    expect(error).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('team.info') as string })
    await using other = await startServer(({ url }, response) =>
      response.end(JSON.stringify(url.endsWith('auth.test') ? me : { ok: true, team: { name: 'Acme' } })),
    )
    const { settings } = await check(contextFor(other.url, { bot_token: 'xoxp-1' }))
    expect(settings).toMatchObject({ bot_user_id: null, bot_id: null })
  })

  it('is not refused while Slack is temporarily unavailable', async () => {
    await using server = await startServer(workspace({ ok: false, error: 'internal_error' }))
    const error = await failureFrom(check(contextFor(server.url, { bot_token: 'xoxb-1' })))
    expect(error).toMatchObject({ kind: 'unavailable' })
  })
})

describe('the channels to choose from', () => {
  it('are all that the app can see, by name, with a hint where one is needed', async () => {
    await using slack = await openSlack({ company: madeUp({ channels: 3, roots: 1, nth: 2, replies: 0 }) })
    Object.assign(slack.workspace.room('room-1'), { name: 'zebra', isMember: false })
    Object.assign(slack.workspace.room('room-2'), { isPrivate: true })
    const [choice] = await choices(await signedIn(slack))
    expect(choice?.field).toBe('channels')
    expect(choice?.options.map(({ label, hint }) => [label, hint])).toEqual([
      ['#room-2', 'Private'],
      ['#room-3', undefined],
      ['#zebra', 'The app is not in it yet'],
    ])
    expect(choice?.options.map(({ value }) => value)).toContain(slack.workspace.room('zebra').id)
  })

  it('are read from as many pages as there are, but not endlessly', async () => {
    let pages = 0
    await using server = await startServer((_, response) => {
      pages += 1
      const channels = [{ id: `C${pages}`, name: `c${pages}` }]
      response.end(
        JSON.stringify({ ok: true, channels, response_metadata: { next_cursor: pages < 4 ? `p${pages}` : 'p1' } }),
      )
    })
    const [choice] = await choices(contextFor(server.url, { bot_token: 'xoxb-1' }))
    expect(choice?.options).toHaveLength(4)
  })
})

describe('the app of the workspace', () => {
  const urls = { redirectUrl: 'https://fb.example/api/slack/oauth', eventsUrl: 'https://fb.example/api/slack/events' }

  it('is created from a manifest that Slack accepts, with our addresses, scopes and events', () => {
    const { steps, paste } = app.guide(urls)
    expect(steps.length).toBeGreaterThan(2)
    const made = JSON.parse(paste?.text ?? '') as Record<string, Record<string, unknown>>
    expect(made).toMatchObject({
      oauth_config: { redirect_urls: [urls.redirectUrl], scopes: { bot: [...SCOPES] } },
      settings: {
        event_subscriptions: {
          request_url: urls.eventsUrl,
          bot_events: ['app_uninstalled', 'message.channels', 'message.groups', 'tokens_revoked'],
        },
        token_rotation_enabled: false,
      },
    })
  })

  it('has a form with sealed secrets, and a variable for each field', () => {
    expect(credentialProblems(app, { client_id: '1.2', client_secret: 'a', signing_secret: 'b' })).toEqual([])
  })
})
