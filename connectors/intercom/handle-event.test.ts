import { describe, expect, it } from 'vitest'
import type { EventOutcome } from '../connector.ts'
import { failureFrom } from '../kit/testing.ts'
import { handleEvent } from './handle-event.ts'
import { drain, madeUp, openLive as open } from './testing.ts'

const nothing: EventOutcome = { items: [], deleted: [], ended: null }

describe('an event', () => {
  it('of a new conversation or a reply yields the same items as a sync', async () => {
    await using live = await open()
    const conversation = live.intercom.open(madeUp('new', 2))
    live.intercom.reply(conversation, { author: 'Person new', text: 'and one more' })
    live.intercom.reply(conversation, { author: 'Agent Ash', as: 'admin', text: 'I see' })
    const outcomes = await live.outcomes()
    expect(outcomes).toHaveLength(3)
    const { items } = await drain(live.context)
    expect(outcomes.at(-1)?.items).toEqual(items)
    expect(items.map(({ role }) => role)).toEqual(['customer', 'agent', 'customer', 'agent'])
  })

  it('of a note is not sent, and one about something else yields nothing of it', async () => {
    await using live = await open()
    const conversation = live.intercom.open(madeUp('a', 1))
    live.intercom.reply(conversation, { author: 'Agent Ash', as: 'admin', type: 'note', text: 'internal words' })
    const outcomes = await live.outcomes()
    expect(outcomes).toHaveLength(1)
    expect(JSON.stringify(outcomes)).not.toContain('internal words')
  })

  it('after a redaction yields the new words with a version, and deletes what has none left', async () => {
    await using live = await open()
    const conversation = live.intercom.open(madeUp('card', 2))
    const part = live.intercom.workspace.conversation(conversation).parts[0]?.id ?? ''
    live.intercom.redact(conversation, null, '<p>****</p>')
    live.intercom.redact(conversation, part)
    const version = live.intercom.workspace.conversation(conversation).updated * 1_000_000
    const outcome = {
      ...nothing,
      items: [expect.objectContaining({ externalId: `${conversation}:source`, text: '****', version }) as object],
      deleted: [`${conversation}:${part}`],
    }
    // Of the new conversation, and of each redaction: what is read is always the newest state.
    expect(await live.outcomes()).toEqual([outcome, outcome, outcome])
  })

  it('of a deletion removes the conversation as a whole, without asking for it', async () => {
    await using live = await open()
    const conversation = live.intercom.open(madeUp('a', 2))
    await live.outcomes()
    const calls = live.intercom.calls().length
    live.intercom.remove(conversation)
    expect(await live.outcomes()).toEqual([{ ...nothing, deletedThreads: [conversation] }])
    expect(live.intercom.calls()).toHaveLength(calls)
  })

  it('that is late cannot undo a newer one: the conversation is read as it is now', async () => {
    await using live = await open()
    const conversation = live.intercom.open(madeUp('a', 1))
    live.intercom.reply(conversation, { author: 'Person a', text: 'more' })
    const late = { topic: 'conversation.user.created', conversation }
    expect((await handleEvent(live.context, late)).items).toHaveLength(2)
    live.intercom.remove(conversation)
    expect(await handleEvent(live.context, late)).toEqual(nothing)
    const outcomes = await live.outcomes()
    expect(outcomes).toContainEqual({ ...nothing, deletedThreads: [conversation] })
    expect(outcomes.flatMap(({ items }) => items)).toEqual([])
  })

  it('of a conversation or an author that is not chosen changes nothing', async () => {
    await using live = await open()
    live.intercom.open({ ...madeUp('a', 2), team: 'Billing' })
    const withSettings = (more: object) => ({ ...live.context, settings: { ...live.context.settings, ...more } })
    expect(await live.outcomes(withSettings({ teams: ['1'] }))).toEqual([nothing])
    const conversation = live.intercom.open(madeUp('b', 2))
    const [outcome] = await live.outcomes(withSettings({ authors: ['users'] }))
    expect(outcome?.items.map(({ externalId }) => externalId)).toEqual([`${conversation}:source`])
  })

  it('of a conversation that is too large changes nothing: a sync says so', async () => {
    // A tenth of the product's limit, for which the sandbox would need seconds.
    await using live = await open({ maxBytes: 1_600_000 })
    const html = `<p>${'x'.repeat(100_000)}</p>`
    const conversation = live.intercom.workspace.add({
      messages: Array.from({ length: 18 }, () => ({ author: 'Ann', text: 'x', html })),
    }).id
    expect(await handleEvent(live.context, { topic: 'conversation.user.replied', conversation })).toEqual(nothing)
  })

  it('that fails at Intercom is thrown, so that it is handled again', async () => {
    await using live = await open()
    const conversation = live.intercom.open(madeUp('a', 1))
    const event = { topic: 'conversation.user.created', conversation }
    for (const [fault, kind] of [
      ['500', 'unavailable'],
      ['429', 'rate-limited'],
      ['missing-fields', 'unavailable'],
      ['revoked', 'auth'],
    ] as const) {
      live.intercom.fault(fault)
      expect(await failureFrom(handleEvent(live.context, event))).toMatchObject({ kind })
    }
  })

  it.each([
    {},
    { topic: 'conversation.user.created' },
    { topic: 'conversation.deleted', conversation: '../me' },
    { conversation: '1' },
  ])('that was stored wrongly is refused: %j', async (payload) => {
    await using live = await open()
    const calls = live.intercom.calls().length
    expect(await failureFrom(handleEvent(live.context, payload))).toMatchObject({ kind: 'rejected' })
    expect(live.intercom.calls()).toHaveLength(calls)
  })
})
