import { describe, expect, it } from 'vitest'
import { failureFrom, startServer } from '../kit/testing.ts'
import { subscriptions } from './subscriptions.ts'
import { requests, subscribed } from './testing.ts'

describe('the subscription', () => {
  it('is one webhook for the list, with the secret that ClickUp chose', async () => {
    await using run = await subscribed()
    const [webhook] = run.webhooks.all()
    expect(webhook).toMatchObject({
      id: run.state.id,
      list_id: run.account.list.id,
      events: ['taskStatusUpdated', 'taskDeleted', 'taskMoved'],
    })
    expect(run.made.secrets).toEqual({ webhook_secret: webhook?.secret })
  })

  it('is not created twice, also when the response to its creation was lost', async () => {
    await using run = await subscribed()
    const { secret } = run.webhooks.all()[0] ?? {}
    run.calls.splice(0)
    for (const previous of [run.state, null]) {
      expect(await run.ensure(previous)).toMatchObject({ state: run.state, secrets: { webhook_secret: secret } })
    }
    expect(run.webhooks.all()).toHaveLength(1)
    expect(requests(run.calls)).toEqual(['GET /v2/team/{team_id}/webhook', 'GET /v2/team/{team_id}/webhook'])
  })

  it('is replaced where ClickUp suspended it, and works again', async () => {
    await using run = await subscribed()
    run.webhooks.suspend()
    const { id } = await run.create()
    run.setStatus(id, 'closed')
    await run.webhooks.settled()
    expect(run.received).toEqual([])
    const { state } = await run.ensure(run.state)
    expect(state).not.toEqual(run.state)
    expect(run.webhooks.all()).toMatchObject([{ id: state.id, health: { status: 'active', fail_count: 0 } }])
    run.setStatus(id, 'custom')
    await run.webhooks.settled()
    expect(run.received).toHaveLength(1)
    expect(run.refused).toEqual([])
  })

  it('is kept while it is failing, because ClickUp activates it again', async () => {
    await using run = await subscribed()
    const [webhook] = run.webhooks.all()
    Object.assign(webhook ?? {}, { health: { status: 'failing', fail_count: 5 } })
    expect((await run.ensure(run.state)).state).toEqual(run.state)
    expect(run.webhooks.all()).toEqual([webhook])
  })

  it('is replaced where it lacks an event that is followed', async () => {
    await using run = await subscribed()
    Object.assign(run.webhooks.all()[0] ?? {}, { events: ['taskDeleted'] })
    const { state } = await run.ensure(run.state)
    expect(run.webhooks.all()).toMatchObject([
      { id: state.id, events: ['taskStatusUpdated', 'taskDeleted', 'taskMoved'] },
    ])
  })

  it('is created again where someone deleted it', async () => {
    await using run = await subscribed()
    run.webhooks.remove(String(run.state.id))
    const { state } = await run.ensure(run.state)
    expect(run.webhooks.all()).toMatchObject([{ id: state.id }])
  })

  it('follows the list, also to another workspace', async () => {
    await using run = await subscribed()
    const { settings } = run.context
    settings.list = [run.account.space.lists[1]?.id]
    const second = await run.ensure(run.state)
    expect(run.webhooks.all()).toMatchObject([{ id: second.state.id, list_id: run.account.space.lists[1]?.id }])
    const team = run.account.team(1)
    Object.assign(settings, { workspace: [team.id], space: [team.spaces[0]?.id], list: [team.spaces[0]?.lists[0]?.id] })
    const third = await run.ensure(second.state)
    expect(run.webhooks.all()).toMatchObject([{ id: third.state.id, team_id: Number(team.id) }])
  })

  it('leaves other webhooks alone', async () => {
    await using run = await subscribed()
    const place = { team: run.account.team(0).id, list: run.account.list.id, events: ['taskCreated'] }
    const other = run.webhooks.add({ ...place, endpoint: 'https://other.example.com/' })
    Object.assign(other, { secret: null, endpoint: null })
    await run.ensure(run.state)
    await subscriptions.remove(run.context, run.state)
    expect(run.webhooks.all()).toMatchObject([{ id: other.id }])
  })

  it('is removed, also when it is gone already', async () => {
    await using run = await subscribed()
    await subscriptions.remove(run.context, run.state)
    expect(run.webhooks.all()).toEqual([])
    await subscriptions.remove(run.context, run.state)
    await subscriptions.remove(run.context, {})
  })

  it.each([400, 401, 403, 404])('counts as removed where ClickUp refuses with %i', async (status) => {
    await using run = await subscribed()
    await using server = await startServer((_, response) =>
      response.writeHead(status).end('{"err":"Webhook","ECODE":"OAUTH_027"}'),
    )
    await subscriptions.remove({ ...run.context, baseUrl: server.url }, run.state)
    expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `DELETE /api/v2/webhook/${String(run.state.id)}`,
    ])
  })

  it('leaves no secret of a webhook in a failure', async () => {
    await using run = await subscribed()
    await using server = await startServer((_, response) => response.end('{"webhooks":[{"secret":"the secret"}]}'))
    const context = { ...run.context, baseUrl: server.url }
    const error = await failureFrom(subscriptions.ensure(context, { url: 'u', secret: '', previous: null }))
    expect(error).toMatchObject({ kind: 'unavailable', ledger: undefined })
    expect((error as Error).message).not.toContain('the secret')
  })

  it('waits for a list, and fails as one of the four kinds', async () => {
    await using run = await subscribed()
    run.faults.arm('500')
    expect(await failureFrom(run.ensure(run.state))).toMatchObject({ kind: 'unavailable' })
    run.context.settings.list = []
    expect(await failureFrom(run.ensure())).toMatchObject({ message: expect.stringContaining('No list is chosen') })
  })
})
