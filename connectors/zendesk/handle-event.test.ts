import { describe, expect, it } from 'vitest'
import type { Context, EventOutcome } from '../connector.ts'
import { failureFrom } from '../kit/testing.ts'
import { live } from '../kit/worlds/events.ts'
import { handleEvent } from './handle-event.ts'
import { receive } from './receive.ts'
import { subscriptions } from './subscriptions.ts'
import { drain, fill, madeUp, openZendesk, signedIn } from './testing.ts'

/** A sandbox whose events arrive at a real address and are parsed and handled as the core does. */
async function open() {
  const zendesk = await openZendesk()
  let secrets: Record<string, string> = {}
  const run = await live(zendesk, {
    context: await signedIn(zendesk),
    receive: (request) => receive(secrets, request, new Date()),
    subscribe: async (url, context) => {
      secrets = (await subscriptions.ensure(context, { url, secret: 'unused', previous: null })).secrets ?? {}
    },
    settled: zendesk.webhooks.settled,
    handleEvent,
  })
  return { ...run, zendesk }
}

const nothing: EventOutcome = { items: [], deleted: [], ended: null }

describe('an event', () => {
  it('of a new ticket or a comment yields the same items as a sync', async () => {
    await using live = await open()
    const ticket = live.zendesk.open(madeUp('new', 2))
    live.zendesk.comment(ticket, { author: 'Person new', text: 'and one more' })
    const outcomes = await live.outcomes()
    expect(outcomes).toHaveLength(2)
    live.zendesk.advance(120)
    const { items } = await drain(live.context)
    expect(outcomes.at(-1)?.items).toEqual(items)
    expect(items).toHaveLength(3)
  })

  it('of a redaction yields the new words, with a version', async () => {
    await using live = await open()
    const ticket = live.zendesk.open(madeUp('card', 1))
    await live.outcomes()
    live.zendesk.redact(ticket, live.zendesk.account.ticket(ticket).comments[0]?.id ?? 0, 'customer words')
    const [outcome] = await live.outcomes()
    expect(outcome?.items[0]).toMatchObject({ text: `${'▇'.repeat(14)} card-0`, version: expect.any(Number) as number })
  })

  it('of a comment that was made private deletes it', async () => {
    await using live = await open()
    const ticket = live.zendesk.open(madeUp('a', 2))
    await live.outcomes()
    const [, second] = live.zendesk.account.ticket(ticket).comments
    live.zendesk.makePrivate(ticket, second?.id ?? 0)
    const [outcome] = await live.outcomes()
    expect(outcome?.deleted).toEqual([`${ticket}:${second?.id}`])
    expect(outcome?.items).toHaveLength(1)
  })

  it('of a conversation that was made private deletes its messages', async () => {
    await using live = await open()
    const text = '(08:00:00) Ann: It burns\n(08:01:00) Ash: Oh'
    const comments = [{ author: '', as: 'system', text } as const]
    const ticket = live.zendesk.open({ subject: 'a', channel: 'whatsapp', requester: 'Ann', comments })
    const [created] = await live.outcomes()
    expect(created?.items).toHaveLength(2)
    live.zendesk.makePrivate(ticket, live.zendesk.account.ticket(ticket).comments[0]?.id ?? 0)
    const [outcome] = await live.outcomes()
    expect(outcome?.deleted).toEqual(expect.arrayContaining(created?.items.map(({ externalId }) => externalId) ?? ['']))
    expect(outcome?.items).toEqual([])
  })

  it('of a private note yields nothing of it', async () => {
    await using live = await open()
    const ticket = live.zendesk.open(madeUp('a', 1))
    await live.outcomes()
    live.zendesk.comment(ticket, { author: 'Agent Ash', as: 'agent', text: 'internal words', public: false })
    const [outcome] = await live.outcomes()
    expect(JSON.stringify(outcome)).not.toContain('internal words')
    expect(outcome?.deleted).toEqual([])
  })

  it('of a deletion removes the ticket as a whole, and one of a restored ticket brings it back', async () => {
    await using live = await open()
    const ticket = live.zendesk.open(madeUp('a', 2))
    await live.outcomes()
    live.zendesk.remove(ticket)
    expect(await live.outcomes()).toEqual([{ ...nothing, deletedThreads: [String(ticket)] }])
    live.zendesk.restore(ticket)
    expect((await live.outcomes())[0]?.items).toHaveLength(2)
  })

  it('that is late cannot undo a newer one: the ticket is read as it is now', async () => {
    await using live = await open()
    const ticket = live.zendesk.open(madeUp('a', 1))
    live.zendesk.remove(ticket)
    const outcomes = await live.outcomes()
    expect(outcomes).toContainEqual({ ...nothing, deletedThreads: [String(ticket)] })
    expect(outcomes.flatMap(({ items }) => items)).toEqual([])
    live.zendesk.restore(ticket)
    const late = await handleEvent(live.context, { type: 'zen:event-type:ticket.soft_deleted', ticket })
    expect(late.deletedThreads).toBeUndefined()
    expect(late.items).toHaveLength(1)
  })

  it('of a ticket that is not found, and was not deleted, changes nothing', async () => {
    await using live = await open()
    expect(await handleEvent(live.context, { type: 'zen:event-type:ticket.created', ticket: 999_999 })).toEqual(nothing)
  })

  it('of a ticket that is not chosen changes nothing', async () => {
    await using live = await open()
    live.zendesk.open({ ...madeUp('a', 1), tags: ['internal'] })
    const settings = { ...live.context.settings, skip_tags: ['internal'] }
    expect(await live.outcomes({ ...live.context, settings })).toEqual([nothing])
  })

  it('of a long ticket reads all of it', async () => {
    await using live = await open()
    const [ticket = 0] = fill(live.zendesk, [madeUp('long', 230)])
    await live.outcomes()
    const outcome = await handleEvent(live.context, { type: 'zen:event-type:ticket.merged', ticket })
    expect(outcome.items).toHaveLength(230)
  })

  it('that is forged or late is refused', async () => {
    await using live = await open()
    live.zendesk.eventFault('forged')
    live.zendesk.eventFault('late')
    live.zendesk.open(madeUp('a', 1))
    live.zendesk.open(madeUp('b', 1))
    expect(await live.outcomes()).toEqual([])
    // Each is sent again three times.
    expect(live.receiver.refused).toHaveLength(8)
  })

  it('that is sent twice has one id, and one that is lost is found by the next sync', async () => {
    await using live = await open()
    live.zendesk.eventFault('twice')
    live.zendesk.eventFault('lost')
    live.zendesk.open(madeUp('a', 1))
    const lost = live.zendesk.open(madeUp('b', 1))
    expect(await live.outcomes()).toHaveLength(1)
    expect(live.receiver.repeated).toHaveLength(1)
    expect(await live.zendesk.webhooks.replay()).toBe(200)
    live.zendesk.advance(120)
    const { items } = await drain(live.context)
    expect(items.map(({ thread }) => thread)).toContain(String(lost))
  })

  it.each([
    {},
    { type: 'x' },
    { type: 7, ticket: 1 },
    { type: 'x', ticket: '1/../users/me' },
    { type: 'x', ticket: -1 },
  ])('that is malformed is refused without a request: %j', async (payload) => {
    await using live = await open()
    const before = live.zendesk.calls().length
    expect(await failureFrom(handleEvent(live.context, payload))).toMatchObject({ kind: 'rejected' })
    expect(live.zendesk.calls()).toHaveLength(before)
  })

  it('during an outage is unavailable, so that it is tried again', async () => {
    await using live = await open()
    const ticket = live.zendesk.open(madeUp('a', 1))
    live.zendesk.fault('500', 1, 'comments')
    const payload = { type: 'zen:event-type:ticket.created', ticket }
    expect(await failureFrom(handleEvent(live.context, payload))).toMatchObject({ kind: 'unavailable' })
    expect((await handleEvent(live.context, payload)).items).toHaveLength(1)
  })
})

