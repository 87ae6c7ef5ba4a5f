import { describe, expect, it } from 'vitest'
import { startServer } from '../kit/testing.ts'
import { choices } from './choices.ts'
import { drain, fill, madeUp, openZendesk, signedIn } from './testing.ts'

const subjects = (items: readonly { attributes?: Record<string, string> }[]) =>
  items.map(({ attributes }) => attributes?.subject ?? '').toSorted()

/** An account with tickets of two brands, two groups, two channels and a tag. */
async function open() {
  const zendesk = await openZendesk()
  const day = 86_400_000
  zendesk.open({ ...madeUp('plain', 1), at: Date.now() - 40 * day })
  zendesk.open({ ...madeUp('brand', 1), brand: 'Second', at: Date.now() - 30 * day })
  zendesk.open({ ...madeUp('group', 1), group: 'Billing', at: Date.now() - 20 * day })
  zendesk.open({ ...madeUp('channel', 1), channel: 'api', at: Date.now() - 10 * day })
  zendesk.open({ ...madeUp('tag', 1), tags: ['Internal', 'x'], at: Date.now() - 5 * day })
  const { account } = zendesk
  const id = (list: readonly { id: number; name: string }[], name: string) =>
    String(list.find((one) => one.name === name)?.id)
  return {
    ...zendesk,
    brand: (name: string) => id(account.brands, name),
    group: (name: string) => id(account.groups, name),
    date: (ago: number) => new Date(Date.now() - ago * day).toISOString().slice(0, 10),
    [Symbol.asyncDispose]: () => zendesk.stop(),
  }
}
const ALL = ['brand', 'channel', 'group', 'plain', 'tag'].map((name) => `Subject of ${name}`)
const without = (...names: string[]) => ALL.filter((subject) => !names.some((name) => subject.endsWith(name)))

describe('the choices', () => {
  it('are brands and groups by name, a start date, and what to leave out; none is required', async () => {
    await using zendesk = await open()
    const listed = await choices(await signedIn(zendesk))
    expect(listed.map(({ field, kind = 'select', required = false }) => [field, kind, required])).toEqual([
      ['start_date', 'date', false],
      ['brands', 'select', false],
      ['groups', 'select', false],
      ['skip_channels', 'select', false],
      ['skip_tags', 'text', false],
    ])
    expect(listed[1]?.options.map(({ label }) => label)).toEqual(['Second', 'Tallybrook'])
    expect(listed[2]?.options.map(({ label }) => label)).toEqual(['Billing', 'Support'])
    expect(listed[3]?.options.map(({ value }) => value)).toContain('email')
  })

  it('are read from as many pages as there are, without following an address of a response', async () => {
    await using zendesk = await open()
    const context = await signedIn(zendesk)
    await using server = await startServer(({ url }, response) => {
      const page = Number(new URL(url, 'http://x').searchParams.get('page') ?? 1)
      const key = url.includes('brands') ? 'brands' : 'groups'
      const next_page = page < 3 ? 'http://evil.example/page' : null
      response.end(JSON.stringify({ [key]: [{ id: page, name: `${key} ${page}` }], next_page }))
    })
    const listed = await choices({ ...context, baseUrl: server.url })
    expect(listed[2]?.options.map(({ label }) => label)).toEqual(['groups 1', 'groups 2', 'groups 3'])
    expect(server.seen).toHaveLength(6)
  })
})

describe('what is chosen', () => {
  it('is read, and by default everything', async () => {
    await using zendesk = await open()
    const read = async (settings: Record<string, unknown>) =>
      subjects((await drain(await signedIn(zendesk, { settings }))).items)
    expect(await read({})).toEqual(ALL)
    expect(await read({ brands: [], groups: null, start_date: [], skip_tags: ['  '] })).toEqual(ALL)
    expect(await read({ brands: [zendesk.brand('Second')] })).toEqual(['Subject of brand'])
    expect(await read({ groups: [zendesk.group('Support')] })).toEqual(without('group'))
    expect(await read({ skip_channels: ['api', 'chat'] })).toEqual(without('channel'))
    expect(await read({ skip_tags: ['spam, INTERNAL'] })).toEqual(without('tag'))
    expect(await read({ start_date: [zendesk.date(25)] })).toEqual(without('plain', 'brand'))
    expect(await read({ start_date: ['soon'] })).toEqual(ALL)
  })

  it('later is read from the beginning, if it is different or earlier, and from the cursor otherwise', async () => {
    await using zendesk = await open()
    const at = async (settings: Record<string, unknown>, cursor: unknown) =>
      drain(await signedIn(zendesk, { settings }), cursor)
    const first = await at({ start_date: [zendesk.date(15)] }, null)
    expect(subjects(first.items)).toEqual(without('plain', 'brand', 'group'))
    const earlier = await at({ start_date: [zendesk.date(35)] }, first.cursor)
    expect(subjects(earlier.items)).toEqual(without('plain'))
    expect((await at({ start_date: [zendesk.date(2)] }, earlier.cursor)).items).toEqual([])
    const other = await at({ start_date: [zendesk.date(35)], skip_tags: ['internal'] }, earlier.cursor)
    expect(subjects(other.items)).toEqual(without('plain', 'tag'))
    expect((await at({ start_date: [zendesk.date(35)], skip_tags: ['internal '] }, other.cursor)).items).toEqual([])
  })

  it('does not matter for the comparison of counts', async () => {
    await using zendesk = await open()
    const { incomplete, cursor } = await drain(
      await signedIn(zendesk, { settings: { brands: [zendesk.brand('Second')] } }),
    )
    expect(incomplete).toBeNull()
    expect(cursor?.tally).toMatchObject({ seen: 5, counted: 5 })
  })
})

describe('attributes', () => {
  it('are subject, organisation, status, channel, tags, and custom fields by title and option', async () => {
    await using zendesk = await openZendesk()
    const fields = [
      { id: 27_642, value: 'plan_pro' },
      { id: 27_648, value: '4.2' },
      { id: 99, value: 'unknown field' },
    ]
    const comments = [{ author: 'Ann', company: 'Acme', text: 'x' }]
    fill(zendesk, [{ subject: 'Printer', comments, tags: ['a', 'b'], channel: 'web', status: 'pending', fields }])
    const { items } = await drain(await signedIn(zendesk))
    expect(items[0]?.attributes).toEqual({
      subject: 'Printer',
      organisation: 'Acme',
      status: 'pending',
      channel: 'web',
      tags: 'a, b',
      Plan: 'Professional',
      Version: '4.2',
      'Field 99': 'unknown field',
    })
    expect(zendesk.calls().filter(({ name }) => name === 'organizations')).toEqual([])
    expect(zendesk.calls().filter(({ name }) => name === 'fields')).toHaveLength(1)
  })

  it('never let a custom field replace another one, are cut, and need neither fields nor organisations', async () => {
    await using zendesk = await openZendesk()
    const fields = [{ id: 27_648, value: `${'v'.repeat(400)}\0` }]
    zendesk.account.fields[1] = { id: 27_648, title: 'status', options: [] }
    fill(zendesk, [{ ...madeUp('a', 1), fields }])
    const { items } = await drain(await signedIn(zendesk))
    expect(items[0]?.attributes).toEqual({ subject: 'Subject of a', status: 'open', channel: 'email' })
    zendesk.fault('forbidden', 0)
    zendesk.account.fields[1] = { id: 27_648, title: 'Long', options: [] }
    const again = await drain(await signedIn(zendesk))
    expect(again.items[0]?.attributes?.Long).toBe('v'.repeat(300))
  })
})
