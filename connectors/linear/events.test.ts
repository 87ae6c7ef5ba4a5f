import { createHmac, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Rejected } from '../kit/errors.ts'
import { failureFrom, startServer } from '../kit/testing.ts'
import { handleEvent } from './handle-event.ts'
import { receive } from './receive.ts'
import { subscriptions } from './subscriptions.ts'
import { contextFor, documentFor, openLinear } from './testing.ts'
import { tracker } from './tracker.ts'

const SECRET = 'a signing secret'

/** A sandbox with a subscribed address, at which requests are received as the core does. */
async function subscribed() {
  const linear = await openLinear()
  const context = contextFor(linear)
  const received: ReturnType<typeof receive>['events'][number][] = []
  const refused: string[] = []
  const server = await startServer(({ method, headers, body }, response) => {
    try {
      const request = { method, headers, body: Buffer.from(body) }
      received.push(...receive({ webhook_secret: SECRET }, request, new Date()).events)
      response.end()
    } catch (error) {
      refused.push((error as Error).message)
      response.writeHead(403).end()
    }
  })
  const ensure = (previous: Record<string, unknown> | null = null) =>
    subscriptions.ensure(context, { url: `${server.url}/events/key`, secret: SECRET, previous })
  const { state, secrets } = await ensure()
  const create = () => tracker.create(context, { document: documentFor(randomUUID()), reopen: false })
  return {
    ...linear,
    context,
    received,
    refused,
    state,
    secrets,
    ensure,
    create,
    async [Symbol.asyncDispose]() {
      await linear.stop()
      await server[Symbol.asyncDispose]()
    },
  }
}

describe('the events of a webhook', () => {
  it('tell of issues that were closed, reopened and deleted, and of nothing else', async () => {
    await using run = await subscribed()
    const { id } = await run.create()
    await run.webhooks.settled()
    expect(run.received).toEqual([])
    run.setState(id, 'completed')
    run.setState(id, 'unstarted')
    run.trash(id)
    await run.webhooks.settled()
    expect(run.received.map(({ payload }) => payload)).toEqual([
      { kind: 'issue', id },
      { kind: 'issue', id },
      { kind: 'issue', id },
    ])
    expect(new Set(run.received.map((event) => event.id)).size).toBe(3)
    expect(new Set(run.received.map(({ account }) => account))).toEqual(new Set([run.workspace.organization.id]))
    expect(run.refused).toEqual([])
  })

  it('do not echo our own changes of a text, and settle after reopening', async () => {
    await using run = await subscribed()
    const remote = await run.create()
    const document = documentFor(remote.id)
    await tracker.update(run.context, remote, { document, reopen: false })
    await run.webhooks.settled()
    expect(run.received).toEqual([])
    run.setState(remote.id, 'completed')
    await tracker.update(run.context, remote, { document, reopen: true })
    await run.webhooks.settled()
    const outcomes = await Promise.all(run.received.map(({ payload }) => handleEvent(run.context, payload)))
    expect(outcomes.map(({ statuses }) => statuses)).toEqual(
      Array.from({ length: 2 }, () => [{ id: remote.id, state: 'open', name: 'Next up' }]),
    )
  })

  it('are read again, so that late, repeated and early ones do no harm', async () => {
    await using run = await subscribed()
    const { id } = await run.create()
    run.webhooks.fail('twice')
    run.setState(id, 'canceled')
    run.setState(id, 'started')
    await run.webhooks.settled()
    expect(run.received).toHaveLength(3)
    expect(run.received[0]?.id).toBe(run.received[1]?.id)
    for (const { payload } of run.received.toReversed()) {
      const { statuses } = await handleEvent(run.context, payload)
      expect(statuses).toEqual([{ id, state: 'open', name: 'In progress' }])
    }
    expect(run.workspace.issues).toHaveLength(1)
  })

  it('of an issue that was deleted say that it is gone', async () => {
    await using run = await subscribed()
    const { id } = await run.create()
    run.trash(id)
    await run.webhooks.settled()
    const [event] = run.received
    expect((await handleEvent(run.context, event?.payload ?? {})).statuses).toEqual([{ id, state: 'gone', name: null }])
  })

  it('contain no text of an issue', async () => {
    await using run = await subscribed()
    run.setState((await run.create()).id, 'completed')
    await run.webhooks.settled()
    expect(JSON.stringify(run.received)).not.toContain('Export stops')
  })

  it.each(['forged', 'late'] as const)('are refused when they are %s', async (fault) => {
    await using run = await subscribed()
    const { id } = await run.create()
    run.webhooks.fail(fault)
    run.setState(id, 'completed')
    await run.webhooks.settled()
    expect(run.received).toEqual([])
    expect(run.refused).toHaveLength(1)
    expect(await tracker.readStatus(run.context, [{ ...(await found(run, id)) }])).toMatchObject([{ state: 'closed' }])
  })

  const found = async (run: Awaited<ReturnType<typeof subscribed>>, id: string) => {
    const remote = await tracker.find(run.context, id)
    if (!remote) throw new Error('The issue was not found')
    return remote
  }

  it('end the sign-in when the app was removed from the workspace', async () => {
    await using run = await subscribed()
    const hook = [...run.webhooks.all.values()][0]
    if (hook) hook.resourceTypes = ['Issue', 'OAuthApp']
    run.webhooks.revoked()
    await run.webhooks.settled()
    expect(run.received.map(({ payload }) => payload)).toEqual([{ kind: 'revoked' }])
    expect((await handleEvent(run.context, { kind: 'revoked' })).ended).toContain('removed from the workspace')
    expect(await handleEvent(run.context, { kind: 'other' })).toEqual({ items: [], deleted: [], ended: null })
  })
})

