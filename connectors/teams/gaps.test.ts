import { describe, expect, it } from 'vitest'
import type { Context } from '../connector.ts'
import { createCache } from '../kit/cache.ts'
import { createHttp } from '../kit/http.ts'
import { failureFrom, type Handler, recordingLog, startServer } from '../kit/testing.ts'
import { drain } from './testing.ts'

type Json = Record<string, unknown>
type Script = { delta: (query: URLSearchParams) => Json; replies?: (query: URLSearchParams) => Json }

const CHANNEL = '19:a@thread.tacv2'
const now = new Date('2026-03-01T12:00:00Z')

/** A Graph with one channel and scripted responses. A `status` of a response is its status. */
function scripted({ delta, replies }: Script): Handler {
  return ({ url }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://graph')
    const path = decodeURIComponent(pathname)
    const answers: Record<string, () => Json> = {
      '/v1.0/teams': () => ({ value: [{ id: 't', displayName: 'Team' }] }),
      '/v1.0/teams/t/channels': () => ({ value: [{ id: CHANNEL, displayName: 'General' }] }),
      [`/v1.0/teams/t/channels/${CHANNEL}/messages/delta`]: () => delta(searchParams),
      [`/v1.0/teams/t/channels/${CHANNEL}/messages`]: () => ({ value: [] }),
    }
    const { status = 200, ...body } = (answers[path] ?? (() => replies?.(searchParams) ?? { value: [] }))()
    response.writeHead(Number(status), { date: now.toUTCString() }).end(JSON.stringify(body))
  }
}

const contextFor = (baseUrl: string): Context => ({
  settings: { tenant: 'acme.example', tenant_id: '7f1c0a52-3a0e-4c5e-9d0b-1f6f5f6a7c01' },
  secrets: { access_token: 'token-1' },
  http: createHttp({ guard: null, maxBytes: 1024 * 1024 }),
  log: recordingLog(),
  signal: new AbortController().signal,
  now: () => now,
  cache: createCache(),
  baseUrl,
})

const message = (id: string, more: Json = {}) => ({
  id,
  messageType: 'message',
  createdDateTime: '2026-02-28T12:00:00Z',
  body: { contentType: 'html', content: `<p>text ${id}</p>` },
  ...more,
})
const link = (token: string, kind = 'skiptoken', host = 'https://graph.microsoft.com') =>
  `${host}/v1.0/teams/x/channels/y/messages/delta?$${kind}=${token}&secret=1`
const ended = { '@odata.deltaLink': link('end', 'deltatoken') }

describe('links to next pages', () => {
  it('are never followed themselves: only their OData parameters are sent', async () => {
    await using server = await startServer(
      scripted({
        delta: (query) =>
          query.has('$skiptoken')
            ? { value: [message('2')], ...ended }
            : { value: [message('1')], '@odata.nextLink': link('next', 'skiptoken', 'http://169.254.169.254') },
      }),
    )
    expect((await drain(contextFor(server.url))).items).toHaveLength(2)
    const asked = server.seen.map(({ url }) => decodeURIComponent(url)).filter((url) => url.includes('/delta'))
    expect(asked[1]).toMatch(/\/messages\/delta\?\$skiptoken=next$/)
  })

  it('that lead nowhere are reported', async () => {
    const endless: Script['delta'][] = [
      () => ({ value: [message('1')], '@odata.nextLink': link('same') }),
      () => ({ value: [], '@odata.nextLink': link(String(Math.random())) }),
      () => ({ value: [message('1')] }),
      () => ({ value: [message('1')], '@odata.nextLink': 'nonsense' }),
    ]
    for (const delta of endless) {
      await using server = await startServer(scripted({ delta }))
      expect(await failureFrom(drain(contextFor(server.url)))).toMatchObject({ kind: 'unavailable' })
      expect(server.seen.length).toBeLessThan(30)
    }
  })

  it('of a thread that lead nowhere are listed on the tile, and remove nothing', async () => {
    await using server = await startServer(
      scripted({
        delta: () => ({ value: [message('1')], ...ended }),
        replies: () => ({ value: [message('2')], '@odata.nextLink': link('same') }),
      }),
    )
    const { items, complete, incomplete } = await drain(contextFor(server.url))
    expect(items.map(({ externalId }) => externalId)).toContain(`${CHANNEL}:1:2`)
    expect(complete).toEqual([])
    expect(incomplete).toBe('Replies could not be read to their end: 1 post in Team › General.')
  })
})

