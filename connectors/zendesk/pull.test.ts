import { describe, expect, it } from 'vitest'
import { readThroughKills } from '../kit/worlds/source.ts'
import { loadCompany } from '../sandbox/company/company.ts'
import type { LoggedCall } from '../sandbox/zendesk/control.ts'
import { pull } from './pull.ts'
import { drain, fill, idsOf, madeUp, openZendesk, signedIn } from './testing.ts'

const named = (calls: readonly LoggedCall[], name: string) => calls.filter((call) => call.name === name)
const ids = (items: readonly { externalId: string }[]) => items.map(({ externalId }) => externalId).toSorted()

describe('the first round', () => {
  it('reads the demo company exactly: text, author, role, thread, date, link and attributes', async () => {
    await using zendesk = await openZendesk({ company: loadCompany() })
    const context = await signedIn(zendesk)
    const { items, incomplete } = await drain(context)
    const tickets = loadCompany().filter(({ kind }) => kind === 'ticket')
    expect(items).toHaveLength(tickets.length)
    expect(incomplete).toBeNull()
    expect(ids(items)).toEqual(idsOf(zendesk).toSorted())
    const byText = new Map(tickets.map((ticket) => [ticket.text.replace(/\s+/g, ' ').trim(), ticket]))
    for (const item of items) {
      const said = byText.get(item.text.replace(/\s+/g, ' ').trim())
      const [ticket = '', comment = ''] = item.externalId.split(':')
      const stored = zendesk.account.commentOf(Number(ticket), Number(comment))
      expect(item).toMatchObject({
        author: said?.author,
        role: 'customer',
        thread: ticket,
        link: `https://tallybrook.zendesk.com/agent/tickets/${ticket}`,
        attributes: {
          subject: said?.text.split('\n')[0]?.slice(0, 300).trim(),
          organisation: said?.company,
          status: 'open',
          channel: 'email',
        },
      })
      expect(Math.abs(item.at.getTime() - stored.created)).toBeLessThan(1000)
    }
  })

  it('reads every page of a ticket’s comments, in order, with authors and roles', async () => {
    await using zendesk = await openZendesk()
    const [ticket = 0] = fill(zendesk, [madeUp('long', 250)])
    const { items } = await drain(await signedIn(zendesk))
    expect(items.map(({ text }) => text)).toEqual(
      Array.from({ length: 250 }, (_, index) => `customer words long-${index}`),
    )
    expect(items.map(({ role }) => role).slice(0, 3)).toEqual(['customer', 'agent', 'customer'])
    expect(new Set(items.map(({ author }) => author))).toEqual(new Set(['Person long', 'Agent Ash']))
    expect(new Set(items.map(({ thread }) => thread))).toEqual(new Set([String(ticket)]))
    expect(named(zendesk.calls(), 'comments')).toHaveLength(3)
  })

  it('never reads a private comment, whether an agent or a customer wrote it', async () => {
    await using zendesk = await openZendesk()
    const note = { author: 'Agent Ash', as: 'agent', text: 'internal words', public: false } as const
    fill(zendesk, [
      { subject: 'a', comments: [{ author: 'Ann', text: 'shown' }, note, { ...note, author: 'Bob', as: 'end-user' }] },
    ])
    const { items, complete } = await drain(await signedIn(zendesk))
    expect(items.map(({ text }) => text)).toEqual(['shown'])
    expect(complete.flatMap((span) => span.ids)).toEqual(items.map(({ externalId }) => externalId))
  })

  it('includes closed tickets and those that were changed last long ago', async () => {
    await using zendesk = await openZendesk()
    const year = 364 * 86_400_000
    const old = zendesk.open({ ...madeUp('archived', 1), status: 'closed', at: Date.now() - year })
    const older = zendesk.open({ ...madeUp('too old', 1), at: Date.now() - year - 3 * 86_400_000 })
    const { items } = await drain(await signedIn(zendesk))
    expect(items.map(({ thread }) => Number(thread))).toEqual([old])
    const all = await drain(await signedIn(zendesk, { settings: { start_date: ['2020-01-01'] } }))
    expect(new Set(all.items.map(({ thread }) => Number(thread)))).toEqual(new Set([old, older]))
  })
})

