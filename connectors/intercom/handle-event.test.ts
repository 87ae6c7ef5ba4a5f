import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { Context, EventOutcome, ProviderEvents } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { failureFrom } from '../kit/testing.ts'
import { handleEvent } from './handle-event.ts'
import { receive } from './receive.ts'
import { drain, madeUp, openIntercom, signedIn } from './testing.ts'

/** A sandbox whose notifications arrive at a real address and are parsed and handled as the core does. */
async function open() {
  const intercom = await openIntercom()
  const taken = new Map<string, ProviderEvents['events'][number]>()
  const repeated: string[] = []
  let refused = 0
  let answered = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      try {
        const asked = { method: 'POST', key: null, headers: request.headers, body: Buffer.concat(chunks) }
        const { reply, events } = receive({ client_secret: intercom.clientSecret }, asked, new Date())
        for (const event of events) {
          if (taken.has(event.id)) repeated.push(event.id)
          // As the core does: an event of another workspace is that of another connection.
          if (event.account === intercom.workspaceId) taken.set(event.id, event)
        }
        answered += 1
        response.writeHead(reply.status, { 'content-type': reply.type }).end(reply.body)
      } catch (error) {
        refused += 1
        response.writeHead(error instanceof Rejected ? 401 : 500).end()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  intercom.notifications.subscribe(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/intercom/events`)
  const context = await signedIn(intercom)
  return {
    intercom,
    context,
    repeated,
    refused: () => refused,
    answered: () => answered,
    /** The outcomes of all events since the last call. */
    outcomes: async (with_: Context = context): Promise<EventOutcome[]> => {
      await intercom.notifications.settled()
      const events = [...taken.values()]
      taken.clear()
      return await Promise.all(events.map(({ payload }) => handleEvent(with_, JSON.parse(JSON.stringify(payload)))))
    },
    [Symbol.asyncDispose]: async () => {
      await intercom.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

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
    const [outcome] = await live.outcomes()
    expect(outcome?.items).toHaveLength(1)
    expect(outcome?.items[0]).toMatchObject({ text: '****', version: expect.any(Number) as number })
    expect(outcome?.deleted).toEqual([`${conversation}:${part}`])
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
    await using live = await open()
    const html = `<p>${'x'.repeat(1_000_000)}</p>`
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

describe('notifications', () => {
  it('that are forged are refused, repeated ones have the same id, and another workspace’s are not ours', async () => {
    await using live = await open()
    live.intercom.eventFault('forged')
    live.intercom.open(madeUp('forged', 1))
    expect(await live.outcomes()).toEqual([])
    expect(live.refused()).toBe(2)
    live.intercom.eventFault('doubled')
    live.intercom.open(madeUp('doubled', 1))
    await live.intercom.notifications.settled()
    expect(live.repeated).toHaveLength(1)
    expect(await live.intercom.notifications.replay()).toBe(200)
    expect(live.repeated).toHaveLength(2)
    expect(await live.outcomes()).toHaveLength(1)
    live.intercom.eventFault('foreign')
    live.intercom.open(madeUp('foreign', 1))
    expect(await live.outcomes()).toEqual([])
    expect(live.refused()).toBe(2)
  })

  it('that test the address are answered', async () => {
    await using live = await open()
    live.intercom.notifications.ping()
    expect(await live.outcomes()).toEqual([])
    expect(live.answered()).toBe(1)
  })

  it('that are lost, or that Intercom has suspended, are found by the next sync', async () => {
    await using live = await open()
    const first = await drain(live.context)
    live.intercom.eventFault('lost')
    const lost = live.intercom.open(madeUp('lost', 1))
    live.intercom.notifications.suspend(true)
    const suspended = live.intercom.open(madeUp('suspended', 1))
    expect(await live.outcomes()).toEqual([])
    const { items } = await drain(live.context, first.cursor)
    expect(items.map(({ thread }) => thread).toSorted()).toEqual([lost, suspended].toSorted())
  })
})
