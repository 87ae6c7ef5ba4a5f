import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { ConnectorFailure } from '../kit/errors.ts'
import { MalformedItems, nothingAside } from '../kit/set-aside.ts'
import { failureFrom, type Handler, startServer, testContext } from '../kit/testing.ts'
import { read, requestTokens, SlackRefusal, slackUrl } from './client.ts'
import { messagePage } from './message-page.ts'
import { Messages } from './schema.ts'
import { acceptMessages } from './unread.ts'

const TOKEN = 'xoxb-client-token-31f7'
const contextFor = (baseUrl: string, maxBytes = 64 * 1024) =>
  testContext({
    baseUrl,
    secrets: { bot_token: TOKEN },
    now: () => new Date('2026-03-01T12:00:00Z'),
    maxBytes,
  })
const says = (body: unknown, status = 200, headers: Record<string, string> = {}): Handler => {
  return (_, response) =>
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
}

async function failureOn(handler: Handler): Promise<ConnectorFailure> {
  await using server = await startServer(handler)
  const error = await failureFrom(read(contextFor(server.url), 'conversations.history', {}, Messages))
  expect(error).toBeInstanceOf(ConnectorFailure)
  expect(server.seen).toHaveLength(1)
  return error as ConnectorFailure
}

describe('an HTTP 200 with an error', () => {
  it.each([
    ['token_revoked', 'auth'],
    ['invalid_auth', 'auth'],
    ['account_inactive', 'auth'],
    ['not_authed', 'auth'],
    ['token_expired', 'auth'],
    ['missing_scope', 'auth'],
    ['ratelimited', 'rate-limited'],
    ['internal_error', 'unavailable'],
    ['fatal_error', 'unavailable'],
    ['service_unavailable', 'unavailable'],
    ['not_in_channel', 'rejected'],
    ['channel_not_found', 'rejected'],
    ['a_word_of_next_year', 'rejected'],
  ])('%s is %s', async (error, kind) => {
    const failure = await failureOn(says({ ok: false, error }))
    expect(failure.kind).toBe(kind)
    expect(failure.message).toContain('Slack')
    expect(failure.ledger).toBeUndefined()
  })

  it('names the missing scope', async () => {
    const failure = await failureOn(says({ ok: false, error: 'missing_scope', needed: 'groups:history' }))
    expect(failure.message).toContain('(groups:history)')
  })

  it('shows no text that is not an error code of Slack', async () => {
    const failure = await failureOn(says({ ok: false, error: `Bearer ${TOKEN}`, needed: 'customer words' }))
    expect(failure.message).toBe('Slack refused conversations.history: an unknown error')
  })

  it('has Slack’s error code for callers that can continue', async () => {
    const failure = await failureOn(says({ ok: false, error: 'not_in_channel' }))
    expect(failure).toBeInstanceOf(SlackRefusal)
    expect((failure as SlackRefusal).code).toBe('not_in_channel')
  })
})

describe('how long to wait', () => {
  it.each([
    [429, { 'retry-after': '30' }, 30],
    [200, { 'retry-after': '12' }, 12],
    [429, {}, 60],
    [200, {}, 60],
    [429, { 'retry-after': 'soon' }, 60],
  ])('%i with %j is %i seconds', async (status, headers, seconds) => {
    const failure = await failureOn(
      says({ ok: false, error: 'ratelimited' }, status, headers as Record<string, string>),
    )
    expect(failure).toMatchObject({ kind: 'rate-limited', retryAfter: seconds })
    expect(failure.message).toContain(`${seconds} seconds`)
  })
})

