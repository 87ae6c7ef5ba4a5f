import { describe, expect, it } from 'vitest'
import type { FeedbackItem } from '../../connector.ts'
import type { TicketPost } from '../../sandbox/zendesk/account.ts'
import { placeholder, transcript } from '../../sandbox/zendesk/conversations.ts'
import type { ChatPost } from '../../sandbox/zendesk/records.ts'
import { handleEvent } from '../handle-event.ts'
import { pull } from '../pull.ts'
import { drain, fill, madeUp, openZendesk, signedIn } from '../testing.ts'

const START = Math.floor(Date.now() / 1000) * 1000 - 7_200_000
/** A conversation: who says what, a minute apart. */
const chat = (...said: [author: string, role: ChatPost['role'], text: string][]): ChatPost[] =>
  said.map(([author, role, text], index) => ({ author, role, text, at: START + index * 60_000 }))
const messages = chat(
  ['Ann', 'end-user', 'The export fails'],
  ['Tallybrook Support', 'agent', 'Since when?'],
  ['Ann', 'end-user', 'Since Monday'],
)
const ticket = (more: Partial<TicketPost> = {}): TicketPost => ({
  subject: 'Conversation with Ann',
  channel: 'whatsapp',
  requester: 'Ann',
  comments: [placeholder('Ann', START), transcript(messages)],
  ...more,
})
const bySide = (items: readonly FeedbackItem[], role: 'customer' | 'agent') =>
  items.filter((item) => item.role === role).map(({ author, text }) => `${author}: ${text}`)
const audits = (zendesk: { calls(): readonly { name: string }[] }) =>
  zendesk.calls().filter(({ name }) => name === 'audits').length

async function read(...tickets: TicketPost[]) {
  const zendesk = await openZendesk()
  const ids = fill(zendesk, tickets)
  const context = await signedIn(zendesk)
  return { zendesk, ids, context, ...(await drain(context)) }
}

describe('the transcript of a conversation', () => {
  it('is read by speaker: what the requester says are mentions, the rest is context', async () => {
    const { zendesk, ids, items, complete } = await read(ticket())
    await using _ = { [Symbol.asyncDispose]: () => zendesk.stop() }
    expect(bySide(items, 'customer')).toEqual(['Ann: The export fails', 'Ann: Since Monday'])
    expect(bySide(items, 'agent')).toEqual(['Tallybrook Support: Since when?'])
    expect(items.map(({ at }) => at.getTime())).toEqual(messages.map(({ at }) => at))
    expect(new Set(items.map(({ thread }) => thread))).toEqual(new Set([String(ids[0])]))
    const comment = zendesk.account.ticket(ids[0] ?? 0).comments[1]?.id
    expect(items.map(({ externalId }) => externalId)).toEqual([0, 1, 2].map((part) => `${ids[0]}:${comment}:${part}`))
    expect(complete[0]?.ids).toEqual(items.map(({ externalId }) => externalId))
    expect(audits(zendesk)).toBe(0)
  })

  it('whose author is the end user has no mention of an agent’s words', async () => {
    const { author: _, as: __, ...body } = transcript(messages)
    const { zendesk, items } = await read(
      ticket({ channel: 'chat', comments: [{ ...body, author: 'Ann' }], assignee: 'Agent Ash' }),
    )
    await using _zendesk = { [Symbol.asyncDispose]: () => zendesk.stop() }
    expect(bySide(items, 'customer')).toEqual(['Ann: The export fails', 'Ann: Since Monday'])
    expect(bySide(items, 'agent')).toEqual(['Tallybrook Support: Since when?'])
  })

  it.each([
    ['a former agent, by the assignment', { assignee: 'Ash' }, ['Ann', 'Ash'], ['Ann']],
    ['somebody in copy', { copied: ['Bob'] }, ['Ann', 'Bob', 'Ash'], ['Ann', 'Bob']],
    ['a bot', {}, ['Ann', 'Zippy'], ['Ann']],
    ['a brand of the account', { requester: 'Someone', subject: 'x' }, ['Tallybrook', 'Ann'], ['Ann']],
    ['a visitor', { requester: 'Someone', subject: 'x' }, ['Visitor 4711', 'Zippy', 'Ash'], ['Visitor 4711']],
    ['the name in the subject', { requester: 'Someone', subject: 'Unterhaltung mit Ann' }, ['Ash', 'Ann'], ['Ann']],
    ['an agent of the account', { requester: 'Someone', subject: 'x' }, ['Agent Ada', 'Ann'], ['Ann']],
    ['two that nobody knows', { requester: 'Someone', subject: 'x' }, ['Zippy', 'Ann'], []],
  ])('tells speakers by name: %s', async (_, more, names, customers) => {
    const said = chat(...names.map((name): [string, 'agent', string] => [name, 'agent', `words of ${name}`]))
    const other: TicketPost = { subject: 'x', comments: [{ author: 'Agent Ada', as: 'agent', text: 'x' }] }
    const { zendesk, items } = await read(ticket({ ...more, comments: [placeholder('x'), transcript(said)] }), other)
    await using _zendesk = { [Symbol.asyncDispose]: () => zendesk.stop() }
    const spoken = items.filter(({ externalId }) => externalId.split(':').length === 3)
    expect(bySide(spoken, 'customer')).toEqual(customers.map((name) => `${name}: words of ${name}`))
    expect(spoken).toHaveLength(names.length)
  })

  it('that was redacted replaces what was stored', async () => {
    const { zendesk, ids, context, cursor } = await read(ticket())
    await using _ = { [Symbol.asyncDispose]: () => zendesk.stop() }
    const [id = 0] = ids
    zendesk.redact(id, zendesk.account.ticket(id).comments[1]?.id ?? 0, 'export')
    zendesk.advance(120)
    const { items } = await drain(context, cursor)
    expect(items[0]).toMatchObject({ text: 'The ▇▇▇▇▇▇ fails', version: expect.any(Number) as number })
    expect(items[2]?.version).toBeUndefined()
  })
})

