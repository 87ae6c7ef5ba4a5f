import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { type ConnectorFailure, isConnectorFailure, Rejected, Unavailable } from '../errors.ts'
import { failureFrom, type Handler, startServer } from '../testing.ts'
import { createHttp } from './http.ts'
import { type JsonCall, jsonCall, ReplyTooLong } from './json-call.ts'
import { first, slowedDown, tooManyRequests, waitHeader } from './rate-limits.ts'

const TOKEN = 'token-of-the-test-9d2e'
const WORDS = 'Anna says the export is broken'
const Tickets = z.object({ tickets: z.array(z.object({ id: z.int(), subject: z.nullable(z.string()) })) })
type Call = JsonCall<z.ZodMiniType>

const contextOf = (maxBytes: number, signal: AbortSignal) => ({
  http: createHttp({ guard: null, maxBytes }),
  signal,
  now: () => new Date('2026-03-01T12:00:00Z'),
})

/** Sends one call to a server and returns what it sent. */
async function sent(handler: Handler, given: Partial<Call> = {}, maxBytes = 64 * 1024, signal?: AbortSignal) {
  await using server = await startServer(handler)
  const call: Call = {
    who: 'Acme',
    name: 'tickets.list',
    method: 'GET',
    url: `${server.url}/tickets/4711-path`,
    query: { email: 'anna@example.com' },
    authorization: `Bearer ${TOKEN}`,
    schema: Tickets,
    ...given,
  }
  const outcome = await Promise.allSettled([
    jsonCall(contextOf(maxBytes, signal ?? new AbortController().signal), call),
  ])
  return { outcome: outcome[0], seen: server.seen }
}

const says =
  (status: number, body: unknown, headers: Record<string, string> = {}): Handler =>
  (_, response) =>
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))

async function reply(handler: Handler, given: Partial<Call> = {}) {
  const { outcome, seen } = await sent(handler, given)
  if (outcome?.status !== 'fulfilled') throw outcome?.reason
  return { reply: outcome.value, seen }
}

async function failure(handler: Handler, given: Partial<Call> = {}, maxBytes?: number): Promise<ConnectorFailure> {
  const { outcome, seen } = await sent(handler, given, maxBytes)
  const reason: unknown = outcome?.status === 'rejected' ? outcome.reason : null
  if (!isConnectorFailure(reason)) throw new Error('It did not fail as a connector does')
  expect(seen).toHaveLength(1)
  return reason
}

const good = { tickets: [{ id: 1, subject: WORDS, unread: true }] }

