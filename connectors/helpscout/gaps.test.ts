import { describe, expect, it } from 'vitest'
import { failureFrom, recordingLog, startServer } from '../kit/testing.ts'
import { drain, fill, inFront, madeUp, many, openHelpScout, signedIn } from './testing.ts'

type Listed = { conversations?: object[]; threads?: object[] }
const isList = (path: string) => path.includes('/v2/conversations?')
const embedded = (body: Record<string, unknown>) => (body._embedded ?? {}) as Listed

describe('what is missing', () => {
  it('is reported with numbers: conversations that Help Scout counts but does not list', async () => {
    await using sandbox = await openHelpScout()
    fill(sandbox, many(10))
    const context = await signedIn(sandbox)
    let short = 3
    await using server = await inFront(sandbox.url, (path, body) =>
      isList(path) ? { ...body, _embedded: { conversations: embedded(body).conversations?.slice(short) } } : null,
    )
    const first = await drain({ ...context, baseUrl: server.url })
    expect(first.items).toHaveLength(7)
    expect(first.incomplete).toBe('Help Scout counts 3 conversations more than it listed.')
    short = 0
    expect((await drain({ ...context, baseUrl: server.url }, first.cursor)).incomplete).toBe(first.incomplete)
    short = 9
    expect((await drain({ ...context, baseUrl: server.url })).incomplete).toContain('counts 9 conversations more')
  })

  it('is nothing where the counts are equal', async () => {
    await using sandbox = await openHelpScout()
    fill(sandbox, [...many(51), madeUp('long', 101)])
    expect((await drain(await signedIn(sandbox))).incomplete).toBeNull()
  })

  it('is reported with numbers: messages that Help Scout counts but does not return', async () => {
    await using sandbox = await openHelpScout()
    const [id = 0] = fill(sandbox, [madeUp('short', 4), madeUp('whole', 2)])
    const context = await signedIn(sandbox)
    await using server = await inFront(sandbox.url, (path, body) =>
      path.includes(`/${id}/threads`) ? { ...body, _embedded: { threads: embedded(body).threads?.slice(0, 1) } } : null,
    )
    const first = await drain({ ...context, baseUrl: server.url })
    expect(first.incomplete).toBe(`Help Scout returned 3 messages fewer than it counts in conversation ${id}.`)
    // Stored messages of a conversation that was not read completely stay.
    expect(first.complete.map(({ thread }) => thread)).not.toContain(String(id))
    sandbox.write(id, { author: 'Person short', text: 'again' })
    expect((await drain(context, first.cursor)).incomplete).toBeNull()
  })

  it('is counted by the number of the conversation too, where the list says that it has all', async () => {
    await using sandbox = await openHelpScout()
    const [id = 0] = fill(sandbox, [madeUp('short', 4)])
    const context = await signedIn(sandbox)
    await using server = await inFront(sandbox.url, (path, body) => {
      if (isList(path)) return null
      if (!path.includes('/threads')) return null
      const page = { size: 50, totalElements: 3, totalPages: 1, number: 1 }
      return { ...body, page, _embedded: { threads: embedded(body).threads?.slice(0, 3) } }
    })
    const { incomplete } = await drain({ ...context, baseUrl: server.url })
    expect(incomplete).toBe(`Help Scout returned 1 message fewer than it counts in conversation ${id}.`)
  })

  it('is a conversation that may not be read: it is named, the others are read, and later it is tried again', async () => {
    await using sandbox = await openHelpScout()
    const [one = 0, two = 0] = fill(sandbox, many(2))
    const context = await signedIn(sandbox)
    await using server = await inFront(sandbox.url, () => null, { [`/conversations/${one}/threads`]: 403 })
    const { items, incomplete, deletedThreads, setAside, cursor } = await drain({ ...context, baseUrl: server.url })
    expect(items.map(({ thread }) => Number(thread))).toEqual([two])
    expect(incomplete).toBeNull()
    expect(deletedThreads).toEqual([])
    expect(setAside?.items).toMatchObject([
      { noun: 'conversation', label: `#${one}`, reason: expect.stringContaining('403') as string },
    ])
    const later = await drain({ ...context, now: () => new Date(Date.now() + 3_600_000) }, cursor)
    expect(later.items.map(({ thread }) => Number(thread))).toEqual([one])
    expect(later.setAside?.items).toEqual([])
  })

  it.each([404, 410, 301])('is nothing of a conversation that is gone: after %i it is removed', async (status) => {
    await using sandbox = await openHelpScout()
    const [one = 0] = fill(sandbox, many(2))
    const context = await signedIn(sandbox)
    await using server = await inFront(sandbox.url, () => null, { [`/conversations/${one}/threads`]: status })
    const { items, incomplete, deletedThreads } = await drain({ ...context, baseUrl: server.url })
    expect(items).toHaveLength(1)
    expect(deletedThreads).toEqual([String(one)])
    expect(incomplete).toBeNull()
  })

  it('is a conversation whose threads are too large, and the others are read', async () => {
    await using sandbox = await openHelpScout()
    const [one = 0] = fill(sandbox, [madeUp('large', 3), madeUp('small', 1)])
    const context = await signedIn(sandbox)
    const http: typeof context.http = {
      request: async (request) => {
        const response = await context.http.request(request)
        return request.url.includes(`/${one}/threads`) ? { ...response, truncated: true } : response
      },
    }
    const { items, incomplete } = await drain({ ...context, http })
    expect(items).toHaveLength(1)
    expect(incomplete).toBe(`Help Scout returned 3 messages fewer than it counts in conversation ${one}.`)
  })

  it('does not include the whole list: its refusal fails the sync', async () => {
    await using sandbox = await openHelpScout()
    fill(sandbox, many(1))
    const context = await signedIn(sandbox)
    sandbox.fault('forbidden', 1, 'conversations')
    expect(await failureFrom(drain(context))).toMatchObject({ kind: 'rejected' })
    sandbox.fault('forbidden', 1, 'mailboxes')
    const { items } = await drain(context)
    expect(items[0]?.attributes?.inbox).toBeUndefined()
  })
})

