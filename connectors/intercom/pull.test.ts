import { describe, expect, it } from 'vitest'
import { createPageStore } from '../kit/page-store.ts'
import { loadCompany } from '../sandbox/company/company.ts'
import type { LoggedCall } from '../sandbox/intercom/control.ts'
import { pull } from './pull.ts'
import { drain, fill, idsOf, madeUp, many, openIntercom, signedIn } from './testing.ts'

const named = (calls: readonly LoggedCall[], name: string) => calls.filter((call) => call.name === name)
const ids = (items: readonly { externalId: string }[]) => items.map(({ externalId }) => externalId).toSorted()

type SearchJson = {
  query: { field: string; operator: string; value: number }
  sort: { field: string; order: string }
  pagination: { per_page: number; starting_after?: string }
}
const searches = (calls: readonly LoggedCall[]) => named(calls, 'search').map(({ json }) => json as SearchJson)

describe('the first round', () => {
  it('reads the demo company exactly: text, author, role, thread, date, link and attributes', async () => {
    await using intercom = await openIntercom({ company: loadCompany() })
    const { items, incomplete } = await drain(await signedIn(intercom))
    const tickets = loadCompany().filter(({ kind }) => kind === 'ticket')
    expect(items).toHaveLength(tickets.length)
    expect(incomplete).toBeNull()
    expect(ids(items)).toEqual(idsOf(intercom).toSorted())
    const byText = new Map(tickets.map((ticket) => [ticket.text.replace(/\s+/g, ' ').trim(), ticket]))
    for (const item of items) {
      const said = byText.get(item.text.replace(/\s+/g, ' ').trim())
      const stored = intercom.workspace.conversation(item.thread ?? '')
      expect(item).toMatchObject({
        author: said?.author,
        role: 'customer',
        link: `https://app.intercom.com/a/inbox/tallybrook1/inbox/conversation/${stored.id}`,
        attributes: { company: said?.company, status: 'open', channel: 'conversation' },
      })
      expect(item.at.getTime()).toBe(stored.created * 1000)
    }
  })

  it('reads every part of a conversation, in order, with authors and roles', async () => {
    await using intercom = await openIntercom()
    const [conversation = ''] = fill(intercom, [madeUp('long', 250)])
    const { items } = await drain(await signedIn(intercom))
    expect(items.map(({ text }) => text)).toEqual(
      Array.from({ length: 250 }, (_, index) => `customer words long-${index}`),
    )
    expect(items.map(({ role }) => role).slice(0, 3)).toEqual(['customer', 'agent', 'customer'])
    expect(new Set(items.map(({ author }) => author))).toEqual(new Set(['Person long', 'Agent Ash']))
    expect(new Set(items.map(({ thread }) => thread))).toEqual(new Set([conversation]))
  })

  it('never reads a note', async () => {
    await using intercom = await openIntercom()
    const note = { author: 'Agent Ash', as: 'admin', type: 'note', text: 'internal words' } as const
    fill(intercom, [{ messages: [{ author: 'Ann', text: 'shown' }, note, { ...note, type: 'note_and_reopen' }] }])
    const { items, complete } = await drain(await signedIn(intercom))
    expect(items.map(({ text }) => text)).toEqual(['shown'])
    expect(complete.flatMap((span) => span.ids)).toEqual(ids(items))
  })

  it('includes closed conversations, and those of the last 12 months only', async () => {
    await using intercom = await openIntercom()
    const year = 364 * 86_400_000
    const old = intercom.open({ ...madeUp('old', 1), at: Date.now() - year })
    const older = intercom.open({ ...madeUp('too old', 1), at: Date.now() - year - 3 * 86_400_000 })
    intercom.workspace.conversation(old).state = 'closed'
    const { items } = await drain(await signedIn(intercom))
    expect(items.map(({ thread }) => thread)).toEqual([old])
    const all = await drain(await signedIn(intercom, { settings: { start_date: ['2020-01-01'] } }))
    expect(all.items.map(({ thread }) => thread)).toEqual([older, old])
  })
})