describe('a delta', () => {
  it('is sent the start, and later its own token only', async () => {
    await using server = await startServer(scripted({ delta: () => ({ value: [], ...ended }) }))
    const context = contextFor(server.url)
    const { cursor } = await drain(context)
    await drain(context, cursor)
    const asked = server.seen
      .map(({ url }) => new URL(url, 'http://graph'))
      .filter((url) => url.pathname.endsWith('delta'))
    const start = new Date(now.getTime() - 240 * 86_400_000).toISOString()
    expect(asked.map(({ searchParams }) => Object.fromEntries(searchParams))).toEqual([
      { $top: '50', $filter: `lastModifiedDateTime gt ${start}` },
      { $deltatoken: 'end' },
    ])
    expect(asked[0]?.search).not.toContain('+')
  })

  it.each([400, 404, 410])('whose token is answered with %i begins again', async (status) => {
    const delta = (query: URLSearchParams) =>
      query.has('$deltatoken') ? { status, error: { code: 'x', message: 'y' } } : { value: [message('1')], ...ended }
    await using server = await startServer(scripted({ delta }))
    const context = contextFor(server.url)
    const { cursor } = await drain(context)
    expect((await drain(context, cursor)).items).toHaveLength(1)
  })

  it('may contain the rest of a post that was removed', async () => {
    const removed = { id: '7', '@removed': { reason: 'deleted' } }
    await using server = await startServer(scripted({ delta: () => ({ value: [removed], ...ended }) }))
    expect(await drain(contextFor(server.url))).toMatchObject({ items: [], deleted: [`${CHANNEL}:7`] })
    expect(server.seen.some(({ url }) => url.includes('replies'))).toBe(false)
  })
})

describe('a message', () => {
  it.each([
    ['with an id that is a path', { id: '../7' }],
    ['without an id', { id: undefined }],
    ['with a time that is none', { createdDateTime: 'yesterday' }],
  ])('%s is refused, without its text', async (_, more) => {
    const text = { body: { contentType: 'html', content: 'customer words' } }
    await using server = await startServer(
      scripted({ delta: () => ({ value: [message('1', { ...text, ...more })], ...ended }) }),
    )
    const error = await failureFrom(drain(contextFor(server.url)))
    expect(error).toMatchObject({ kind: 'unavailable' })
    expect((error as Error).message).not.toMatch(/customer words|token-1|\.\.\/7/)
  })

  it('without an author or with a link that is none is kept', async () => {
    const given = [
      message('1', { from: null, webUrl: 'javascript:alert(1)' }),
      message('2', { from: 'x', webUrl: null }),
    ]
    await using server = await startServer(scripted({ delta: () => ({ value: given, ...ended }) }))
    const { items } = await drain(contextFor(server.url))
    expect(items.map(({ author, link: shown }) => [author, shown])).toEqual([
      [null, null],
      [null, null],
    ])
  })
})

it('goes on where the replies of a post are gone', async () => {
  await using server = await startServer(
    scripted({
      delta: () => ({ value: [message('1'), message('2')], ...ended }),
      replies: () => ({ status: 404, error: { code: 'NotFound', message: 'gone' } }),
    }),
  )
  const { items, complete, incomplete } = await drain(contextFor(server.url))
  expect([items.length, complete.length, incomplete]).toEqual([2, 0, null])
})