describe('receiving', () => {
  const now = new Date('2026-11-23T10:00:00Z')
  const valid = {
    type: 'Issue',
    action: 'update',
    organizationId: 'org',
    webhookId: 'w1',
    webhookTimestamp: now.getTime(),
    data: { id: 'i1' },
    updatedFrom: { stateId: 's' },
  }
  const request = (body: string, signature = createHmac('sha256', SECRET).update(body).digest('hex')) => ({
    method: 'POST',
    headers: { 'linear-signature': signature },
    body: Buffer.from(body),
  })
  const parse = (body: unknown) => receive({ webhook_secret: SECRET }, request(JSON.stringify(body)), now)

  it.each([
    [{ ...valid, action: 'create' }, 0],
    [{ ...valid, type: 'Comment' }, 0],
    [{ ...valid, updatedFrom: { title: 'x' } }, 0],
    [{ ...valid, updatedFrom: null }, 1],
    [{ ...valid, updatedFrom: { teamId: 't' } }, 1],
    [{ ...valid, action: 'remove', updatedFrom: undefined }, 1],
    [{ ...valid, data: {} }, 0],
    [{ ...valid, webhookTimestamp: now.getTime() - 60_000 }, 1],
  ])('%j is %i event', (body, count) => expect(parse(body).events).toHaveLength(count))

  it('without a delivery id uses one that a repetition has too', () => {
    expect(parse(valid).events).toEqual([
      { id: `w1:${now.getTime()}:i1`, account: 'org', payload: { kind: 'issue', id: 'i1' } },
    ])
  })

  it.each([
    [{ ...valid, webhookTimestamp: now.getTime() - 60_001 }],
    [{ ...valid, webhookTimestamp: now.getTime() + 60_001 }],
    [{ ...valid, organizationId: '' }],
    [{ ...valid, webhookTimestamp: undefined }],
    [[]],
  ])('%j is refused', (body) => expect(() => parse(body)).toThrow(Rejected))

  it('verifies the raw body with the secret of the subscription', () => {
    const body = JSON.stringify(valid)
    expect(() => receive({ webhook_secret: '' }, request(body), now)).toThrow(Rejected)
    expect(() => receive({}, request(body), now)).toThrow(Rejected)
    expect(() => receive({ webhook_secret: 'other' }, request(body), now)).toThrow(Rejected)
    expect(() =>
      receive({ webhook_secret: SECRET }, request(`${body} `, request(body).headers['linear-signature']), now),
    ).toThrow(Rejected)
    expect(() => receive({ webhook_secret: SECRET }, request('{"not json'), now)).toThrow(Rejected)
  })
})

describe('the subscription', () => {
  it('is one webhook for issues of the team, with the secret that was given', async () => {
    await using run = await subscribed()
    expect(run.secrets).toEqual({ webhook_secret: SECRET })
    expect([...run.webhooks.all.values()]).toMatchObject([
      { id: run.state.id, teamId: run.workspace.team(0).id, secret: SECRET, resourceTypes: ['Issue'], enabled: true },
    ])
  })

  it('is not created twice, also when its creation was interrupted', async () => {
    await using run = await subscribed()
    await run.ensure(run.state)
    await run.ensure(null)
    expect(run.webhooks.all.size).toBe(1)
  })

  it('is repaired where Linear disabled it or someone deleted it', async () => {
    await using run = await subscribed()
    run.webhooks.change(String(run.state.id), { enabled: false })
    await run.ensure(run.state)
    expect([...run.webhooks.all.values()]).toMatchObject([{ enabled: true }])
    run.webhooks.remove(String(run.state.id))
    expect(await run.ensure(run.state)).toMatchObject({ state: run.state })
    expect(run.webhooks.all.size).toBe(1)
  })

  it('follows the team', async () => {
    await using run = await subscribed()
    run.context.settings.team = [run.workspace.team(1).id]
    const { state } = await run.ensure(run.state)
    expect(state).not.toEqual(run.state)
    expect([...run.webhooks.all.values()]).toMatchObject([{ teamId: run.workspace.team(1).id }])
  })

  it('is removed, also when it is gone already', async () => {
    await using run = await subscribed()
    await subscriptions.remove(run.context, run.state)
    expect(run.webhooks.all.size).toBe(0)
    await subscriptions.remove(run.context, run.state)
    await subscriptions.remove(run.context, {})
  })

  it('is explained where the sign-in may not create one', async () => {
    await using run = await subscribed()
    run.setAdmin(false)
    for (const previous of [null, run.state]) {
      const error = await failureFrom(run.ensure(previous))
      expect(error).toMatchObject({ kind: 'rejected', message: expect.stringContaining('only administrators') })
    }
  })

  it('waits for a team', async () => {
    await using run = await subscribed()
    run.context.settings.team = []
    expect(await failureFrom(run.ensure())).toMatchObject({ message: expect.stringContaining('No team is chosen') })
  })
})
