import { describe, expect, it } from 'vitest'
import { failureFrom } from '../kit/testing.ts'
import { subscriptions } from './subscriptions.ts'
import { contextFor, openJira, requestsOf, signedIn, signIn, subscribed } from './testing.ts'

const DAY_MS = 86_400_000

/** A subscription in a sandbox whose app may use both sites. */
async function withTwoSites() {
  const jira = await openJira()
  jira.signIns.sites = jira.sites
  const [first, second] = jira.sites
  const context = await signedIn(jira, { site: [first.id] })
  const request = { url: 'https://feedback.example.com/api/jira/events/key', secret: '' }
  const { state } = await subscriptions.ensure(context, { ...request, previous: null })
  const hooks = () => [...jira.webhooks.all.values()].map(({ id, site }) => [id, site.id])
  return { ...jira, context, request, state, first, second, hooks, [Symbol.asyncDispose]: () => jira.stop() }
}

describe('the subscription', () => {
  it('is one webhook for changes of a status in the project, and for deletions', async () => {
    await using run = await subscribed()
    const [hook] = run.webhooks.all.values()
    expect(run.webhooks.all.size).toBe(1)
    expect(hook).toMatchObject({
      url: run.address,
      jqlFilter: 'project = 10000',
      events: ['jira:issue_updated', 'jira:issue_deleted'],
      fieldIdsFilter: ['status', 'resolution'],
    })
    expect(run.made.state).toEqual({ id: hook?.id, site: run.site.id })
  })

  it('ends after thirty days, and is renewed for thirty more', async () => {
    await using run = await subscribed()
    const first = run.made.expiresAt?.getTime() ?? 0
    expect(Math.abs(first - Date.now() - 30 * DAY_MS)).toBeLessThan(DAY_MS)
    run.advance(20 * 86_400)
    run.context.secrets = (await signIn(run)).secrets
    const { state, expiresAt } = await run.ensure(run.made.state)
    expect(state).toEqual(run.made.state)
    expect((expiresAt?.getTime() ?? 0) - first).toBeGreaterThan(19 * DAY_MS)
    expect(requestsOf(run).slice(-2)).toEqual(['GET /webhook', 'PUT /webhook/refresh'])
  })

  it('is registered again after it ended', async () => {
    await using run = await subscribed()
    run.advance(31 * 86_400)
    run.context.secrets = (await signIn(run)).secrets
    const { state } = await run.ensure(run.made.state)
    expect(state.id).not.toBe(run.made.state.id)
    expect(state).toMatchObject({ site: run.site.id })
  })

  it('is not registered twice, also when its registration was interrupted', async () => {
    await using run = await subscribed()
    expect(await run.ensure(run.made.state)).toMatchObject({ state: run.made.state })
    expect(await run.ensure(null)).toMatchObject({ state: run.made.state })
    expect(run.webhooks.all.size).toBe(1)
  })

  it('is repaired where someone deleted it', async () => {
    await using run = await subscribed()
    run.webhooks.all.clear()
    const { state } = await run.ensure(run.made.state)
    expect([...run.webhooks.all.keys()]).toEqual([state.id])
    expect(state).not.toEqual(run.made.state)
  })

  it('follows the project', async () => {
    await using run = await subscribed()
    run.context.settings.project = ['10010']
    await run.ensure(run.made.state)
    expect([...run.webhooks.all.values()].map(({ jqlFilter }) => jqlFilter)).toEqual(['project = 10010'])
  })

  it('follows the address, as Jira allows only one', async () => {
    await using run = await subscribed()
    const moved = 'https://feedback.example.com/api/jira/events/another-key'
    await run.ensure(run.made.state, moved)
    expect([...run.webhooks.all.values()].map(({ url }) => url)).toEqual([moved])
  })

  it('leaves webhooks alone that are not ours, and explains why it cannot add one', async () => {
    await using run = await subscribed()
    const error = await failureFrom(run.ensure(null, 'https://other.example.com/api/jira/events/key'))
    expect(error).toMatchObject({
      kind: 'rejected',
      message: 'Jira refused to register a webhook. An app may use one address only',
    })
    expect([...run.webhooks.all.values()].map(({ url }) => url)).toEqual([run.address])
  })

  it('follows the site', async () => {
    await using run = await withTwoSites()
    expect(run.hooks()).toEqual([[run.state.id, run.first.id]])
    run.context.settings.site = [run.second.id]
    const { state } = await subscriptions.ensure(run.context, { ...run.request, previous: run.state })
    expect(run.hooks()).toEqual([[state.id, run.second.id]])
    expect(state).toMatchObject({ site: run.second.id })
  })

  it('is removed where it is, also when it is gone already', async () => {
    await using run = await withTwoSites()
    run.context.settings.site = [run.second.id]
    await subscriptions.remove(run.context, run.state)
    expect(run.hooks()).toEqual([])
    await subscriptions.remove(run.context, run.state)
    await subscriptions.remove(run.context, {})
    await subscriptions.remove(run.context, { id: 1, site: 'unknown' })
  })

  it('is refused with an API token, without asking Jira', async () => {
    await using jira = await openJira()
    const work = subscriptions.ensure(contextFor(jira), { url: 'https://x.example/', secret: '', previous: null })
    expect(await failureFrom(work)).toMatchObject({
      kind: 'rejected',
      message: 'Jira sends events only to those who sign in with Atlassian',
    })
    expect(jira.calls).toEqual([])
  })

  it('waits for a project, and says that Jira does not know it', async () => {
    await using run = await subscribed()
    run.context.settings.project = []
    expect(await failureFrom(run.ensure())).toMatchObject({ message: expect.stringContaining('No project is chosen') })
    run.context.settings.project = ['77777']
    expect(await failureFrom(run.ensure(run.made.state))).toMatchObject({
      kind: 'rejected',
      message: 'Jira refused to register a webhook for the project',
    })
  })

  it('names the scope that is missing', async () => {
    await using jira = await openJira()
    jira.signIns.allowed = ['read:jira-work', 'write:jira-work', 'read:jira-user', 'offline_access']
    const context = await signedIn(jira)
    const work = subscriptions.ensure(context, { url: 'https://x.example/', secret: '', previous: null })
    expect(await failureFrom(work)).toMatchObject({
      kind: 'rejected',
      message: 'Jira refused to register a webhook. Add the scope manage:jira-webhook to the app and connect again',
    })
  })
})