describe('the search', () => {
  it('asks for the oldest change first, from the second before the start, page after page', async () => {
    await using intercom = await openIntercom()
    fill(intercom, many(320))
    const { cursor } = await drain(await signedIn(intercom))
    const asked = searches(intercom.calls())
    expect(asked).toHaveLength(3)
    for (const { query, sort, pagination } of asked) {
      expect(query).toEqual({ field: 'updated_at', operator: '>', value: (cursor?.start ?? 0) - 1 })
      expect(sort).toEqual({ field: 'updated_at', order: 'ascending' })
      expect(pagination.per_page).toBe(150)
    }
    expect(asked[0]?.pagination.starting_after).toBeUndefined()
    expect(new Set(asked.map(({ pagination }) => pagination.starting_after)).size).toBe(3)
    expect(named(intercom.calls(), 'search').every(({ version }) => version === '2.14')).toBe(true)
  })

  it.each([false, true])('loses nothing of a boundary second, whether > includes it (%s) or not', async (inclusive) => {
    await using intercom = await openIntercom({ inclusive })
    const at = Math.floor(Date.now() / 1000) * 1000 - 900_000
    const same = [1, 2, 3].map((index) => intercom.open({ ...madeUp(`same second ${index}`, 1), at }))
    const start = new Date(at).toISOString().slice(0, 10)
    const context = await signedIn(intercom, { settings: { start_date: [start] } })
    const first = await drain(context)
    expect(first.items.map(({ thread }) => thread)).toEqual(same)
    // One more in the same second is listed only now, and the three others are not read again.
    const late = intercom.open({ ...madeUp('late', 1), at })
    const second = await drain(context, first.cursor)
    expect(second.items.map(({ thread }) => thread)).toEqual([late])
    expect((await drain(context, second.cursor)).items).toEqual([])
  })

  it('reads a conversation again that changed twice in the second in which it was read', async () => {
    const now = new Date(Math.floor(Date.now() / 1000) * 1000)
    await using intercom = await openIntercom({ now: () => now })
    const conversation = intercom.open(madeUp('busy', 1))
    const context = await signedIn(intercom, { now: () => now })
    const first = await drain(context)
    expect(first.items).toHaveLength(1)
    const reply = intercom.reply(conversation, { author: 'Person busy', text: 'in the same second' })
    expect(intercom.workspace.conversation(conversation).updated).toBe(first.cursor?.newest)
    const second = await drain(context, first.cursor)
    expect(ids(second.items)).toContain(`${conversation}:${reply}`)
    intercom.advance(60)
    const third = await drain(context, second.cursor)
    expect((await drain(context, third.cursor)).items).toEqual([])
  })

  it('finds what it lists late, within five minutes, and reads nothing else twice', async () => {
    await using intercom = await openIntercom()
    const now = Math.floor(Date.now() / 1000) * 1000
    intercom.workspace.lag(true)
    const late = intercom.open({ ...madeUp('late', 1), at: now - 200_000 })
    intercom.workspace.lag(false)
    intercom.workspace.conversation(late).indexed = null
    const prompt = intercom.open({ ...madeUp('prompt', 1), at: now - 20_000 })
    const context = await signedIn(intercom)
    const first = await drain(context)
    expect(first.items.map(({ thread }) => thread)).toEqual([prompt])
    intercom.workspace.lag(false)
    const second = await drain(context, first.cursor)
    expect(second.items.map(({ thread }) => thread)).toEqual([late])
    expect(named(intercom.calls(), 'conversation')).toHaveLength(2)
  })

  it('finds what it lists late, also where reading the conversations of a page took longer than that', async () => {
    await using intercom = await openIntercom()
    const now = Math.floor(Date.now() / 1000) * 1000
    for (const [index, post] of many(160).entries()) intercom.open({ ...post, at: now - 200_000 + index * 1000 })
    const late = intercom.open({ ...madeUp('late', 1), at: now - 195_000 })
    intercom.workspace.conversation(late).indexed = null
    const context = await signedIn(intercom)
    const pages = pull(context, null)
    const store = createPageStore()
    const first = await pages.next()
    if (!first.done) store.commit(first.value)
    // The search knows it four minutes after its change, and is by then past it.
    intercom.advance(45)
    intercom.workspace.lag(false)
    intercom.advance(3600)
    const fresh = intercom.open(madeUp('fresh', 1))
    for await (const page of pages) store.commit(page)
    expect(store.items.has(`${fresh}:source`)).toBe(true)
    expect(store.items.has(`${late}:source`)).toBe(false)
    for await (const page of pull(context, store.cursor())) store.commit(page)
    expect([...store.items.keys()].toSorted()).toEqual(idsOf(intercom).toSorted())
  })

  it('lists only the newest change again where nothing changed for a while', async () => {
    await using intercom = await openIntercom()
    fill(intercom, many(5))
    const context = await signedIn(intercom)
    const { cursor } = await drain(context)
    const before = intercom.calls().length
    expect((await drain(context, cursor)).items).toEqual([])
    const asked = intercom.calls().slice(before)
    expect(searches(asked).map(({ query }) => query.value)).toEqual([(cursor?.newest ?? 0) - 1])
    expect(asked).toHaveLength(1)
  })

  it('loses nothing where conversations change between two pages', async () => {
    await using intercom = await openIntercom()
    const all = fill(intercom, many(310))
    const context = await signedIn(intercom)
    const store = createPageStore()
    let pages = 0
    for await (const page of pull(context, null)) {
      store.commit(page)
      pages += 1
      // The first of those that were read, and one of the next page, move to the end.
      if (pages === 140) {
        intercom.reply(all[0] ?? '', { author: 'Person c-0', text: 'again' })
        intercom.reply(all[200] ?? '', { author: 'Person c-200', text: 'again' })
      }
    }
    expect([...store.items.keys()].toSorted()).toEqual(idsOf(intercom).toSorted())
  })

  it('is not led astray by a change in the future', async () => {
    await using intercom = await openIntercom()
    const [wrong = ''] = fill(intercom, many(3))
    const stored = intercom.workspace.conversation(wrong)
    stored.updated = stored.indexed = Math.floor(Date.now() / 1000) + 86_400 * 365
    const context = await signedIn(intercom)
    const { cursor } = await drain(context)
    expect(cursor?.newest).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000))
    const fresh = intercom.open(madeUp('fresh', 1))
    expect((await drain(context, cursor)).items.map(({ thread }) => thread)).toContain(fresh)
  })
})

