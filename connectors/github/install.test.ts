import { describe, expect, it } from 'vitest'
import type { Context } from '../connector.ts'
import { failureFrom } from '../kit/testing.ts'
import * as person from '../kit/worlds/sign-in.ts'
import { oauth } from './oauth.ts'
import { asked, contextFor, openGitHub, REDIRECT } from './testing.ts'
import { tracker } from './tracker.ts'

const STATE = 'github.state'

/** A sandbox whose app is not installed yet, with what a person enters before signing in. */
async function started(installedOn = '') {
  const github = await openGitHub()
  github.signIns.callbackUrl = REDIRECT
  const app = github.signIns.app()
  const context: Context = { ...contextFor(github), settings: { installed_on: installedOn }, secrets: {} }
  const url = oauth.authorizeUrl(context, app, { redirectUrl: REDIRECT, state: STATE })
  /** Decides on the page of GitHub, and returns what GitHub sends back. */
  const decide = async (decision: 'allow' | 'cancel') => {
    const { back } = await person.decide(url, decision)
    expect(back.href.startsWith(`${REDIRECT}?`)).toBe(true)
    return Object.fromEntries(back.searchParams)
  }
  const exchange = (query: Record<string, string>) =>
    oauth.exchange(context, app, { redirectUrl: REDIRECT, code: query['code'] ?? '', query })
  return { ...github, app, context, authorizeUrl: url, decide, exchange }
}