describe('a conversation that is only in the audits', () => {
  const silent = (more: Partial<TicketPost> = {}) =>
    ticket({ comments: [placeholder('Ann', START)], chats: [messages], ...more })

  it('is read from them, once for each ticket', async () => {
    const { zendesk, ids, items, complete, incomplete, context, cursor } = await read(silent())
    await using _ = { [Symbol.asyncDispose]: () => zendesk.stop() }
    expect(bySide(items, 'customer')).toEqual(['Ann: The export fails', 'Ann: Since Monday'])
    expect(bySide(items, 'agent')).toEqual(['Tallybrook Support: Since when?'])
    expect(items.map(({ at }) => at.getTime())).toEqual(messages.map(({ at }) => at))
    expect(complete[0]?.ids).toEqual(items.map(({ externalId }) => externalId))
    expect(incomplete).toBeNull()
    expect(audits(zendesk)).toBe(1)
    zendesk.account.change(ids[0] ?? 0, { tags: ['again'] })
    zendesk.advance(120)
    const again = await drain(context, cursor)
    expect(again.items.map(({ externalId }) => externalId)).toEqual(items.map(({ externalId }) => externalId))
  })

  it('is read page by page, and again from there after ten kills', async () => {
    await using zendesk = await openZendesk()
    const notes = Array.from(
      { length: 250 },
      () => ({ author: 'Agent Ash', as: 'agent', text: 'x', public: false }) as const,
    )
    const later = chat(['Ann', 'end-user', 'One more thing']).map((one) => ({ ...one, at: START + 3_600_000 }))
    fill(zendesk, [silent({ comments: [placeholder('Ann', START), ...notes], chats: [messages, later] })])
    const context = await signedIn(zendesk)
    const seen: string[] = []
    let cursor: unknown = null
    for (let done = false; !done; ) {
      done = true
      for await (const page of pull(context, JSON.parse(JSON.stringify(cursor)))) {
        seen.push(...page.items.map(({ text }) => text))
        cursor = page.cursor
        done = page.cursor.ended && page.cursor.tickets.length === 0
        break
      }
    }
    expect(seen.toSorted()).toEqual(['One more thing', 'Since Monday', 'Since when?', 'The export fails'])
    expect(audits(zendesk)).toBe(3)
  })

  it('is not looked for where comments have a customer’s words, also on an earlier page, or in a mail', async () => {
    const agent = { author: 'Agent Ash', as: 'agent', text: 'context' } as const
    const first = { author: 'Ann', text: 'mine' }
    const { zendesk } = await read(
      ticket({ comments: [first, ...Array.from({ length: 120 }, () => agent)] }),
      ticket({ channel: 'email', comments: [agent] }),
      madeUp('mail', 3),
    )
    await using _ = { [Symbol.asyncDispose]: () => zendesk.stop() }
    expect(audits(zendesk)).toBe(0)
  })

  it('of a ticket whose audits are refused is reported, and nothing stored is removed', async () => {
    await using zendesk = await openZendesk()
    const [id = 0] = fill(zendesk, [silent(), madeUp('other', 1)])
    const context = await signedIn(zendesk)
    zendesk.fault('expired-cursor', 1, 'audits')
    const { items, complete, setAside } = await drain(context)
    expect(items.map(({ text }) => text)).toEqual(['customer words other-0'])
    expect(complete.map(({ thread }) => thread)).not.toContain(String(id))
    expect(setAside?.items).toMatchObject([{ noun: 'ticket', label: `#${id}` }])
    expect(audits(zendesk)).toBe(1)
  })

  it('is part of an event too', async () => {
    await using zendesk = await openZendesk()
    const [id = 0] = fill(zendesk, [silent()])
    const context = await signedIn(zendesk)
    const { items } = await handleEvent(context, { type: 'zen:event-type:ticket.created', ticket: id })
    expect(items).toEqual((await drain(context)).items)
    expect(items).toHaveLength(3)
  })

  it('costs one request for each such ticket', async () => {
    await using zendesk = await openZendesk()
    fill(zendesk, [...Array.from({ length: 20 }, () => silent()), ...Array.from({ length: 20 }, () => ticket())])
    const context = await signedIn(zendesk)
    const before = zendesk.calls().length
    await drain(context)
    expect(audits(zendesk)).toBe(20)
    // The export, the comments and the audits; then people, the brands, and Zendesk's own count.
    expect(zendesk.calls().length - before).toBeLessThanOrEqual(1 + 40 + 20 + 3)
  })
})