it('needs about one request for each conversation: 1,000 conversations', async () => {
  await using intercom = await openIntercom()
  fill(intercom, many(1000, 2))
  const context = await signedIn(intercom)
  const before = intercom.calls().length
  const { items } = await drain(context)
  expect(items).toHaveLength(2000)
  // The largest page of the search has 150 conversations, and each one is read by its own request.
  const least = Math.ceil(1000 / 150) + 1000
  expect((intercom.calls().length - before) / least).toBeLessThanOrEqual(1.2)
})

it('counts messages that consist of attachments only, the first of a conversation and replies', async () => {
  await using intercom = await openIntercom()
  const file = { author: 'Ann', text: '', html: '', attachments: ['screen.png'] }
  const [alone, mixed] = fill(intercom, [
    { messages: [file] },
    {
      messages: [
        { author: 'Bo', text: 'It fails', attachments: ['a.png'] },
        file,
        { author: 'Bo', text: '', html: '' },
      ],
    },
  ])
  const { items, attachmentOnly } = await drain(await signedIn(intercom))
  const reply = intercom.workspace.conversations.get(mixed ?? '')?.parts[0]?.id
  expect(attachmentOnly.toSorted()).toEqual([`${alone}:source`, `${mixed}:${reply}`].toSorted())
  expect(items.map(({ externalId }) => externalId)).toEqual([`${mixed}:source`])
})