describe('the cursor', () => {
  it('replaces the start time after the first request, in every later round too', async () => {
    await using zendesk = await openZendesk()
    fill(
      zendesk,
      Array.from({ length: 230 }, (_, index) => madeUp(`t-${index}`, 1)),
    )
    const context = await signedIn(zendesk)
    const first = await drain(context)
    fill(zendesk, [madeUp('new', 1)], Date.now() - 120_000 + 3_600_000)
    const second = await drain(context, first.cursor)
    expect(second.items).toHaveLength(1)
    const [start, ...rest] = named(zendesk.calls(), 'incremental').map(({ query }) => query)
    expect(Number(start?.start_time)).toBeLessThan(Date.now() / 1000 - 60)
    expect(start?.cursor).toBeUndefined()
    expect(rest).toHaveLength(3)
    for (const query of rest)
      expect(query).toEqual({
        cursor: expect.any(String) as string,
        per_page: '100',
        include: 'organizations,comment_count',
      })
    expect(first.cursor?.ended).toBe(true)
    expect(rest[2]?.cursor).toBe(first.cursor?.after)
  })

  it('leaves the last minute to the next round, and reads each ticket of a boundary second once', async () => {
    const base = Math.floor(Date.now() / 1000) * 1000
    await using zendesk = await openZendesk()
    const boundary = base - 65_000
    const early = [1, 2, 3].map((index) => zendesk.open({ ...madeUp(`same second ${index}`, 1), at: boundary }))
    const late = zendesk.open({ ...madeUp('just now', 1), at: base })
    const context = await signedIn(zendesk)
    const first = await drain(context)
    expect(first.items.map(({ thread }) => Number(thread))).toEqual(early)
    const between = await drain(context, first.cursor)
    expect(between.items).toEqual([])
    zendesk.advance(120)
    const later = await drain(context, between.cursor)
    expect(later.items.map(({ thread }) => Number(thread))).toEqual([late])
  })

  it('never starts in the last minute, even where the start date is today', async () => {
    await using zendesk = await openZendesk()
    const today = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    await drain(await signedIn(zendesk, { settings: { start_date: [today] } }))
    const [start] = named(zendesk.calls(), 'incremental')
    expect(Number(start?.query.start_time)).toBeLessThanOrEqual(Date.now() / 1000 - 60)
    expect(start?.status).toBe(200)
  })

  it('remembers the tickets that are still to be read: nothing is requested twice after ten kills', async () => {
    await using zendesk = await openZendesk()
    fill(
      zendesk,
      Array.from({ length: 25 }, (_, index) => madeUp(`t-${index}`, index === 3 ? 220 : 2)),
    )
    const context = await signedIn(zendesk)
    const seen = await readThroughKills(pull, context, 10)
    expect(seen.toSorted()).toEqual(idsOf(zendesk).toSorted())
    expect(named(zendesk.calls(), 'comments')).toHaveLength(24 + 3)
  })

  it('that Zendesk no longer accepts is replaced by the time of the last ticket', async () => {
    await using zendesk = await openZendesk()
    fill(
      zendesk,
      Array.from({ length: 5 }, (_, index) => madeUp(`t-${index}`, 1)),
    )
    const context = await signedIn(zendesk)
    const first = await drain(context)
    const fresh = zendesk.open(madeUp('fresh', 1))
    zendesk.advance(120)
    zendesk.fault('expired-cursor', 1, 'incremental')
    const second = await drain(context, first.cursor)
    const threads = second.items.map(({ thread }) => Number(thread))
    expect(threads).toContain(fresh)
    expect(threads.length).toBeLessThanOrEqual(2)
    const third = await drain(context, second.cursor)
    expect(third.items).toEqual([])
    expect(named(zendesk.calls(), 'incremental').at(-1)?.query.start_time).toBeUndefined()
  })

  it('of comments that Zendesk no longer accepts starts the ticket over', async () => {
    await using zendesk = await openZendesk()
    fill(zendesk, [madeUp('long', 150)])
    const context = await signedIn(zendesk)
    const pages = pull(context, null)
    await pages.next()
    await pages.next()
    zendesk.fault('expired-cursor', 1, 'comments')
    const third = await pages.next()
    const fourth = await pages.next()
    const read = [...(third.value?.items ?? []), ...(fourth.value?.items ?? [])]
    expect(new Set(ids(read))).toEqual(new Set(idsOf(zendesk)))
    expect(fourth.value?.complete?.[0]?.ids).toHaveLength(150)
  })

  it('that is malformed starts from the beginning', async () => {
    await using zendesk = await openZendesk()
    fill(zendesk, [madeUp('a', 2)])
    const context = await signedIn(zendesk)
    for (const cursor of ['text', 7, [], { version: 2 }, { version: 1, tickets: 'x' }]) {
      expect((await drain(context, cursor)).items).toHaveLength(2)
    }
  })
})