describe('a successful call', () => {
  it('returns only what the schema describes, and no customer text for the ledger', async () => {
    const { reply: got, seen } = await reply(says(200, good, { 'x-page': '2' }))
    expect(got).toMatchObject({ data: { tickets: [{ id: 1, subject: WORDS }] }, status: 200, answer: '', pause: null })
    expect(got.headers).toMatchObject({ 'x-page': '2' })
    expect(got.durationMs).toBeGreaterThanOrEqual(0)
    expect(seen[0]).toMatchObject({ method: 'GET', url: '/tickets/4711-path?email=anna%40example.com', body: '' })
    expect(seen[0]?.headers).toMatchObject({ authorization: `Bearer ${TOKEN}`, accept: 'application/json' })
    expect(seen[0]?.headers).not.toHaveProperty('content-type')
  })

  it('sends JSON', async () => {
    const { seen } = await reply(says(201, good), { method: 'POST', body: { json: { text: 'Zürich' } } })
    expect(seen[0]).toMatchObject({ method: 'POST', body: '{"text":"Zürich"}' })
    expect(seen[0]?.headers).toMatchObject({ 'content-type': 'application/json' })
  })

  it('sends form data without absent values', async () => {
    const form = { grant_type: 'refresh_token', 'a b': '1&2', page: 0, all: false, none: null, absent: undefined }
    const { seen } = await reply(says(200, good), { method: 'POST', authorization: null, body: { form } })
    expect(seen[0]?.body).toBe('grant_type=refresh_token&a+b=1%262&page=0&all=false')
    expect(seen[0]?.headers).toMatchObject({ 'content-type': 'application/x-www-form-urlencoded' })
    expect(seen[0]?.headers).not.toHaveProperty('authorization')
  })

  it('lets the caller choose the content type', async () => {
    const headers = { 'content-type': 'application/json-patch+json', accept: 'application/vnd.acme+json' }
    const { seen } = await reply(says(200, good), { method: 'PATCH', headers, body: { json: [] } })
    expect(seen[0]?.headers).toMatchObject(headers)
  })

  it('adds the query to a URL that has one', async () => {
    await using server = await startServer(says(200, good))
    const call = { who: 'Acme', name: 'next', method: 'GET', url: `${server.url}/?page=2`, schema: Tickets } as const
    await jsonCall(contextOf(1024, new AbortController().signal), { ...call, query: { size: 100 } })
    await jsonCall(contextOf(1024, new AbortController().signal), { ...call, query: { size: null } })
    expect(server.seen.map(({ url }) => url)).toEqual(['/?page=2&size=100', '/?page=2'])
  })

  it('has an answer for the ledger of a destination, without our secrets', async () => {
    const body = { tickets: [], echo: `${TOKEN} second-secret` }
    const { reply: got } = await reply(says(200, body), { ledger: true, secrets: ['second-secret'] })
    expect(got.answer).toBe('{"tickets":[],"echo":"••• •••"}')
  })

  it('reads an empty body as null', async () => {
    const { reply: got } = await reply(says(204, ''), { method: 'DELETE', schema: z.null() })
    expect(got).toMatchObject({ data: null, status: 204 })
  })

  it('passes on a pause that the provider asks for', async () => {
    const { reply: got } = await reply(says(200, good, { 'retry-after': '7' }), {
      limits: first(tooManyRequests(), slowedDown),
    })
    expect(got.pause).toBe(7)
  })
})

describe('a failed call', () => {
  it.each([
    [401, 'auth'],
    [400, 'rejected'],
    [403, 'rejected'],
    [404, 'rejected'],
    [422, 'rejected'],
    [302, 'rejected'],
    [408, 'unavailable'],
    [429, 'rate-limited'],
    [500, 'unavailable'],
    [503, 'unavailable'],
  ])('with %i is %s', async (status, kind) => {
    const error = await failure(says(status, { error: WORDS }))
    expect(error.kind).toBe(kind)
    expect(error.message).toMatch(/^Acme /)
    expect(error.message).toContain('GET tickets.list')
    expect(error.ledger).toBeUndefined()
  })

  it.each([
    ['Retry-After', { 'retry-after': '41' }, 41],
    ['nothing', {}, 60],
  ])('429 with %s says how long to wait', async (_, headers, seconds) => {
    const error = await failure(says(429, '', headers as Record<string, string>))
    expect(error).toMatchObject({ kind: 'rate-limited', retryAfter: seconds })
    expect(error.message).toBe(`Acme asked for a pause of ${seconds} seconds (GET tickets.list)`)
  })

  it('is limited as its own reader says, whatever the status', async () => {
    const limits = waitHeader('x-wait')
    expect(await failure(says(400, '', { 'x-wait': '5' }), { limits })).toMatchObject({
      kind: 'rate-limited',
      retryAfter: 5,
    })
    expect(await failure(says(429, '', { 'retry-after': '9' }), { limits })).toMatchObject({
      kind: 'rate-limited',
      retryAfter: 9,
    })
  })

  it('503 passes on Retry-After', async () => {
    expect(await failure(says(503, '', { 'retry-after': '9' }))).toMatchObject({ kind: 'unavailable', retryAfter: 9 })
  })

  it.each([
    ['HTML', '<html>login</html>', 'could not be parsed'],
    ['half of it', '{"tickets":[{"id":1,"subj', 'could not be parsed'],
    ['nothing', '', '(at its start)'],
    ['null', 'null', '(at its start)'],
    ['a list', '[]', '(at its start)'],
    ['no list', '{}', '(at tickets)'],
    [
      'a wrong type',
      {
        tickets: [
          { id: 1, subject: null },
          { id: WORDS, subject: null },
        ],
      },
      '(at tickets.1.id)',
    ],
  ])('whose response is %s is unavailable', async (_, body, where) => {
    const error = await failure(says(200, body))
    expect(error.kind).toBe('unavailable')
    expect(error.message).toContain(where)
    expect(error.message).toContain('GET tickets.list')
  })

  it('shows no key that a customer may have chosen', async () => {
    const schema = z.object({ fields: z.record(z.string(), z.int()) })
    const error = await failure(says(200, { fields: { [WORDS]: 'x' } }), { schema })
    expect(error.message).toBe('Acme’s response to GET tickets.list does not match its documentation (at fields.…)')
  })

  it('with a response over the limit can be asked for less', async () => {
    const error = await failure(says(200, { tickets: [], more: 'x'.repeat(2000) }), {}, 1000)
    expect(error).toBeInstanceOf(ReplyTooLong)
    expect(error).toBeInstanceOf(Unavailable)
  })

  it.each<[string, Handler]>([
    ['a reset', (_, __, socket) => socket.destroy()],
    [
      'half a response',
      (_, response, socket) => {
        response
          .writeHead(200, { 'content-length': '1000' })
          .write(`{"tickets":[{"subject":"${WORDS}`, () => socket.destroy())
      },
    ],
  ])('by %s has no ledger for a source, one for a destination', async (_, handler) => {
    const source = await failure(handler)
    expect(source).toMatchObject({ kind: 'unavailable', ledger: undefined })
    expect(JSON.stringify(source)).not.toContain(WORDS)
    expect((await failure(handler, { ledger: true })).ledger).toMatchObject({
      error: source.message.replace(/:\d+/, ''),
    })
  })

  it('stops with the signal', async () => {
    const { outcome, seen } = await sent(says(200, good), {}, 1024, AbortSignal.abort())
    expect(outcome).toMatchObject({ status: 'rejected', reason: { kind: 'unavailable' } })
    expect(seen).toEqual([])
  })
})

