import { describe, expect, it } from 'vitest'
import type { FeedbackItem } from '../../connector.ts'
import type { CommentPost } from '../../sandbox/zendesk/account.ts'
import { handleEvent } from '../handle-event.ts'
import { drain, fill, madeUp, openZendesk, signedIn } from '../testing.ts'
import { type Agents, noteAgentUntil, noteRole, wasAgent } from './agents.ts'

const ann = (text = 'customer words'): CommentPost => ({ author: 'Ann', text })
const ash = (text = 'agent words', more: Partial<CommentPost> = {}): CommentPost => ({
  author: 'Ash',
  as: 'agent',
  text,
  ...more,
})
const customers = (items: readonly FeedbackItem[]) =>
  items.filter(({ role }) => role === 'customer').map(({ text }) => text)

describe('what an agent wrote', () => {
  it('stays context after the agent became an end user, and what follows is a customer’s', async () => {
    await using zendesk = await openZendesk()
    const [one = 0] = fill(zendesk, [{ subject: 'a', comments: [ann(), ash()] }])
    const context = await signedIn(zendesk)
    const first = await drain(context)
    expect(customers(first.items)).toEqual(['customer words'])
    zendesk.account.downgrade('Ash')
    zendesk.advance(300)
    zendesk.comment(one, ash('words of a customer'))
    zendesk.advance(300)
    const second = await drain(context, JSON.parse(JSON.stringify(first.cursor)))
    expect(customers(second.items)).toEqual(['customer words', 'words of a customer'])
    expect(second.items).toHaveLength(3)
  })

  it('stays context in a ticket that is read for the first time afterwards, and when everything is read again', async () => {
    await using zendesk = await openZendesk()
    const old = zendesk.open({ subject: 'old', comments: [ann(), ash()], at: Date.now() - 500 * 86_400_000 })
    fill(zendesk, [{ subject: 'a', comments: [ann(), ash()] }])
    const context = await signedIn(zendesk)
    const first = await drain(context)
    zendesk.account.downgrade('Ash')
    const earlier = await signedIn(zendesk, { settings: { start_date: ['2020-01-01'] } })
    const second = await drain(earlier, first.cursor)
    expect(second.items.map(({ thread }) => Number(thread))).toContain(old)
    expect(customers(second.items)).toEqual(['customer words', 'customer words'])
  })

  it('is context although it is read only after the downgrade, where tickets were assigned to them', async () => {
    await using zendesk = await openZendesk()
    fill(zendesk, [
      { subject: 'theirs', comments: [ann(), ash()], assignee: 'Ash', status: 'closed' },
      { subject: 'of a colleague', comments: [ann(), ash('before the last one assigned'), ash('later')] },
      { subject: 'theirs too', comments: [ann(), ash()], assignee: 'Ash', status: 'closed' },
    ])
    zendesk.account.downgrade('Ash')
    const { items } = await drain(await signedIn(zendesk))
    expect(new Set(customers(items))).toEqual(new Set(['customer words']))
  })

  it('is context where they wrote an internal note in Zendesk, but not where a mail became private', async () => {
    await using zendesk = await openZendesk()
    const note = { public: false, at: Date.now() - 600_000 }
    fill(zendesk, [
      { subject: 'a', comments: [ann(), ash('note', { ...note, channel: 'web' }), ash('agent words')] },
      {
        subject: 'b',
        comments: [ann(), { author: 'Bob', text: 'note', ...note }, { author: 'Bob', text: 'words of Bob' }],
      },
    ])
    zendesk.account.downgrade('Ash')
    const { items } = await drain(await signedIn(zendesk))
    expect(customers(items)).toEqual(['customer words', 'customer words', 'words of Bob'])
  })

  it('does not include what a customer wrote in the form of the Help Center when one comment becomes private', async () => {
    await using zendesk = await openZendesk()
    const web = { channel: 'web' }
    fill(zendesk, [
      {
        subject: 'a',
        comments: [{ ...ann('with a password'), ...web, public: false }, { ...ann(), ...web }, ash()],
      },
      { subject: 'b', comments: [{ ...ann(), ...web }] },
    ])
    const { items } = await drain(await signedIn(zendesk))
    expect(customers(items)).toEqual(['customer words', 'customer words'])
  })

  it('is context if they are an agent of another account', async () => {
    await using zendesk = await openZendesk()
    fill(zendesk, [
      { subject: 'a', comments: [ann(), { author: 'Pat', as: 'partner', text: 'partner words' }] },
      { subject: 'b', comments: [{ author: 'Pat', as: 'partner', text: 'partner words' }] },
    ])
    const { items } = await drain(await signedIn(zendesk))
    expect(customers(items)).toEqual(['customer words'])
    expect(items).toHaveLength(3)
  })

  it('is not in an event: somebody else than the requester is left to the sync, which remembers', async () => {
    await using zendesk = await openZendesk()
    const copied = { author: 'Bob', text: 'words of Bob' }
    const [one = 0] = fill(zendesk, [{ subject: 'a', comments: [ann(), ash(), copied], copied: ['Bob'] }])
    const context = await signedIn(zendesk)
    const first = await drain(context)
    expect(customers(first.items)).toEqual(['customer words', 'words of Bob'])
    zendesk.account.downgrade('Ash')
    const payload = { type: 'zen:event-type:ticket.comment_added', ticket: one }
    const event = await handleEvent(await signedIn(zendesk), payload)
    expect(event).toMatchObject({ items: [{ text: 'customer words' }], deleted: [] })
    expect(event.items).toHaveLength(1)
  })

  it('of one who is an agent again is context', async () => {
    await using zendesk = await openZendesk()
    const [one = 0] = fill(zendesk, [{ subject: 'a', comments: [ann(), ash()] }])
    const context = await signedIn(zendesk)
    const first = await drain(context)
    zendesk.account.downgrade('Ash')
    zendesk.comment(one, ash('between'))
    zendesk.advance(120)
    const second = await drain(context, first.cursor)
    for (const user of zendesk.account.users.values()) if (user.name === 'Ash') user.role = 'agent'
    zendesk.comment(one, ash('again'))
    zendesk.advance(120)
    expect(customers((await drain(context, second.cursor)).items)).toEqual(['customer words'])
  })
})