describe('a later round', () => {
  it('yields a reply on an old ticket', async () => {
    await using zendesk = await openZendesk()
    const [old = 0] = fill(zendesk, [madeUp('old', 3), madeUp('other', 3)])
    const context = await signedIn(zendesk)
    const first = await drain(context)
    const reply = zendesk.comment(old, { author: 'Person old', text: 'still broken' })
    zendesk.advance(120)
    const second = await drain(context, first.cursor)
    expect(ids(second.items)).toContain(`${old}:${reply}`)
    expect(new Set(second.items.map(({ thread }) => thread))).toEqual(new Set([String(old)]))
  })

  it('replaces what was redacted, with a version, and keeps the id', async () => {
    await using zendesk = await openZendesk()
    const [ticket = 0] = fill(zendesk, [madeUp('card', 2)])
    const context = await signedIn(zendesk)
    const first = await drain(context)
    const comment = zendesk.account.ticket(ticket).comments[0]?.id ?? 0
    expect(first.items.every((item) => item.version === undefined)).toBe(true)
    zendesk.redact(ticket, comment, 'words card')
    zendesk.advance(120)
    const second = await drain(context, first.cursor)
    const item = second.items.find(({ externalId }) => externalId === `${ticket}:${comment}`)
    expect(item?.text).toBe(`customer ${'▇'.repeat(10)}-0`)
    expect(item?.version).toBeGreaterThan(1e15)
    expect(JSON.stringify(second.items.filter((one) => one === item))).not.toContain('words card')
  })

  it('no longer lists a comment that was made private, so that it is removed', async () => {
    await using zendesk = await openZendesk()
    const [ticket = 0] = fill(zendesk, [madeUp('a', 3)])
    const context = await signedIn(zendesk)
    const first = await drain(context)
    const comment = zendesk.account.ticket(ticket).comments[2]?.id ?? 0
    zendesk.makePrivate(ticket, comment)
    zendesk.advance(120)
    const { complete } = await drain(context, first.cursor)
    const span = { prefix: `${ticket}:`, thread: String(ticket), after: null, before: null }
    expect(complete).toEqual([{ ...span, ids: idsOf(zendesk) }])
    expect(idsOf(zendesk)).not.toContain(`${ticket}:${comment}`)
  })

  it('removes a deleted ticket as a whole, and reads it again when it was restored', async () => {
    await using zendesk = await openZendesk()
    const [ticket = 0] = fill(zendesk, [madeUp('a', 2), madeUp('b', 1)])
    const context = await signedIn(zendesk)
    const first = await drain(context)
    expect(first.deletedThreads).toEqual([])
    zendesk.remove(ticket)
    zendesk.advance(120)
    const second = await drain(context, first.cursor)
    expect(second.deletedThreads).toEqual([String(ticket)])
    expect(second.items).toEqual([])
    zendesk.restore(ticket)
    zendesk.advance(120)
    expect((await drain(context, second.cursor)).items).toHaveLength(2)
  })

  it('keeps an order that events may be late for: a ticket deleted while its comments wait is skipped', async () => {
    await using zendesk = await openZendesk()
    const [one = 0, two = 0] = fill(zendesk, [madeUp('a', 1), madeUp('b', 1)])
    const context = await signedIn(zendesk)
    const pages = pull(context, null)
    await pages.next()
    zendesk.remove(two)
    const rest: string[] = []
    for (let page = await pages.next(); !page.done; page = await pages.next()) {
      rest.push(...page.value.items.map(({ thread }) => thread ?? ''))
    }
    expect(rest).toEqual([String(one)])
  })
})

it('needs about one request for each ticket: 1,000 tickets', async () => {
  await using zendesk = await openZendesk()
  fill(
    zendesk,
    Array.from({ length: 1000 }, (_, index) => madeUp(`t-${index}`, 2)),
    Date.now() - 60_000,
  )
  const context = await signedIn(zendesk)
  const before = zendesk.calls().length
  const { items } = await drain(context)
  expect(items).toHaveLength(2000)
  // Zendesk's largest export page is 1,000 tickets, and comments are read ticket by ticket.
  const least = 1 + 1000
  expect((zendesk.calls().length - before) / least).toBeLessThanOrEqual(1.2)
})

it('counts comments that consist of attachments only, also that of a ticket with nothing else', async () => {
  await using zendesk = await openZendesk()
  const file = { text: '', html: '', attachments: ['screen.png'] }
  const [alone = 0, mixed = 0] = fill(zendesk, [
    { subject: 'See', comments: [{ author: 'Ann', ...file }] },
    {
      subject: 'Export',
      comments: [
        { author: 'Bo', text: 'It fails', attachments: ['a.png'] },
        { author: 'Bo', ...file },
        { author: 'Bo', ...file, public: false },
        { author: 'Bo', text: '', html: '' },
      ],
    },
  ])
  const context = await signedIn(zendesk)
  const comment = (ticket: number, at: number) => `${ticket}:${zendesk.account.ticket(ticket).comments[at]?.id}`
  const first = await drain(context)
  expect(first.attachmentOnly.toSorted()).toEqual([comment(alone, 0), comment(mixed, 1)].toSorted())
  expect(first.items.map(({ externalId }) => externalId)).toEqual([comment(mixed, 0)])
})
