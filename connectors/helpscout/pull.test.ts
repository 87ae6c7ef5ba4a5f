import { describe, expect, it } from 'vitest'
import { loadCompany } from '../sandbox/company/company.ts'
import type { LoggedCall } from '../sandbox/helpscout/control.ts'
import { drain, fill, idsOf, madeUp, many, openHelpScout, signedIn } from './testing.ts'

const named = (calls: readonly LoggedCall[], name: string) => calls.filter((call) => call.name === name)
const ids = (items: readonly { externalId: string }[]) => items.map(({ externalId }) => externalId).toSorted()

describe('the first round', () => {
  it('reads the demo company exactly: text, author, role, thread, date, link and attributes', async () => {
    await using sandbox = await openHelpScout({ company: loadCompany() })
    const { items, incomplete } = await drain(await signedIn(sandbox))
    const tickets = loadCompany().filter(({ kind }) => kind === 'ticket')
    expect(items).toHaveLength(tickets.length)
    expect(incomplete).toBeNull()
    expect(ids(items)).toEqual(idsOf(sandbox).toSorted())
    const byText = new Map(tickets.map((ticket) => [ticket.text.replace(/\s+/g, ' ').trim(), ticket]))
    for (const item of items) {
      const said = byText.get(item.text.replace(/\s+/g, ' ').trim())
      const stored = sandbox.account.conversation(Number(item.thread))
      expect(item).toMatchObject({
        author: said?.author,
        role: 'customer',
        externalId: `${stored.id}:${stored.threads[0]?.id}`,
        link: `https://secure.helpscout.net/conversation/${stored.id}/${stored.number}`,
        attributes: {
          subject: said?.text.split('\n')[0]?.slice(0, 300).trim(),
          inbox: 'Support',
          status: 'active',
          channel: 'email',
        },
      })
      expect(Math.abs(item.at.getTime() - stored.created)).toBeLessThan(1000)
    }
  })

  it('asks for conversations of every status, oldest change first, and never for embedded threads', async () => {
    await using sandbox = await openHelpScout()
    const statuses = ['active', 'closed', 'pending', 'open']
    fill(
      sandbox,
      statuses.map((status) => ({ ...madeUp(status, 1), status })),
    )
    const { items } = await drain(await signedIn(sandbox))
    expect(items.map(({ attributes }) => attributes?.status ?? '').toSorted()).toEqual(statuses.toSorted())
    for (const { query } of named(sandbox.calls(), 'conversations')) {
      expect(query).toEqual({
        status: 'all',
        modifiedSince: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
        sortField: 'modifiedAt',
        sortOrder: 'asc',
        page: '1',
      })
    }
  })

  it('reads every page of threads: 120 messages, in order within a page, with authors and roles', async () => {
    await using sandbox = await openHelpScout()
    const [id = 0] = fill(sandbox, [madeUp('long', 120)])
    const { items, complete } = await drain(await signedIn(sandbox))
    const texts = Array.from({ length: 120 }, (_, index) => `customer words long-${index}`)
    // Help Scout lists the newest first, 50 at a time.
    expect(items.map(({ text }) => text)).toEqual([...texts.slice(70), ...texts.slice(20, 70), ...texts.slice(0, 20)])
    for (const { text, author, role } of items) {
      const isCustomer = Number(text.split('-').at(-1)) % 2 === 0
      expect([author, role]).toEqual(isCustomer ? ['Person long', 'customer'] : ['Agent Ash', 'agent'])
    }
    expect(new Set(items.map(({ thread }) => thread))).toEqual(new Set([String(id)]))
    expect(named(sandbox.calls(), 'threads').map(({ query }) => query)).toEqual([
      { page: '1' },
      { page: '2' },
      { page: '3' },
    ])
    expect(complete).toEqual([
      { prefix: `${id}:`, thread: String(id), after: null, before: null, ids: expect.any(Array) as string[] },
    ])
    expect(complete[0]?.ids.toSorted()).toEqual(idsOf(sandbox).toSorted())
  })

  it('never reads a note, a draft, a hidden message or a line item', async () => {
    await using sandbox = await openHelpScout()
    const agent = { author: 'Agent Ash', as: 'user', text: 'internal words' } as const
    const threads = [
      { author: 'Ann', text: 'shown' },
      { ...agent, type: 'note' },
      { ...agent, state: 'draft' },
      { ...agent, state: 'hidden' },
      { ...agent, type: 'lineitem' },
      { ...agent, type: 'forwardparent' },
      { author: 'Ann', text: 'internal words', type: 'note' },
    ]
    fill(sandbox, [{ subject: 'a', threads }])
    const { items, complete, incomplete } = await drain(await signedIn(sandbox))
    expect(items.map(({ text }) => text)).toEqual(['shown'])
    expect(complete.flatMap((span) => span.ids)).toEqual(items.map(({ externalId }) => externalId))
    expect(incomplete).toBeNull()
  })

  it('reads a Beacon chat: each message is from the person who wrote it', async () => {
    await using sandbox = await openHelpScout()
    const chat = { type: 'beaconchat' }
    const threads = [
      { ...chat, author: 'Ann', text: 'The export is empty' },
      { ...chat, author: 'Agent Ash', as: 'user', text: 'Which one?' } as const,
      { ...chat, author: 'Ann', text: 'The CSV' },
    ]
    fill(sandbox, [{ subject: 'Chat with Ann', type: 'chat', threads }])
    const { items, incomplete } = await drain(await signedIn(sandbox))
    expect(items.map(({ text, author, role, attributes }) => [text, author, role, attributes?.channel])).toEqual([
      ['The export is empty', 'Ann', 'customer', 'chat'],
      ['Which one?', 'Agent Ash', 'agent', 'chat'],
      ['The CSV', 'Ann', 'customer', 'chat'],
    ])
    expect(incomplete).toBeNull()
  })

  it('of an empty account ends after one request: Help Scout leaves the list out', async () => {
    await using sandbox = await openHelpScout()
    const context = await signedIn(sandbox)
    const first = await drain(context)
    expect(first).toMatchObject({ items: [], pages: 1, incomplete: null })
    fill(sandbox, many(1))
    expect((await drain(context, first.cursor)).items).toHaveLength(1)
  })

  it('removes spam, and what is listed as deleted or as a draft', async () => {
    await using sandbox = await openHelpScout()
    const [spam, draft] = fill(sandbox, [
      { ...madeUp('spam', 1), status: 'spam' },
      { ...madeUp('draft', 1), state: 'draft' },
      madeUp('kept', 1),
    ])
    const { items, deletedThreads } = await drain(await signedIn(sandbox))
    expect(items).toHaveLength(1)
    expect(deletedThreads.toSorted()).toEqual([String(spam), String(draft)])
    expect(named(sandbox.calls(), 'threads')).toHaveLength(1)
  })
})