describe('the memory of agents', () => {
  const agent = { name: 'Ash', role: 'agent' }
  const endUser = { name: 'Ash', role: 'end-user', changed: 500 }

  it('knows until when', () => {
    const agents: Agents = {}
    noteRole(agents, 7, endUser, 900)
    expect(agents).toEqual({})
    noteRole(agents, 7, agent, 900)
    expect(wasAgent(agents, 7, 1e15)).toBe(true)
    noteRole(agents, 7, { name: null, role: null }, 900)
    expect(agents).toEqual({ 7: null })
    noteRole(agents, 7, endUser, 900)
    noteRole(agents, 7, { ...endUser, changed: 800 }, 900)
    expect([500_999, 501_000].map((time) => wasAgent(agents, 7, time))).toEqual([true, false])
    noteAgentUntil(agents, 8, 10)
    noteAgentUntil(agents, 8, 5)
    expect(agents).toEqual({ 7: 500, 8: 10 })
  })

  it('keeps 2,000 people, agents rather than former ones', () => {
    const agents: Agents = {}
    for (let id = 1; id <= 2000; id += 1) noteRole(agents, id, agent, 0)
    noteAgentUntil(agents, 2001, 5)
    expect(Object.keys(agents)).toHaveLength(2000)
    noteRole(agents, 3, endUser, 0)
    noteRole(agents, 4, { ...endUser, changed: 400 }, 0)
    noteAgentUntil(agents, 2002, 5)
    expect(Object.keys(agents)).toHaveLength(2000)
    expect(agents).toMatchObject({ 3: 500, 2002: 5 })
    expect(agents[4]).toBeUndefined()
  })

  it('begins again with everything where an earlier version stored the position', async () => {
    await using zendesk = await openZendesk()
    fill(zendesk, [madeUp('a', 2)])
    const context = await signedIn(zendesk)
    const { cursor } = await drain(context)
    expect((await drain(context, { ...cursor, key: '[[],[],[],[]]' })).items).toHaveLength(2)
  })

  it('is part of the position, also of one that an earlier version stored', async () => {
    await using zendesk = await openZendesk()
    fill(zendesk, [madeUp('a', 2)])
    const context = await signedIn(zendesk)
    const { cursor } = await drain(context)
    expect(Object.values(cursor?.agents ?? {})).toEqual([null])
    const { agents: _, ...before } = JSON.parse(JSON.stringify(cursor)) as Record<string, unknown>
    const later = await drain(context, before)
    expect(later.items).toEqual([])
    expect(later.cursor?.agents).toEqual({})
  })
})