describe('the provider’s own errors', () => {
  const failures: Call['failures'] = ({ response, body, options }) => {
    const said = z.object({ code: z.string() }).safeParse(body)
    if (response.status === 410) return new Rejected('The project is gone', { ...options, gone: true })
    return said.success && said.data.code === 'archived' ? new Rejected('The ticket is archived', options) : null
  }

  it.each([200, 400, 503])('come before the status %i', async (status) => {
    const error = await failure(says(status, { code: 'archived' }), { failures })
    expect(error).toMatchObject({ kind: 'rejected', message: 'The ticket is archived', ledger: undefined })
  })

  it('have a ledger entry with their message', async () => {
    const error = await failure(says(410, `gone, ${TOKEN}`), { failures, ledger: true })
    expect(error).toMatchObject({ gone: true })
    expect(error.ledger).toMatchObject({ status: 410, answer: 'gone, •••', error: 'The project is gone' })
  })

  it('are judged by status where there is none', async () => {
    expect(await failure(says(400, { code: 'other' }), { failures })).toMatchObject({ kind: 'rejected' })
    expect(await failure(says(401, ''), { failures })).toMatchObject({ kind: 'auth' })
  })
})

it.each([200, 400, 401, 403, 404, 429, 500])(
  'has no secret, address or customer text in a failure with %i',
  async (status) => {
    const body = { error: `${WORDS} ${TOKEN}`, tickets: WORDS }
    for (const ledger of [true, false]) {
      const error = await failure(says(status, body), { ledger })
      const text = `${error.message} ${error.stack} ${JSON.stringify(error.cause ?? '')}`
      for (const secret of [TOKEN, WORDS, '4711-path', 'anna']) expect(text).not.toContain(secret)
      expect(JSON.stringify(error.ledger ?? '')).not.toContain(TOKEN)
      const { status: recorded, error: reason } = error.ledger ?? {}
      expect([recorded, reason]).toEqual(ledger ? [status, error.message] : [undefined, undefined])
    }
  },
)

it('passes on an error of ours unchanged', async () => {
  const broken = { http: { request: () => Promise.reject(new TypeError('ours')) } }
  const context = { ...contextOf(1, new AbortController().signal), ...broken }
  const call = { who: 'Acme', name: 'x', method: 'GET', url: 'http://127.0.0.1', schema: Tickets } as const
  expect(await failureFrom(jsonCall(context, call))).toBeInstanceOf(TypeError)
})