describe('the webhook', () => {
  const url = 'https://fb.example/api/zendesk/events/k'
  const ensure = (context: Context, previous: Record<string, unknown> | null = null, to = url) =>
    subscriptions.ensure(context, { url: to, secret: 'unused', previous })

  it('is created once, kept while it is whole, and has a secret of Zendesk', async () => {
    await using zendesk = await openZendesk()
    const context = await signedIn(zendesk)
    const first = await ensure(context)
    const [hook] = zendesk.webhooks.all()
    expect(first).toEqual({ state: { id: hook?.id }, expiresAt: null, secrets: { webhook_secret: hook?.secret } })
    expect(hook).toMatchObject({ endpoint: url, status: 'active', http_method: 'POST', request_format: 'json' })
    expect(hook?.subscriptions.every((event) => event.startsWith('zen:event-type:ticket.'))).toBe(true)
    expect(await ensure(context, first.state)).toEqual(first)
    expect(zendesk.webhooks.all()).toHaveLength(1)
  })

  it('that was switched off or removed is created again', async () => {
    await using zendesk = await openZendesk()
    const context = await signedIn(zendesk)
    const first = await ensure(context)
    zendesk.webhooks.disable()
    const second = await ensure(context, first.state)
    expect(second.state).not.toEqual(first.state)
    await subscriptions.remove(context, second.state)
    const third = await ensure(context, second.state)
    expect(zendesk.webhooks.all().map(({ id, status }) => ({ id, status }))).toEqual([
      { ...third.state, status: 'active' },
    ])
  })

  it('that was created just before an interruption is not left behind', async () => {
    await using zendesk = await openZendesk()
    const context = await signedIn(zendesk)
    zendesk.fault('500', 1, 'secret')
    expect(await failureFrom(ensure(context))).toMatchObject({ kind: 'unavailable' })
    const { state } = await ensure(context)
    expect(zendesk.webhooks.all().map(({ id }) => id)).toEqual([state.id])
  })

  it('leaves those of other connections alone, and moves with its address', async () => {
    await using zendesk = await openZendesk()
    const context = await signedIn(zendesk)
    const other = await ensure(context, null, 'https://fb.example/api/zendesk/events/other')
    const first = await ensure(context)
    const moved = await ensure(context, first.state, 'https://new.example/api/zendesk/events/k')
    const all = zendesk.webhooks.all().map(({ id }) => id)
    expect(new Set(all)).toEqual(new Set([other.state.id, moved.state.id]))
  })

  it('that may not be created is explained', async () => {
    await using zendesk = await openZendesk()
    const context = await signedIn(zendesk)
    zendesk.fault('forbidden', 1, 'create webhook')
    expect(await failureFrom(ensure(context))).toMatchObject({
      kind: 'rejected',
      message: expect.stringContaining('changes arrive with the next sync') as string,
    })
  })

  it('is removed after a disconnect, also if it is no longer there', async () => {
    await using zendesk = await openZendesk()
    const context = await signedIn(zendesk)
    const { state } = await ensure(context)
    await subscriptions.remove(context, state)
    await subscriptions.remove(context, state)
    await subscriptions.remove(context, { id: '../users/1' })
    expect(zendesk.webhooks.all()).toEqual([])
    expect(zendesk.calls().filter(({ method }) => method === 'DELETE')).toHaveLength(2)
  })
})