describe('installing the app', () => {
  it('leads to the page of the app, and back to a connection as this installation', async () => {
    await using run = await started()
    expect(run.authorizeUrl).toBe(`${run.url}/apps/sandbox-groundswell/installations/new?state=${STATE}`)
    const query = await run.decide('allow')
    expect(query).toMatchObject({ state: STATE, setup_action: 'install' })
    const signedIn = await run.exchange(query)
    const [installation] = run.signIns.installations
    expect(signedIn).toMatchObject({
      account: String(installation?.id),
      settings: { name: 'acme', login: 'sandbox-groundswell[bot]', installation_id: String(installation?.id) },
    })
    expect(Object.keys(signedIn.secrets)).toEqual(['access_token'])
    const minutes = ((signedIn.expiresAt?.getTime() ?? 0) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(58)
    expect(minutes).toBeLessThanOrEqual(60)
    const context = { ...run.context, settings: { ...signedIn.settings, repository: ['acme/support'] } }
    expect(await tracker.verify({ ...context, secrets: signedIn.secrets })).toContain('acme/support')
  })

  it('requests no more than it needs', async () => {
    await using run = await started()
    await run.exchange(await run.decide('allow'))
    const minted = run.calls.find(({ template }) => template.endsWith('/access_tokens'))
    expect(minted?.json).toEqual({ permissions: { issues: 'write', metadata: 'read' } })
  })

  it('stores nothing of the person who installed it', async () => {
    await using run = await started()
    const signedIn = await run.exchange(await run.decide('allow'))
    expect(JSON.stringify(signedIn)).not.toMatch(/ghu_|"ann"/)
  })

  it('signs in where the app is installed already', async () => {
    await using run = await started('Acme')
    const installation = run.signIns.install('acme')
    run.signIns.install('other')
    expect(run.authorizeUrl).toContain('/login/oauth/authorize?')
    const query = await run.decide('allow')
    expect(Object.keys(query).toSorted()).toEqual(['code', 'state'])
    expect(await run.exchange(query)).toMatchObject({ account: String(installation.id) })
  })

  it('is for the installation that GitHub names, of several that the person may use', async () => {
    await using run = await started()
    run.signIns.install('other')
    const installation = run.signIns.install('acme')
    const query = { code: run.signIns.approve('ann'), installation_id: String(installation.id) }
    expect(await run.exchange(query)).toMatchObject({ account: String(installation.id), settings: { name: 'acme' } })
  })

  it('finds the installation among many', async () => {
    await using run = await started('acme')
    for (let at = 0; at < 120; at += 1) run.signIns.install(`org-${at}`)
    const installation = run.signIns.install('acme')
    expect(await run.exchange(await run.decide('allow'))).toMatchObject({ account: String(installation.id) })
    expect(asked(run).filter((call) => call === 'GET /user/installations')).toHaveLength(2)
  })

  it.each(['', 'acme'])('is refused for an installation that the person may not use (“%s”)', async (installedOn) => {
    await using run = await started(installedOn)
    run.signIns.install('own')
    const foreign = run.signIns.install('acme', ['ben'])
    const query: Record<string, string> = { code: run.signIns.approve('ann') }
    if (installedOn === '') query['installation_id'] = String(foreign.id)
    const error = await failureFrom(run.exchange(query))
    expect(error).toMatchObject({ kind: 'rejected', message: expect.stringMatching(/you may not use/i) })
    expect(run.signIns.live()).toBe(0)
  })

  it.each<[string, Record<string, string>, RegExp]>([
    ['an owner has to approve it', { setup_action: 'request', code: 'x' }, /^An owner of the organization/],
    ['the app does not ask who installed it', { installation_id: '1' }, /^GitHub did not say who installed the app/],
    [
      'the app is installed already, for which GitHub sends no code',
      { installation_id: '1', setup_action: 'update' },
      /^The app is installed already\. Enter the name of the organization or account/,
    ],
    ['the code is not valid', { installation_id: '1', code: 'made-up' }, /start it again$/],
  ])('is refused where %s', async (_, query, message) => {
    await using run = await started()
    expect(await failureFrom(run.exchange(query))).toMatchObject({
      kind: 'rejected',
      message: expect.stringMatching(message),
    })
    expect(run.calls).toEqual([])
  })

  it('uses a code once', async () => {
    await using run = await started()
    const query = await run.decide('allow')
    await run.exchange(query)
    expect(await failureFrom(run.exchange(query))).toMatchObject({ kind: 'rejected' })
  })

  it('names wrong credentials of the app', async () => {
    await using run = await started()
    const query = await run.decide('allow')
    const wrong = { ...run.app, client_secret: 'wrong' }
    const error = await failureFrom(
      oauth.exchange(run.context, wrong, { redirectUrl: REDIRECT, code: query['code'] ?? '', query }),
    )
    expect(error).toMatchObject({ message: expect.stringContaining('client ID and the client secret') })
  })

  it('is refused where GitHub did not say which installation it is', async () => {
    await using run = await started()
    run.signIns.install('acme')
    expect(await failureFrom(run.exchange({ code: run.signIns.approve('ann') }))).toMatchObject({
      kind: 'rejected',
      message: expect.stringMatching(/^The app is installed already\. Enter the name/),
    })
    expect(run.signIns.live()).toBe(0)
  })

  it('names a callback URL that is not that of the app', async () => {
    await using run = await started()
    const query = await run.decide('allow')
    run.signIns.callbackUrl = 'https://other.example/api/oauth'
    expect(await failureFrom(run.exchange(query))).toMatchObject({
      kind: 'rejected',
      message: `The callback URL of the app on GitHub is another one: set it to ${REDIRECT}, then connect again`,
    })
  })

  it('is refused where it is suspended, or lacks the permission', async () => {
    await using run = await started()
    const installation = run.signIns.install('acme')
    const query = () => ({ code: run.signIns.approve('ann'), installation_id: String(installation.id) })
    installation.suspended = true
    expect(await failureFrom(run.exchange(query()))).toMatchObject({
      kind: 'auth',
      message: expect.stringContaining('suspended on GitHub'),
    })
    Object.assign(installation, { suspended: false, issues: 'read' })
    expect(await failureFrom(run.exchange(query()))).toMatchObject({
      kind: 'rejected',
      message: expect.stringContaining('permission Issues: read and write'),
    })
  })

  it('comes back with an error where the person cancels', async () => {
    await using run = await started()
    expect(await run.decide('cancel')).toEqual({ state: STATE, error: 'access_denied' })
  })

  it.each([
    ['acme', true],
    ['', true],
    ['acme corp', false],
    ['https://github.com/acme', false],
  ])('asks where it is installed: “%s” is accepted: %s', (installed_on, isAccepted) => {
    expect(oauth.form?.safeParse({ installed_on }).success).toBe(isAccepted)
  })
})
