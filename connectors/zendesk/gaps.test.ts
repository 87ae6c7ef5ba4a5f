import { describe, expect, it } from 'vitest'
import { RateLimited } from '../kit/errors.ts'
import { failureFrom, type Handler, recordingLog, startServer } from '../kit/testing.ts'
import { readPatiently } from '../kit/worlds/source.ts'
import { pull } from './pull.ts'
import { drain, fill, idsOf, madeUp, many, openZendesk, signedIn } from './testing.ts'

describe('Zendesk’s limits', () => {
  it('are kept: the sync completes by waiting as long as Zendesk asks, and is hardly ever refused', async () => {
    let time = Date.parse('2026-03-01T12:00:00Z')
    const now = () => new Date(time)
    await using zendesk = await openZendesk({ now })
    fill(zendesk, many(40, 2), time - 3_600_000)
    zendesk.limit({ account: 12, incremental: 10 })
    const context = await signedIn(zendesk, { now })
    const { seen, waits } = await readPatiently(pull, context, (seconds) => {
      time += seconds * 1000
    })
    expect(seen.toSorted()).toEqual(idsOf(zendesk).toSorted())
    expect(waits.length).toBeGreaterThanOrEqual(3)
    expect(zendesk.calls().filter(({ status }) => status === 429)).toEqual([])
  })

  it('of the export are its own: the wait is read from its header', async () => {
    await using zendesk = await openZendesk()
    const context = await signedIn(zendesk)
    await using server = await startServer((_, response) =>
      response
        .writeHead(429, {
          'zendesk-ratelimit-incremental-exports': 'total=10; remaining=0; resets=41',
          'ratelimit-reset': '3',
        })
        .end(),
    )
    expect(await failureFrom(drain({ ...context, baseUrl: server.url }))).toMatchObject({
      kind: 'rate-limited',
      retryAfter: 41,
    })
  })

  it.each([
    [{ 'retry-after': '7', 'ratelimit-reset': '3' }, 7],
    [{ 'ratelimit-reset': '23' }, 23],
    [{}, 60],
    [{ 'retry-after': 'soon' }, 60],
  ])('with the headers %j mean a pause of %i seconds', async (headers, retryAfter) => {
    await using zendesk = await openZendesk()
    const context = await signedIn(zendesk)
    await using server = await startServer((_, response) =>
      response.writeHead(429, headers as Record<string, string>).end(),
    )
    expect(await failureFrom(drain({ ...context, baseUrl: server.url }))).toMatchObject({
      kind: 'rate-limited',
      retryAfter,
    })
  })

  it('that are reached by a successful request keep what it returned', async () => {
    await using zendesk = await openZendesk()
    fill(zendesk, many(2))
    const context = await signedIn(zendesk)
    zendesk.limit({ account: 2, incremental: null })
    const pages = pull(context, null)
    await pages.next()
    const second = await pages.next()
    expect(second.value?.items).toHaveLength(1)
    const calls = zendesk.calls().length
    expect(await failureFrom(pages.next())).toBeInstanceOf(RateLimited)
    expect(zendesk.calls()).toHaveLength(calls)
  })
})

/** A server in front of the sandbox that changes some of its responses. */
async function inFront(
  url: string,
  change: (path: string, body: Record<string, unknown>) => unknown,
  refuse: Record<string, number> = {},
) {
  const handler: Handler = ({ url: path, headers }, response) => {
    const { authorization = '' } = headers
    const refused = Object.entries(refuse).find(([part]) => path.includes(part))?.[1]
    if (refused) return void response.writeHead(refused).end('{"error":"Forbidden"}')
    void fetch(url + path, { headers: { authorization } }).then(async (answer) => {
      const body = (await answer.json()) as Record<string, unknown>
      response.writeHead(answer.status).end(JSON.stringify(change(path, body) ?? body))
    })
  }
  return await startServer(handler)
}

