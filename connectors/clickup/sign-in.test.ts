import { describe, expect, it } from 'vitest'
import type { Context } from '../connector.ts'
import { AuthExpired, Rejected } from '../kit/errors.ts'
import { failureFrom } from '../kit/testing.ts'
import { credentialProblems } from '../kit/worlds/app.ts'
import { type Attempt, addressOf, decide, signIn as signInBy } from '../kit/worlds/sign-in.ts'
import type { ClickUpSandbox } from '../sandbox/clickup/clickup.ts'
import { app } from './app.ts'
import { check } from './check.ts'
import { clickup as connector } from './index.ts'
import { manifest } from './manifest.ts'
import { oauth } from './oauth.ts'
import { contextFor, openClickUp, requests } from './testing.ts'

const redirectUrl = 'https://feedback.example.com/api/clickup/callback'

const appOf = ({ signIns }: ClickUpSandbox) => ({ client_id: signIns.clientId, client_secret: signIns.clientSecret })

const attempt = (clickup: ClickUpSandbox, context: Context = contextFor(clickup, { secrets: {} })): Attempt => ({
  oauth,
  context,
  app: appOf(clickup),
  redirectUrl,
  state: 'the state',
})

/** Decides on the consent page, which names the workspace, and returns the address that follows. */
async function consent(clickup: ClickUpSandbox, context: Context, decision?: 'cancel'): Promise<URL> {
  const { page, back } = await decide(addressOf(attempt(clickup, context)), decision)
  expect(page).toContain('Fernweh')
  return back
}

const signIn = (clickup: ClickUpSandbox) => signInBy(attempt(clickup))

describe('an API token', () => {
  it('belongs to a person, whose name is on the tile', async () => {
    await using clickup = await openClickUp()
    const { account, settings, secrets, expiresAt } = await check(contextFor(clickup))
    expect(account).toBe('4001')
    expect(settings).toEqual({ name: 'Tally Turner' })
    expect(secrets).toEqual({ token: clickup.signIns.apiToken })
    expect(expiresAt).toBeNull()
    expect(manifest.describe(settings, secrets).name).toBe('Tally Turner')
  })

  it('shows the name of the workspace where there is only one', async () => {
    await using clickup = await openClickUp()
    clickup.account.team(1).allowed = false
    expect((await check(contextFor(clickup))).settings).toEqual({ name: 'Fernweh' })
  })

  it('that ClickUp does not know is refused', async () => {
    await using clickup = await openClickUp()
    const error = await failureFrom(check(contextFor(clickup, { secrets: { token: 'pk_1_WRONG_WRONG_WRONG' } })))
    expect(error).toBeInstanceOf(AuthExpired)
    expect((error as Error).message).not.toContain('pk_1')
  })

  it('needs a workspace', async () => {
    await using clickup = await openClickUp()
    for (const team of clickup.account.teams) team.allowed = false
    const error = await failureFrom(check(contextFor(clickup)))
    expect(error).toMatchObject({ kind: 'rejected', message: expect.stringContaining('no workspace') })
  })

  it.each([
    ['pk_4001_0123456789ABCDEF0123', true],
    ['  pk_4001_0123456789ABCDEF0123\n', true],
    ['pk_4001_SHORT', false],
    ['pk_4001 with spaces in between it', false],
    ['4001_0123456789abcdef0123456789', false],
    [`pk_${'X'.repeat(600)}`, false],
  ])('%j is accepted by the form: %s', (token, accepted) => {
    expect(manifest.form.safeParse({ token }).success).toBe(accepted)
  })

  it('is missing where nothing is connected', async () => {
    await using clickup = await openClickUp()
    expect(await failureFrom(check(contextFor(clickup, { secrets: {} })))).toBeInstanceOf(Rejected)
    expect(clickup.calls).toEqual([])
  })
})

describe('signing in with OAuth', () => {
  it('asks on ClickUp’s own host', () => {
    const url = new URL(
      oauth.authorizeUrl({ baseUrl: null } as Context, { client_id: 'c' }, { redirectUrl, state: 's' }),
    )
    expect(`${url.origin}${url.pathname}`).toBe('https://app.clickup.com/api')
    expect(Object.fromEntries(url.searchParams)).toEqual({ client_id: 'c', redirect_uri: redirectUrl, state: 's' })
  })

  it('returns the person and a token that does not end and works', async () => {
    await using clickup = await openClickUp()
    const { account, secrets, expiresAt } = await signIn(clickup)
    expect(account).toBe('4001')
    expect(Object.keys(secrets)).toEqual(['access_token'])
    expect(expiresAt).toBeNull()
    expect(await check(contextFor(clickup, { secrets }))).toMatchObject({ account })
    expect(connector.refresh).toBeUndefined()
  })

  it('returns the state, and nothing to exchange where the person declined', async () => {
    await using clickup = await openClickUp()
    const { searchParams } = await consent(clickup, contextFor(clickup), 'cancel')
    expect(Object.fromEntries(searchParams)).toEqual({ state: 'the state', error: 'access_denied' })
  })

  it.each([
    ['a wrong secret', { client_secret: 'wrong' }, {}],
    ['another code', {}, { code: 'unknown' }],
  ])('is refused with %s', async (_, otherApp, request) => {
    await using clickup = await openClickUp()
    const context = contextFor(clickup, { secrets: {} })
    const code = (await consent(clickup, context)).searchParams.get('code') ?? ''
    const error = await failureFrom(
      oauth.exchange(context, { ...appOf(clickup), ...otherApp }, { redirectUrl, code, ...request }),
    )
    expect(error).toMatchObject({ kind: 'rejected', message: expect.stringContaining('check the client ID') })
    expect(JSON.stringify(error)).not.toContain(clickup.signIns.clientSecret)
  })

  it('sends its client secret in the body only', async () => {
    await using clickup = await openClickUp()
    await signIn(clickup)
    expect(requests(clickup.calls)).toEqual(['GET ', 'POST ', 'POST /v2/oauth/token', 'GET /v2/user', 'GET /v2/team'])
    expect(JSON.stringify(clickup.calls.map(({ query }) => query))).not.toContain(clickup.signIns.clientSecret)
  })
})

describe('the app', () => {
  it('is set up with the address of this server', () => {
    const { steps, paste } = app.guide({ redirectUrl, eventsUrl: '' })
    expect(steps.join(' ')).toContain('select the workspace')
    expect(paste?.text).toBe(redirectUrl)
  })

  it('needs both credentials', () => {
    expect(credentialProblems(app, { client_id: 'c', client_secret: 's' })).toEqual([])
  })
})
