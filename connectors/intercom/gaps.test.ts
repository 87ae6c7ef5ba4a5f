import { describe, expect, it } from 'vitest'
import { failureFrom, type Handler, startServer } from '../kit/testing.ts'
import { drain, fill, idsOf, madeUp, many, openIntercom, signedIn } from './testing.ts'

type Body = Record<string, unknown>

/** A server in front of the sandbox that changes some of its responses. */
async function inFront(url: string, change: (path: string, body: Body, sent: Body) => unknown) {
  const handler: Handler = ({ method, url: path, headers, body: sent }, response) => {
    const { authorization = '' } = headers
    void fetch(url + path, { method, headers: { authorization }, ...(sent === '' ? {} : { body: sent }) }).then(
      async (answer) => {
        const body = (await answer.json()) as Body
        const asked = (sent === '' ? {} : JSON.parse(sent)) as Body
        response.writeHead(answer.status).end(JSON.stringify(change(path, body, asked) ?? body))
      },
    )
  }
  return await startServer(handler)
}
const isSearch = (path: string) => path.endsWith('/search')

/** The sandbox would need seconds for a response that exceeds the product's own limit. */
const TENTH_OF_THE_LIMIT = 1_600_000

describe('what is missing', () => {
  it('is said with numbers: parts beyond the newest 500, and stored ones of them stay', async () => {
    await using intercom = await openIntercom()
    const [long = '', other = ''] = fill(intercom, [madeUp('long', 601), madeUp('whole', 2)])
    const context = await signedIn(intercom)
    const first = await drain(context)
    expect(first.incomplete).toBe(
      `Intercom returned 100 messages and events fewer than it counts in conversation ${long}.`,
    )
    const texts = first.items.filter(({ thread }) => thread === long).map(({ text }) => text)
    expect(texts).toHaveLength(501)
    expect([texts[0], texts[1], texts.at(-1)]).toEqual(
      ['0', '101', '600'].map((index) => `customer words long-${index}`),
    )
    expect(first.complete.map(({ thread }) => thread)).toEqual([other])
  })

  it('is said for as long as it is missing', async () => {
    await using intercom = await openIntercom()
    const [one = '', two = ''] = fill(intercom, many(2, 4))
    const context = await signedIn(intercom)
    await using server = await inFront(intercom.url, (path, body) => {
      const part = body.conversation_parts as { conversation_parts: unknown[] } | undefined
      return isSearch(path) || !part
        ? null
        : { ...body, conversation_parts: { conversation_parts: part.conversation_parts.slice(0, 1) } }
    })
    const first = await drain({ ...context, baseUrl: server.url })
    expect(first.incomplete).toBe('Intercom returned 4 messages and events fewer than it counts in 2 conversations.')
    intercom.reply(one, { author: 'Person c-0', text: 'again' })
    const second = await drain(context, first.cursor)
    expect(second.incomplete).toBe(
      `Intercom returned 2 messages and events fewer than it counts in conversation ${two}.`,
    )
    intercom.reply(two, { author: 'Person c-1', text: 'again' })
    expect((await drain(context, second.cursor)).incomplete).toBeNull()
  })

  it('is said with numbers: conversations that the search counts but does not list', async () => {
    await using intercom = await openIntercom()
    fill(intercom, many(5))
    const context = await signedIn(intercom)
    await using server = await inFront(intercom.url, (path, body) =>
      isSearch(path) ? { ...body, total_count: 1208 } : null,
    )
    const { incomplete, cursor } = await drain({ ...context, baseUrl: server.url })
    expect(incomplete).toMatch(
      /^Intercom counted 1,208 conversations that changed since \d{4}-\d\d-\d\d, but its search returned 5\.$/,
    )
    expect((await drain(context, cursor)).incomplete).toBe(incomplete)
    expect((await drain(context)).incomplete).toBeNull()
  })

  it('is nothing where the counts are equal, although conversations start and change meanwhile', async () => {
    await using intercom = await openIntercom()
    const all = fill(intercom, many(160))
    const context = await signedIn(intercom)
    let searches = 0
    await using server = await inFront(intercom.url, (path) => {
      searches += isSearch(path) ? 1 : 0
      if (!isSearch(path) || searches > 1) return null
      intercom.open(madeUp('meanwhile', 1))
      intercom.reply(all[155] ?? '', { author: 'Person c-155', text: 'meanwhile' })
      return null
    })
    const { incomplete, items } = await drain({ ...context, baseUrl: server.url })
    expect(incomplete).toBeNull()
    expect(new Set(items.map(({ externalId }) => externalId))).toEqual(new Set(idsOf(intercom)))
  })

  it('is a conversation that is too large to be read: it is named, and the others are read', async () => {
    await using intercom = await openIntercom()
    const html = `<p>${'x'.repeat(100_000)}</p>`
    const messages = Array.from({ length: 18 }, () => ({ author: 'Ann', text: 'x', html }))
    const [large = '', other = ''] = fill(intercom, [{ messages }, madeUp('other', 1)])
    const { items, incomplete } = await drain(await signedIn(intercom, { maxBytes: TENTH_OF_THE_LIMIT }))
    expect(items.map(({ thread }) => thread)).toEqual([other])
    expect(incomplete).toBe(`Intercom’s response is too large to be read for conversation ${large}.`)
  })
})

