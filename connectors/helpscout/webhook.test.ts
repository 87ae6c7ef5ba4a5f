import { describe, expect, it } from 'vitest'
import type { Context } from '../connector.ts'
import { failureFrom, startServer } from '../kit/testing.ts'
import { subscriptions } from './subscriptions.ts'
import { drain, madeUp, openHelpScout, openLive, SECRET, signedIn } from './testing.ts'

const EVENTS = [
  'convo.agent.reply.created',
  'convo.created',
  'convo.customer.reply.created',
  'convo.deleted',
  'convo.merged',
  'convo.moved',
]
const url = 'https://fb.example/api/helpscout/events/k'
const ensure = (context: Context, previous: Record<string, unknown> | null = null, to = url) =>
  subscriptions.ensure(context, { url: to, secret: SECRET, previous })

describe('the webhook', () => {
  it('is created once, kept while it is whole, and signs with our secret, of which Help Scout takes 40 characters', async () => {
    await using sandbox = await openHelpScout()
    const context = await signedIn(sandbox)
    const first = await ensure(context)
    const [hook] = sandbox.webhooks.all()
    expect(first).toEqual({
      state: { id: hook?.id, secretHash: expect.stringMatching(/^[\w-]{43}$/) as string },
      expiresAt: null,
      secrets: { webhook_secret: SECRET.slice(0, 40) },
    })
    expect(SECRET.length).toBe(43)
    expect(hook).toMatchObject({ url, state: 'enabled', payloadVersion: 'V2', secret: SECRET.slice(0, 40) })
    expect(hook?.events.toSorted()).toEqual(EVENTS)
    expect(await ensure(context, first.state)).toEqual(first)
    expect(sandbox.webhooks.all()).toHaveLength(1)
  })

  it('that was switched off or removed is created again', async () => {
    await using sandbox = await openHelpScout()
    const context = await signedIn(sandbox)
    const first = await ensure(context)
    sandbox.webhooks.disable()
    const second = await ensure(context, first.state)
    expect(second.state).not.toEqual(first.state)
    await subscriptions.remove(context, second.state)
    const third = await ensure(context, second.state)
    expect(sandbox.webhooks.all().map(({ id, state }) => ({ id, state }))).toEqual([
      { id: third.state.id, state: 'enabled' },
    ])
  })

  it('that lacks an event or has another secret is replaced', async () => {
    await using sandbox = await openHelpScout()
    const context = await signedIn(sandbox)
    const first = await ensure(context)
    sandbox.webhooks.all()[0]?.events.pop()
    const second = await ensure(context, first.state)
    expect(second.state).not.toEqual(first.state)
    const other = await subscriptions.ensure(context, { url, secret: 'another', previous: second.state })
    expect(other.state).not.toEqual(second.state)
    expect(sandbox.webhooks.all().map(({ id, secret }) => ({ id, secret }))).toEqual([
      { id: other.state.id, secret: 'another' },
    ])
  })

  it('that was created just before an interruption is not left behind', async () => {
    await using sandbox = await openHelpScout()
    const context = await signedIn(sandbox)
    await ensure(context)
    const { state } = await ensure(context, null)
    expect(sandbox.webhooks.all().map(({ id }) => id)).toEqual([state.id])
  })

  it('leaves those of other connections alone, and moves with its address', async () => {
    await using sandbox = await openHelpScout()
    const context = await signedIn(sandbox)
    const other = await ensure(context, null, 'https://fb.example/api/helpscout/events/other')
    const first = await ensure(context)
    const moved = await ensure(context, first.state, 'https://new.example/api/helpscout/events/k')
    const all = sandbox.webhooks.all().map(({ id }) => id)
    expect(new Set(all)).toEqual(new Set([other.state.id, moved.state.id]))
  })

  it('that may not be created is explained', async () => {
    await using sandbox = await openHelpScout()
    const context = await signedIn(sandbox)
    sandbox.fault('forbidden', 1, 'create webhook')
    expect(await failureFrom(ensure(context))).toMatchObject({
      kind: 'rejected',
      message: expect.stringContaining('changes arrive with the next sync') as string,
    })
  })

  it('has the id of the header, or of the address, and none is an error', async () => {
    await using sandbox = await openHelpScout()
    const context = await signedIn(sandbox)
    const answers: Record<string, string>[] = [
      { 'resource-id': '17' },
      { location: 'https://api.helpscout.net/v2/webhooks/18' },
      {},
    ]
    await using server = await startServer(({ method }, response) => {
      const page = { size: 50, totalElements: 0, totalPages: 0, number: 1 }
      if (method === 'GET') return void response.end(JSON.stringify({ page, _links: {} }))
      response.writeHead(201, answers.shift()).end()
    })
    const at = { ...context, baseUrl: server.url }
    expect((await ensure(at)).state.id).toBe(17)
    expect((await ensure(at)).state.id).toBe(18)
    expect(await failureFrom(ensure(at))).toMatchObject({ kind: 'unavailable' })
  })

  it('is removed after a disconnect, also if it is no longer there', async () => {
    await using sandbox = await openHelpScout()
    const context = await signedIn(sandbox)
    const { state } = await ensure(context)
    await subscriptions.remove(context, state)
    await subscriptions.remove(context, state)
    await subscriptions.remove(context, { id: '../users/1' })
    expect(sandbox.webhooks.all()).toEqual([])
    expect(sandbox.calls().filter(({ method }) => method === 'DELETE')).toHaveLength(2)
  })
})

describe('its events', () => {
  it('that are forged are refused, also when Help Scout sends them again', async () => {
    await using live = await openLive()
    live.sandbox.eventFault('forged', 2)
    live.sandbox.open(madeUp('a', 1))
    live.sandbox.open(madeUp('b', 1))
    expect(await live.outcomes()).toEqual([])
    // Each is sent again three times.
    expect(live.receiver.refused).toHaveLength(8)
  })

  it('that are sent twice have one id, and one that is lost is found by the next sync', async () => {
    await using live = await openLive()
    live.sandbox.eventFault('twice')
    live.sandbox.eventFault('lost')
    live.sandbox.open(madeUp('a', 1))
    const lost = live.sandbox.open(madeUp('b', 1))
    expect(await live.outcomes()).toHaveLength(1)
    expect(live.receiver.repeated).toHaveLength(1)
    expect(await live.sandbox.webhooks.replay()).toBe(200)
    const { items } = await drain(live.context)
    expect(items.map(({ thread }) => thread)).toContain(String(lost))
  })

  it('end with a response of 410, and the daily check creates the webhook again', async () => {
    await using live = await openLive()
    const id = live.sandbox.webhooks.all()[0]?.id ?? 0
    live.receiver.status = 410
    live.sandbox.open(madeUp('a', 1))
    await live.sandbox.webhooks.settled()
    expect(live.sandbox.webhooks.all().map(({ state }) => state)).toEqual(['disabled'])
    live.receiver.status = null
    live.sandbox.open(madeUp('b', 1))
    expect(await live.outcomes()).toEqual([])
    await ensure(live.context, { id }, live.receiver.url)
    const seen = live.sandbox.open(madeUp('c', 1))
    expect((await live.outcomes()).flatMap(({ items }) => items.map(({ thread }) => thread))).toEqual([String(seen)])
    expect(live.sandbox.webhooks.all()).toHaveLength(1)
  })
})