describe('a later round', () => {
  it('without changes is one request', async () => {
    await using sandbox = await openHelpScout()
    fill(sandbox, many(40))
    const context = await signedIn(sandbox)
    const { cursor } = await drain(context)
    const before = sandbox.calls().length
    expect(await drain(context, cursor)).toMatchObject({ items: [], deletedThreads: [], pages: 1 })
    expect(sandbox.calls().slice(before)).toHaveLength(1)
  })

  it('yields a reply on an old conversation, and the second of two replies in a row', async () => {
    await using sandbox = await openHelpScout()
    const [old = 0] = fill(sandbox, [madeUp('old', 3), ...many(30)])
    const context = await signedIn(sandbox)
    let { cursor } = await drain(context)
    for (const text of ['still broken', 'and now it burns']) {
      const reply = sandbox.write(old, { author: 'Person old', text })
      const round = await drain(context, cursor)
      cursor = round.cursor
      expect(ids(round.items)).toContain(`${old}:${reply}`)
      expect(new Set(round.items.map(({ thread }) => thread))).toEqual(new Set([String(old)]))
    }
  })

  it('replaces what was edited, and no longer lists what was hidden, so that it is removed', async () => {
    await using sandbox = await openHelpScout()
    const [id = 0] = fill(sandbox, [madeUp('a', 3)])
    const context = await signedIn(sandbox)
    const first = await drain(context)
    const [edited, , hidden] = sandbox.account.conversation(id).threads
    sandbox.account.edit(id, edited?.id ?? 0, { html: '<p>redacted</p>' })
    sandbox.account.edit(id, hidden?.id ?? 0, { state: 'hidden' })
    const second = await drain(context, first.cursor)
    expect(second.items.find(({ externalId }) => externalId === `${id}:${edited?.id}`)?.text).toBe('redacted')
    expect(second.complete[0]?.ids.toSorted()).toEqual(idsOf(sandbox).toSorted())
    expect(second.complete[0]?.ids).not.toContain(`${id}:${hidden?.id}`)
  })
})

it('counts messages that consist of attachments only, also in a conversation with nothing else', async () => {
  await using sandbox = await openHelpScout()
  const file = { author: 'Ann', text: '', html: '', attachments: ['screen.png'] }
  const [alone = 0, mixed = 0] = fill(sandbox, [
    { subject: 'See', threads: [file] },
    {
      subject: 'Export',
      threads: [
        { author: 'Bo', text: 'It fails', attachments: ['a.png'] },
        file,
        { ...file, as: 'user', type: 'note' },
        { author: 'Bo', text: '', html: '' },
      ],
    },
  ])
  const { items, attachmentOnly } = await drain(await signedIn(sandbox))
  const thread = (id: number, at: number) => `${id}:${sandbox.account.conversation(id).threads[at]?.id}`
  expect(attachmentOnly.toSorted()).toEqual([thread(alone, 0), thread(mixed, 1)].toSorted())
  expect(items.map(({ externalId }) => externalId)).toEqual([thread(mixed, 0)])
})