describe('responses that are not as documented', () => {
  it('that never advance end in a failure', async () => {
    await using intercom = await openIntercom()
    fill(intercom, many(3))
    const context = await signedIn(intercom)
    const next = (starting_after: string) => ({ type: 'pages', next: { per_page: 150, starting_after } })
    let marks = 0
    const moving = () => {
      marks += 1
      return Buffer.from(`[0,0]${'~'.repeat(marks)}`).toString('base64')
    }
    for (const cursor of [() => 'WzAsMF0=', moving]) {
      await using stuck = await inFront(intercom.url, (path, body) =>
        isSearch(path) ? { ...body, conversations: [], pages: next(cursor()) } : null,
      )
      expect(await failureFrom(drain({ ...context, baseUrl: stuck.url }))).toMatchObject({
        kind: 'unavailable',
        message: expect.stringContaining('does not advance') as string,
      })
      expect(stuck.seen.length).toBeLessThan(30)
    }
  })

  it.each([
    ['a listed conversation without an id', { conversations: [{ created_at: 1, updated_at: 1 }] }],
    ['an id that is a path', { conversations: [{ id: '../me', created_at: 1, updated_at: 1 }] }],
    ['a listed conversation without a time', { conversations: [{ id: '1', created_at: 1 }] }],
    ['conversations that are none', { conversations: { words: 'customer words' } }],
    [
      'a part without the field of its time',
      { conversation_parts: { conversation_parts: [{ id: '1', body: 'customer words' }] } },
    ],
    [
      'a part with a time that is none',
      { conversation_parts: { conversation_parts: [{ id: '1', created_at: 'now' }] } },
    ],
    ['no parts', { conversation_parts: undefined }],
    ['a time that no date has', { created_at: 9e15 }],
  ])('are reported without what they contain: %s', async (_, part: Body) => {
    await using intercom = await openIntercom()
    fill(intercom, many(1))
    const context = await signedIn(intercom)
    await using server = await inFront(intercom.url, (path, body) =>
      'conversations' in part === isSearch(path) ? { ...body, ...part } : null,
    )
    const error = await failureFrom(drain({ ...context, baseUrl: server.url }))
    expect(error).toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('does not match its documentation') as string,
    })
    expect(String(error)).not.toContain('customer words')
  })

  it('in parts that are not needed are read without them', async () => {
    await using intercom = await openIntercom()
    fill(intercom, many(1))
    const context = await signedIn(intercom)
    const odd = { tags: 'x', team_assignee_id: {}, statistics: 7, topics: {}, custom_attributes: 'x', total_count: 'x' }
    await using server = await inFront(intercom.url, (_, body) => ({
      ...body,
      ...odd,
      ...(body.conversations
        ? { conversations: (body.conversations as object[]).map((one) => ({ ...one, ...odd })) }
        : {}),
    }))
    const { items, incomplete } = await drain({ ...context, baseUrl: server.url })
    expect(items[0]).toMatchObject({ author: 'Person c-0', attributes: { subject: 'Subject of c-0' } })
    expect(incomplete).toBeNull()
  })

  it('with pages that are too large are requested again in smaller ones', async () => {
    await using intercom = await openIntercom()
    const html = `<p>${'x'.repeat(15_000)}</p>`
    fill(
      intercom,
      Array.from({ length: 130 }, () => ({ messages: [{ author: 'Ann', text: 'x', html }] })),
    )
    const { items } = await drain(await signedIn(intercom, { maxBytes: TENTH_OF_THE_LIMIT }))
    expect(items).toHaveLength(130)
    const sizes = intercom
      .calls()
      .filter(({ name }) => name === 'search')
      .map(({ json }) => (json as { pagination: { per_page: number } }).pagination.per_page)
    expect(sizes.slice(0, 2)).toEqual([150, 50])
  })
})