describe('responses that are not as documented', () => {
  it.each([
    ['a conversation without an id', 'conversations?', { conversations: [{ createdAt: '2026-01-01T00:00:00Z' }] }],
    ['an id as text', 'conversations?', { conversations: [{ id: '../1', createdAt: '2026-01-01T00:00:00Z' }] }],
    ['a conversation without a time', 'conversations?', { conversations: [{ id: 1 }] }],
    ['a time that is none', 'threads', { threads: [{ id: 1, type: 'customer', createdAt: 'customer words' }] }],
    ['a thread without a type', 'threads', { threads: [{ id: 1, createdAt: '2026-01-01T00:00:00Z' }] }],
    ['threads that are none', 'threads', { threads: { a: 1 } }],
  ])('are reported without what they contain: %s', async (_, name, _embedded) => {
    await using sandbox = await openHelpScout()
    fill(sandbox, many(1))
    const log = recordingLog()
    const context = await signedIn(sandbox, { log })
    await using server = await inFront(sandbox.url, (path, body) =>
      path.includes(name) ? { ...body, _embedded } : null,
    )
    const error = await failureFrom(drain({ ...context, baseUrl: server.url }))
    expect(error).toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('does not match its documentation') as string,
    })
    expect(String(error) + log.lines.join()).not.toContain('customer words')
  })

  it('in parts that are not needed are read without them', async () => {
    await using sandbox = await openHelpScout()
    fill(sandbox, many(1))
    const context = await signedIn(sandbox)
    const odd = {
      tags: 'x',
      customFields: [{ id: 'x' }],
      threads: 'many',
      mailboxId: 'x',
      primaryCustomer: 7,
      _links: 1,
    }
    await using server = await inFront(sandbox.url, (path, body) => {
      const { conversations, threads } = embedded(body)
      if (conversations)
        return { ...body, _embedded: { conversations: conversations.map((one) => ({ ...one, ...odd })) } }
      if (threads)
        return { ...body, _embedded: { threads: threads.map((one) => ({ ...one, _embedded: 'x', action: 1 })) } }
      return null
    })
    const { items } = await drain({ ...context, baseUrl: server.url })
    expect(items[0]).toMatchObject({
      author: 'Person c-0',
      role: 'customer',
      attributes: { subject: 'Subject of c-0', status: 'active', channel: 'email' },
    })
  })

  it('are never followed to another address', async () => {
    await using sandbox = await openHelpScout()
    fill(sandbox, many(30))
    const context = await signedIn(sandbox)
    await using evil = await startServer()
    await using server = await inFront(sandbox.url, (_, body) => ({
      ...body,
      _links: { next: { href: `${evil.url}/v2/conversations?page=2` }, self: { href: evil.url } },
    }))
    expect((await drain({ ...context, baseUrl: server.url })).items).toHaveLength(30)
    expect(evil.seen).toEqual([])
  })
})
