import { describe, expect, it } from 'vitest'
import { startServer } from '../kit/testing.ts'
import { choices } from './choices.ts'
import { drain, madeUp, openHelpScout, signedIn } from './testing.ts'

const DAY_MS = 86_400_000
const subjects = (items: readonly { attributes?: Record<string, string> }[]) =>
  items.map(({ attributes }) => attributes?.subject ?? '').toSorted()

/** An account with conversations of two inboxes and with two tags. */
async function open() {
  const sandbox = await openHelpScout()
  const at = (days: number) => Date.now() - days * DAY_MS
  sandbox.open({ ...madeUp('plain', 1), at: at(40) })
  sandbox.open({ ...madeUp('inbox', 1), inbox: 'Billing', at: at(30) })
  sandbox.open({ ...madeUp('vip', 1), tags: ['VIP customer', 'x'], at: at(20) })
  sandbox.open({ ...madeUp('internal', 1), tags: ['internal', 'vip customer'], at: at(10) })
  return {
    ...sandbox,
    inbox: (name: string) => String(sandbox.account.inboxes.find((one) => one.name === name)?.id),
    date: (days: number) => new Date(at(days)).toISOString().slice(0, 10),
    [Symbol.asyncDispose]: () => sandbox.stop(),
  }
}
const all = ['inbox', 'internal', 'plain', 'vip'].map((name) => `Subject of ${name}`)
const without = (...names: string[]) => all.filter((subject) => !names.some((name) => subject.endsWith(name)))

describe('the choices', () => {
  it('are a start date, inboxes by name, and tags; none is required', async () => {
    await using sandbox = await open()
    const listed = await choices(await signedIn(sandbox))
    expect(listed.map(({ field, kind = 'select', required = false }) => [field, kind, required])).toEqual([
      ['start_date', 'date', false],
      ['inboxes', 'select', false],
      ['tags', 'text', false],
      ['skip_tags', 'text', false],
    ])
    expect(listed[1]?.options).toEqual([
      { value: sandbox.inbox('Billing'), label: 'Billing' },
      { value: sandbox.inbox('Support'), label: 'Support' },
    ])
  })

  it('are read from as many pages as there are, without following an address of a response', async () => {
    await using sandbox = await open()
    const context = await signedIn(sandbox)
    await using server = await startServer(({ url }, response) => {
      const number = Number(new URL(url, 'http://x').searchParams.get('page'))
      const page = { size: 1, totalElements: 3, totalPages: 3, number }
      const _links = { next: { href: 'http://evil.example/v2/mailboxes?page=2' } }
      const _embedded = { mailboxes: [{ id: number, name: `inbox ${number}` }] }
      response.end(JSON.stringify({ _embedded, page, _links }))
    })
    const listed = await choices({ ...context, baseUrl: server.url })
    expect(listed[1]?.options.map(({ label }) => label)).toEqual(['inbox 1', 'inbox 2', 'inbox 3'])
    expect(server.seen.map(({ url }) => url)).toEqual([1, 2, 3].map((page) => `/v2/mailboxes?page=${page}`))
  })

  it('of an account without an inbox are empty: Help Scout leaves the list out', async () => {
    await using sandbox = await openHelpScout()
    const listed = await choices(await signedIn(sandbox))
    expect(listed[1]?.options).toEqual([])
  })
})

describe('what is chosen', () => {
  it('is read, and by default everything', async () => {
    await using sandbox = await open()
    const read = async (settings: Record<string, unknown>) =>
      subjects((await drain(await signedIn(sandbox, { settings }))).items)
    expect(await read({})).toEqual(all)
    expect(await read({ inboxes: [], tags: null, start_date: [], skip_tags: ['  ,'] })).toEqual(all)
    expect(await read({ inboxes: [sandbox.inbox('Billing')] })).toEqual(['Subject of inbox'])
    expect(await read({ inboxes: [sandbox.inbox('Support')] })).toEqual(without('inbox'))
    expect(await read({ inboxes: [sandbox.inbox('Support'), sandbox.inbox('Billing')] })).toEqual(all)
    expect(await read({ tags: ['vip Customer'] })).toEqual(['Subject of internal', 'Subject of vip'])
    expect(await read({ tags: ['vip customer, x'], skip_tags: ['INTERNAL'] })).toEqual(['Subject of vip'])
    expect(await read({ skip_tags: ['spam, Internal'] })).toEqual(without('internal'))
    expect(await read({ start_date: [sandbox.date(25)] })).toEqual(without('plain', 'inbox'))
    expect(await read({ start_date: ['soon'] })).toEqual(all)
  })

  it('is requested from Help Scout where it is one inbox', async () => {
    await using sandbox = await open()
    const inboxes = [sandbox.inbox('Billing')]
    await drain(await signedIn(sandbox, { settings: { inboxes } }))
    const lists = sandbox.calls().filter(({ name }) => name === 'conversations')
    expect(new Set(lists.map(({ query }) => query.mailbox))).toEqual(new Set(inboxes))
    const other = await signedIn(sandbox, { settings: { inboxes: ['85&status=spam'] } })
    expect((await drain(other)).items).toEqual([])
    expect(sandbox.calls().at(-1)?.query.mailbox).toBeUndefined()
  })

  it('by default reaches back twelve months, with all messages of a conversation that changed since then', async () => {
    await using sandbox = await openHelpScout()
    const long = Date.now() - 400 * DAY_MS
    sandbox.open({ ...madeUp('too old', 1), at: long })
    const kept = sandbox.open({ ...madeUp('answered later', 1), at: long })
    sandbox.write(kept, { author: 'Agent Ash', as: 'user', text: 'Still there?', at: Date.now() - 30 * DAY_MS })
    const { items } = await drain(await signedIn(sandbox))
    expect(items.map(({ thread }) => thread)).toEqual([String(kept), String(kept)])
  })

  it('later is read from the beginning, if it is different or earlier, and from the cursor otherwise', async () => {
    await using sandbox = await open()
    const at = async (settings: Record<string, unknown>, cursor: unknown) =>
      drain(await signedIn(sandbox, { settings }), cursor)
    const first = await at({ start_date: [sandbox.date(15)] }, null)
    expect(subjects(first.items)).toEqual(['Subject of internal'])
    const earlier = await at({ start_date: [sandbox.date(35)] }, first.cursor)
    expect(subjects(earlier.items)).toEqual(without('plain'))
    expect((await at({ start_date: [sandbox.date(2)] }, earlier.cursor)).items).toEqual([])
    const other = await at({ start_date: [sandbox.date(35)], skip_tags: ['internal'] }, earlier.cursor)
    expect(subjects(other.items)).toEqual(without('plain', 'internal'))
    const same = await at({ start_date: [sandbox.date(35)], skip_tags: [' Internal '] }, other.cursor)
    expect(same.items).toEqual([])
  })
})