describe('what is missing', () => {
  it('is reported with numbers: tickets that the export did not have', async () => {
    await using zendesk = await openZendesk()
    fill(zendesk, many(5))
    const context = await signedIn(zendesk)
    await using server = await inFront(zendesk.url, (path, body) =>
      path.includes('/search') ? { ...body, count: 1208 } : null,
    )
    const { incomplete, cursor } = await drain({ ...context, baseUrl: server.url })
    expect(incomplete).toMatch(
      /^Zendesk counts 1,208 tickets that changed since \d{4}-\d\d-\d\d, but its export had 5\.$/,
    )
    const later = await drain({ ...context, now: () => new Date(Date.now() + 2 * 86_400_000) }, cursor)
    expect(later.incomplete).toBeNull()
  })

  it('is nothing where the counts are equal, although tickets change and are deleted meanwhile', async () => {
    await using zendesk = await openZendesk()
    const [one = 0, two = 0] = fill(zendesk, many(5))
    zendesk.remove(two)
    zendesk.advance(90)
    const context = await signedIn(zendesk, { now: () => new Date(Date.now() + 90_000) })
    const pages = pull(context, null)
    await pages.next()
    zendesk.comment(one, { author: 'Person c-0', text: 'meanwhile' })
    let last: string | null | undefined = 'none'
    for (let page = await pages.next(); !page.done; page = await pages.next()) last = page.value.incomplete
    expect(last).toBeNull()
    expect(zendesk.calls().filter(({ name }) => name === 'search')).toHaveLength(1)
  })

  it('is not asked again each round, and an outage of the search does not stop a sync', async () => {
    await using zendesk = await openZendesk()
    fill(zendesk, many(2))
    const log = recordingLog()
    const context = await signedIn(zendesk, { log })
    zendesk.fault('500', 1, 'search')
    const first = await drain(context)
    expect(first.incomplete).toBeNull()
    expect(log.lines.join()).toContain('did not return its number')
    await drain(context, first.cursor)
    expect(zendesk.calls().filter(({ name }) => name === 'search')).toHaveLength(1)
  })

  it('is reported with numbers: comments that Zendesk counts but does not return', async () => {
    await using zendesk = await openZendesk()
    const [ticket = 0] = fill(zendesk, [madeUp('short', 4), madeUp('whole', 2)])
    const context = await signedIn(zendesk)
    await using server = await inFront(zendesk.url, (path, body) =>
      path.includes(`/${ticket}/comments`) ? { ...body, comments: (body.comments as unknown[]).slice(0, 1) } : null,
    )
    const first = await drain({ ...context, baseUrl: server.url })
    expect(first.incomplete).toBe(`Zendesk returned 3 comments fewer than it counts in ticket ${ticket}.`)
    // Stored comments of a ticket that was not read completely stay.
    expect(first.complete.map(({ thread }) => thread)).not.toContain(String(ticket))
    zendesk.comment(ticket, { author: 'Person short', text: 'again' })
    zendesk.advance(120)
    expect((await drain(context, first.cursor)).incomplete).toBeNull()
  })

  it('is a ticket that may not be read: it is named, the others are read, and later it is tried again', async () => {
    await using zendesk = await openZendesk()
    const [one = 0, two = 0] = fill(zendesk, many(2))
    const context = await signedIn(zendesk)
    await using server = await inFront(zendesk.url, () => null, { [`/tickets/${one}/comments`]: 403 })
    const { items, incomplete, setAside, cursor } = await drain({ ...context, baseUrl: server.url })
    expect(items.map(({ thread }) => Number(thread))).toEqual([two])
    expect(incomplete).toBeNull()
    expect(setAside?.items).toMatchObject([
      { noun: 'ticket', label: `#${one}`, reason: expect.stringContaining('403') as string },
    ])
    const later = await drain({ ...context, now: () => new Date(Date.now() + 3_600_000) }, cursor)
    expect(later.items.map(({ thread }) => Number(thread))).toEqual([one])
    expect(later.setAside?.items).toEqual([])
  })

  it('is never everything: a missing scope in the middle ends the sign-in instead', async () => {
    await using zendesk = await openZendesk()
    fill(zendesk, many(3))
    const context = await signedIn(zendesk)
    zendesk.fault('forbidden', 1, 'comments')
    expect(await failureFrom(drain(context))).toMatchObject({
      kind: 'auth',
      message: expect.stringContaining('scope read') as string,
    })
  })

  it.each([
    ['agent', 'an agent'],
    ['end-user', 'not an administrator'],
  ] as const)('is everything after the administrator became %s: the failure says what to do', async (role, named) => {
    await using zendesk = await openZendesk()
    fill(zendesk, many(1))
    const context = await signedIn(zendesk)
    const { cursor } = await drain(context)
    zendesk.setRole(role)
    expect(await failureFrom(drain(context, cursor))).toMatchObject({
      kind: 'rejected',
      message: `Zendesk exports tickets to administrators only, and the person who connected it is now ${named} there. Make them an administrator again, or connect as another one`,
    })
    zendesk.setRole('admin')
    expect((await drain(context, cursor)).items).toEqual([])
  })

  it('is everything where Zendesk refuses an administrator: the failure says what to check', async () => {
    await using zendesk = await openZendesk()
    const context = await signedIn(zendesk)
    await using server = await inFront(zendesk.url, () => null, { '/incremental/': 403 })
    expect(await failureFrom(drain({ ...context, baseUrl: server.url }))).toMatchObject({
      kind: 'rejected',
      message: expect.stringMatching(/Check at Zendesk that the account is active/) as string,
    })
    await using closed = await inFront(zendesk.url, () => null, { '/incremental/': 403, '/users/me': 403 })
    expect(await failureFrom(drain({ ...context, baseUrl: closed.url }))).toMatchObject({ kind: 'rejected' })
  })
})