describe('a malformed reply', () => {
  it.each([
    ['nothing', ''],
    ['HTML', '<html>customer words</html>'],
    ['half of JSON', '{"ok":true,"messages":[{"text":"customer words'],
    ['a list', '[]'],
    ['null', 'null'],
    ['no ok', '{"messages":[]}'],
    ['ok as a word', '{"ok":"true","messages":[]}'],
    ['no messages', '{"ok":true}'],
    ['messages as text', '{"ok":true,"messages":"customer words"}'],
    ['a cursor that is none', '{"ok":true,"messages":[],"response_metadata":{"next_cursor":7}}'],
    ['metadata that is none', '{"ok":true,"messages":[],"response_metadata":"x"}'],
  ])('%s is reported, without repeating it', async (_, body) => {
    const failure = await failureOn(says(body))
    expect(failure.kind).toBe('unavailable')
    expect(failure.message).toMatch(/^Slack’s response to GET conversations.history /)
    expect(failure.message).not.toContain('customer')
  })

  it.each([
    ['a message without ts', '{"text":"customer words"}'],
    ['ts as a number', '{"ts":1700000000.1}'],
    ['ts as prose', '{"ts":"customer words"}'],
    ['text as a list', '{"ts":"1700000000.000100","text":["customer words"]}'],
    ['fewer than no replies', '{"ts":"1700000000.000100","reply_count":-1}'],
  ])('%s is reported, without repeating it, and hides no other message', async (_, message) => {
    const body = `{"ok":true,"messages":[${message},{"ts":"1700000000.000200","text":"good"}]}`
    await using server = await startServer(says(body))
    const context = contextFor(server.url)
    const page = await messagePage(context, 'conversations.history', {})
    expect(page.messages.map(({ text }) => text)).toEqual(['good'])
    const place = { id: 'C1', name: 'feedback' }
    const accept = () => acceptMessages(context, nothingAside(), place, 'conversations.history', page)
    expect(accept).toThrow(/^Slack’s response to GET conversations.history does not match .*at messages\.0/)
    expect(accept).toThrow(MalformedItems)
    expect(accept).not.toThrow(/customer/)
  })

  it('is reported by the position of the mismatch, but not by keys from the reply', async () => {
    await using server = await startServer(says({ ok: true, map: { 'Customer Words': 1 } }))
    const schema = z.object({ map: z.record(z.string(), z.string()) })
    const error = await failureFrom(read(contextFor(server.url), 'auth.test', {}, schema))
    expect(error).toMatchObject({ message: expect.stringContaining('(at map.…)') as string })
  })
})

it.each([
  [500, 'unavailable'],
  [503, 'unavailable'],
  [401, 'auth'],
  [403, 'rejected'],
  [404, 'rejected'],
  [302, 'rejected'],
])('reports HTTP %i as %s without any of the response', async (status, kind) => {
  const failure = await failureOn(says('customer words', status, { location: 'https://elsewhere.example' }))
  expect(failure.kind).toBe(kind)
  expect(failure.ledger).toBeUndefined()
})

describe('a request', () => {
  it('reads by GET with the token in its header, and omits what is not set', async () => {
    await using server = await startServer(says({ ok: true, messages: [] }))
    const values = { channel: 'C 1&x=2', cursor: null, oldest: undefined, limit: 5, inclusive: false }
    await read(contextFor(server.url), 'conversations.history', values, Messages)
    expect(server.seen[0]).toMatchObject({
      method: 'GET',
      url: '/api/conversations.history?channel=C+1%26x%3D2&limit=5&inclusive=false',
      body: '',
    })
    expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`)
    expect(server.seen[0]?.url).not.toContain(TOKEN)
  })

  it('sends one POST without the token, even without a response', async () => {
    await using server = await startServer((_, __, socket) => socket.resetAndDestroy())
    const error = await failureFrom(requestTokens(contextFor(server.url), { code: 'c' }, z.object({})))
    expect(error).toMatchObject({ kind: 'unavailable' })
    expect(server.seen).toHaveLength(1)
    expect(server.seen[0]).toMatchObject({ method: 'POST', url: '/api/oauth.v2.access', body: 'code=c' })
    expect(server.seen[0]?.headers.authorization).toBeUndefined()
  })

  it('is not made without a token', async () => {
    await using server = await startServer()
    const error = await failureFrom(read({ ...contextFor(server.url), secrets: {} }, 'auth.test', {}, Messages))
    expect(error).toMatchObject({ kind: 'auth' })
    expect(server.seen).toHaveLength(0)
  })

  it('is sent to Slack unless another address is configured', () => {
    expect(slackUrl({ baseUrl: null })).toBe('https://slack.com')
    for (const baseUrl of [
      'http://127.0.0.1:1',
      'http://127.0.0.1:1/',
      'http://127.0.0.1:1/api',
      'http://127.0.0.1:1/api/',
    ])
      expect(slackUrl({ baseUrl })).toBe('http://127.0.0.1:1')
  })
})

it('asks for fewer messages when they are too long for one response', async () => {
  const message = { ts: '1700000000.000100', text: 'long '.repeat(100) }
  await using server = await startServer(({ url }, response) => {
    const limit = Number(new URL(url, 'http://slack').searchParams.get('limit'))
    response.end(JSON.stringify({ ok: true, messages: Array.from({ length: limit }, () => message) }))
  })
  const page = await messagePage(contextFor(server.url, 16 * 1024), 'conversations.history', { channel: 'C1' })
  expect(page.messages).toHaveLength(15)
  expect(server.seen.map(({ url }) => /limit=(\d+)/.exec(url)?.[1])).toEqual(['999', '200', '50', '15'])
  const error = await failureFrom(messagePage(contextFor(server.url, 100), 'conversations.history', { channel: 'C1' }))
  expect(error).toMatchObject({ message: expect.stringContaining('larger than the limit') as string })
})
