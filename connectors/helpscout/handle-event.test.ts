import { describe, expect, it } from 'vitest'
import type { EventOutcome } from '../connector.ts'
import { failureFrom, startServer } from '../kit/testing.ts'
import { handleEvent } from './handle-event.ts'
import { drain, fill, inFront, madeUp, many, openHelpScout, openLive, signedIn } from './testing.ts'

const nothing: EventOutcome = { items: [], deleted: [], ended: null }

describe('an event', () => {
  it('of a new conversation or a reply yields the same items as a sync', async () => {
    await using live = await openLive()
    const id = live.sandbox.open(madeUp('new', 2))
    live.sandbox.write(id, { author: 'Person new', text: 'and one more' })
    live.sandbox.write(id, { author: 'Agent Ash', as: 'user', text: 'an answer' })
    const outcomes = await live.outcomes()
    expect(outcomes).toHaveLength(3)
    const { items } = await drain(live.context)
    expect(outcomes.at(-1)?.items).toEqual(items)
    expect(items.map(({ role }) => role)).toEqual(['customer', 'agent', 'customer', 'agent'])
  })

  it('of a note yields none of it', async () => {
    await using live = await openLive()
    const id = live.sandbox.open(madeUp('a', 1))
    live.sandbox.write(id, { author: 'Agent Ash', as: 'user', type: 'note', text: 'internal words' })
    const outcomes = await live.outcomes()
    // Notes are not subscribed to, and are left out when a conversation is read for another event.
    expect(outcomes).toHaveLength(1)
    expect(outcomes[0]?.items).toHaveLength(1)
    expect(JSON.stringify(outcomes)).not.toContain('internal words')
  })

  it('of a deletion removes the conversation as a whole, and a restored one is read again', async () => {
    await using live = await openLive()
    const id = live.sandbox.open({ ...madeUp('a', 2), at: Date.now() - 3_600_000 })
    const { cursor } = await drain(live.context)
    await live.outcomes()
    live.sandbox.remove(id)
    expect(await live.outcomes()).toEqual([{ ...nothing, deletedThreads: [String(id)] }])
    live.sandbox.restore(id)
    expect((await drain(live.context, cursor)).items).toHaveLength(2)
  })

  it('of a merge yields the messages in their new conversation, and removes the old one', async () => {
    await using live = await openLive()
    const [old, target] = [live.sandbox.open(madeUp('old', 2)), live.sandbox.open(madeUp('target', 1))]
    await live.outcomes()
    live.sandbox.merge(old, target)
    const [outcome] = await live.outcomes()
    expect(outcome?.deletedThreads).toEqual([String(old)])
    expect(outcome?.items.map(({ thread }) => thread)).toEqual([String(target), String(target), String(target)])
  })

  it('of a conversation that was merged meanwhile reads the one it was merged into', async () => {
    await using live = await openLive()
    const [old, target] = [live.sandbox.open(madeUp('old', 1)), live.sandbox.open(madeUp('target', 1))]
    live.sandbox.merge(old, target)
    const late = await handleEvent(live.context, { type: 'convo.customer.reply.created', conversation: old })
    expect(late.deletedThreads).toEqual([String(old)])
    expect(late.items.map(({ thread }) => thread)).toEqual([String(target), String(target)])
  })

  it('of a merged conversation takes the id from the redirect, and never follows it', async () => {
    await using sandbox = await openHelpScout()
    const context = await signedIn(sandbox)
    await using evil = await startServer()
    const locations = [`${evil.url}/v2/conversations/77`, `${evil.url}/steal?to=/conversations/x`]
    await using server = await startServer(({ url }, response) => {
      if (!url.endsWith('/5')) return void response.writeHead(404).end()
      response.writeHead(301, { location: locations.shift() ?? '' }).end()
    })
    const event = { type: 'convo.merged', conversation: 5 }
    const moved = await handleEvent({ ...context, baseUrl: server.url }, event)
    expect(moved).toEqual({ ...nothing, deletedThreads: ['5'] })
    expect(await handleEvent({ ...context, baseUrl: server.url }, event)).toEqual(moved)
    expect(server.seen.map(({ url }) => url)).toEqual(['5', '77', '5'].map((id) => `/v2/conversations/${id}`))
    expect(evil.seen).toEqual([])
  })

  it('of a move reads a conversation that came into a chosen inbox, and nothing of one that left it', async () => {
    await using live = await openLive()
    const id = live.sandbox.open({ ...madeUp('a', 1), inbox: 'Support' })
    live.sandbox.account.add({ ...madeUp('b', 1), inbox: 'Billing' })
    await live.outcomes()
    const inboxes = [String(live.sandbox.account.inboxes.find(({ name }) => name === 'Billing')?.id)]
    const chosen = { ...live.context, settings: { ...live.context.settings, inboxes } }
    live.sandbox.move(id, 'Billing')
    expect((await live.outcomes(chosen))[0]?.items).toHaveLength(1)
    live.sandbox.move(id, 'Support')
    expect(await live.outcomes(chosen)).toEqual([nothing])
  })

  it('that is late cannot undo a newer one: the conversation is read as it is now', async () => {
    await using live = await openLive()
    const id = live.sandbox.open(madeUp('a', 1))
    live.sandbox.remove(id)
    const outcomes = await live.outcomes()
    expect(outcomes).toContainEqual({ ...nothing, deletedThreads: [String(id)] })
    expect(outcomes.flatMap(({ items }) => items)).toEqual([])
    live.sandbox.restore(id)
    const late = await handleEvent(live.context, { type: 'convo.deleted', conversation: id })
    expect(late.deletedThreads).toBeUndefined()
    expect(late.items).toHaveLength(1)
  })

  it('of spam, of a draft and of what is still listed as deleted removes the conversation', async () => {
    await using sandbox = await openHelpScout()
    const all = fill(sandbox, [
      { ...madeUp('spam', 1), status: 'spam' },
      { ...madeUp('draft', 1), state: 'draft' },
      madeUp('deleted', 1),
    ])
    const context = await signedIn(sandbox)
    await using server = await inFront(sandbox.url, (path, body) =>
      path.endsWith(`/${all[2]}`) ? { ...body, state: 'deleted' } : null,
    )
    for (const conversation of all) {
      const outcome = await handleEvent({ ...context, baseUrl: server.url }, { type: 'convo.created', conversation })
      expect(outcome).toEqual({ ...nothing, deletedThreads: [String(conversation)] })
    }
  })

  it('of a conversation that is not found, and was not deleted, changes nothing', async () => {
    await using sandbox = await openHelpScout()
    const context = await signedIn(sandbox)
    expect(await handleEvent(context, { type: 'convo.created', conversation: 999_999 })).toEqual(nothing)
  })

  it('of a conversation with a tag to leave out changes nothing', async () => {
    await using live = await openLive()
    live.sandbox.open({ ...madeUp('a', 1), tags: ['internal'] })
    const settings = { ...live.context.settings, skip_tags: ['internal'] }
    expect(await live.outcomes({ ...live.context, settings })).toEqual([nothing])
  })

  it('of a long conversation reads all of it', async () => {
    await using sandbox = await openHelpScout()
    const [conversation = 0] = fill(sandbox, [madeUp('long', 130)])
    const outcome = await handleEvent(await signedIn(sandbox), { type: 'convo.moved', conversation })
    expect(outcome.items).toHaveLength(130)
  })

  it('never marks a hidden message as deleted: it may be shown again', async () => {
    await using sandbox = await openHelpScout()
    const [conversation = 0] = fill(sandbox, [madeUp('a', 2)])
    const context = await signedIn(sandbox)
    const [, second] = sandbox.account.conversation(conversation).threads
    sandbox.account.edit(conversation, second?.id ?? 0, { state: 'hidden' })
    const hidden = await handleEvent(context, { type: 'convo.moved', conversation })
    expect(hidden.items).toHaveLength(1)
    expect(hidden.deleted).toEqual([])
    sandbox.account.edit(conversation, second?.id ?? 0, { state: 'published' })
    expect((await handleEvent(context, { type: 'convo.moved', conversation })).items).toHaveLength(2)
  })
})

describe('an event that is not as it should be', () => {
  it.each([
    {},
    { type: 'x' },
    { type: 7, conversation: 1 },
    { type: 'x', conversation: '1/../users/me' },
    { type: 'x', conversation: -1 },
  ])('is refused without a request: %j', async (payload) => {
    await using sandbox = await openHelpScout()
    const context = await signedIn(sandbox)
    const before = sandbox.calls().length
    expect(await failureFrom(handleEvent(context, payload))).toMatchObject({ kind: 'rejected' })
    expect(sandbox.calls()).toHaveLength(before)
  })

  it.each([
    ['500', 'unavailable'],
    ['429', 'rate-limited'],
    ['forbidden', 'rejected'],
    ['revoked', 'auth'],
    ['malformed', 'unavailable'],
  ] as const)('because of %s is %s, and is never mistaken for a deletion', async (fault, kind) => {
    await using sandbox = await openHelpScout()
    const [conversation = 0] = fill(sandbox, many(1))
    const context = await signedIn(sandbox)
    sandbox.fault(fault, 1, 'conversation')
    expect(await failureFrom(handleEvent(context, { type: 'convo.deleted', conversation }))).toMatchObject({ kind })
  })
})