describe('responses that are not as documented', () => {
  it('that never advance end in a failure, or end the ticket', async () => {
    await using zendesk = await openZendesk()
    const [ticket = 0] = fill(zendesk, many(1))
    const context = await signedIn(zendesk)
    const cursor = Buffer.from('1.0||-1|').toString('base64')
    await using stuck = await inFront(zendesk.url, (path, body) =>
      path.includes('/incremental/') ? { ...body, tickets: [], after_cursor: cursor, end_of_stream: false } : null,
    )
    expect(await failureFrom(drain({ ...context, baseUrl: stuck.url }))).toMatchObject({ kind: 'unavailable' })
    await using refusing = await inFront(zendesk.url, (path, body) =>
      path.includes('/incremental/')
        ? { ...body, tickets: [], after_cursor: 'not accepted', end_of_stream: false }
        : null,
    )
    expect(await failureFrom(drain({ ...context, baseUrl: refusing.url }))).toMatchObject({ kind: 'rejected' })
    expect(refusing.seen.filter(({ url }) => url.includes('/incremental/'))).toHaveLength(4)
    await using again = await inFront(zendesk.url, (path, body) =>
      path.includes('/comments') ? { ...body, meta: { has_more: true, after_cursor: 'YXQ6MA==' } } : null,
    )
    const { incomplete } = await drain({ ...context, baseUrl: again.url })
    expect(incomplete).toContain(`ticket ${ticket}`)
  })

  it.each([
    ['a ticket without an id', 'incremental', { tickets: [{ updated_at: '2026-01-01T00:00:00Z' }] }],
    ['a ticket with an id as text', 'incremental', { tickets: [{ id: '../1', updated_at: '2026-01-01T00:00:00Z' }] }],
    ['a ticket without a time', 'incremental', { tickets: [{ id: 1 }] }],
    ['no end of the stream', 'incremental', { end_of_stream: undefined }],
    ['a comment without a time', 'comments', { comments: [{ id: 1, public: true }] }],
    ['a comment with a time that is none', 'comments', { comments: [{ id: 1, created_at: 'customer words' }] }],
    ['comments that are none', 'comments', { comments: { a: 1 } }],
  ])('are reported without what they contain: %s', async (_, name, part) => {
    await using zendesk = await openZendesk()
    fill(zendesk, many(1))
    const context = await signedIn(zendesk)
    await using server = await inFront(zendesk.url, (path, body) => (path.includes(name) ? { ...body, ...part } : null))
    const error = await failureFrom(drain({ ...context, baseUrl: server.url }))
    expect(error).toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('does not match its documentation') as string,
    })
    expect(String(error)).not.toContain('customer words')
  })

  it('in parts that are not needed are read without them', async () => {
    await using zendesk = await openZendesk()
    fill(zendesk, many(1))
    const context = await signedIn(zendesk)
    const odd = { tags: 'x', via: 7, custom_fields: [{ id: 'x' }], comment_count: 'many', organization_id: null }
    await using server = await inFront(zendesk.url, (path, body) => {
      if (path.includes('/comments')) {
        const comments = (body.comments as object[]).map((comment) => ({ ...comment, attachments: 'none', users: 1 }))
        return { ...body, comments, users: 'none', meta: undefined }
      }
      const tickets = (body.tickets as object[] | undefined)?.map((ticket) => ({ ...ticket, ...odd }))
      return tickets ? { ...body, tickets, organizations: [7] } : null
    })
    const { items } = await drain({ ...context, baseUrl: server.url })
    expect(items[0]).toMatchObject({
      author: 'Person c-0',
      role: 'customer',
      attributes: { subject: 'Subject of c-0', status: 'open' },
    })
    expect(zendesk.calls().filter(({ name }) => name === 'users')).toHaveLength(1)
  })

  it('that are too large are requested again in smaller pages', async () => {
    await using zendesk = await openZendesk()
    const comments = Array.from({ length: 60 }, (_, index) => ({
      author: 'Ann',
      text: `${index} ${'x'.repeat(100_000)}`,
    }))
    fill(zendesk, [{ subject: 'large', comments }])
    const context = await signedIn(zendesk)
    const { items } = await drain(context)
    expect(items).toHaveLength(60)
    expect(items.every(({ text }) => text.length > 100_000)).toBe(true)
    const sizes = zendesk
      .calls()
      .filter(({ name }) => name === 'comments')
      .map(({ query }) => query['page[size]'])
    expect(sizes).toContain('25')
  })
})

describe('authors that a response does not contain', () => {
  it('are requested 100 at a time, those of the next tickets too', async () => {
    await using zendesk = await openZendesk()
    fill(zendesk, many(150))
    const context = await signedIn(zendesk)
    const before = zendesk.calls().length
    await using server = await inFront(zendesk.url, (path, body) =>
      path.includes('/comments') ? { ...body, users: undefined } : null,
    )
    const { items } = await drain({ ...context, baseUrl: server.url })
    expect(new Set(items.map(({ author }) => author)).size).toBe(150)
    expect(items.every(({ role }) => role === 'customer')).toBe(true)
    expect((zendesk.calls().length - before) / 151).toBeLessThanOrEqual(1.2)
    expect(zendesk.calls().filter(({ name }) => name === 'users').length).toBeLessThanOrEqual(3)
  })

  it('and that Zendesk does not know are customers only in their own tickets', async () => {
    await using zendesk = await openZendesk()
    fill(zendesk, [
      {
        subject: 'a',
        comments: [
          { author: 'Ann', text: 'mine' },
          { author: 'Bob', text: 'not mine' },
        ],
      },
    ])
    const context = await signedIn(zendesk)
    await using server = await inFront(
      zendesk.url,
      (path, body) => (path.includes('/comments') ? { ...body, users: [] } : null),
      {
        '/users/show_many': 403,
      },
    )
    const { items } = await drain({ ...context, baseUrl: server.url })
    expect(items.map(({ text, author, role }) => ({ text, author, role }))).toEqual([
      { text: 'mine', author: null, role: 'customer' },
      { text: 'not mine', author: null, role: 'agent' },
    ])
  })
})
