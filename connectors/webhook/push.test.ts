import { WebhookPayload } from '@groundswell/contract/receivers/webhook-payload.ts'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import type { Context } from '../connector.ts'
import { type ConnectorFailure, isConnectorFailure, Rejected } from '../kit/errors.ts'
import {
  failureFrom,
  type GivenContext,
  type Handler,
  startServer,
  type TestServer,
  testContext,
} from '../kit/testing.ts'
import { retrySchedule } from '../kit/webhooks/standard-webhooks.ts'
import { startReceiver } from '../sandbox/index.ts'
import { push } from './push.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const OLD = `whsec_${Buffer.from('the old secret, 24 bytes').toString('base64')}`
const deliveryId = '7c0f8a52-7e0f-4c8e-9a35-0b4f6a0c1d11'
const payload: WebhookPayload = {
  version: 1,
  type: 'insight.created',
  timestamp: '2026-03-01T12:00:00.000Z',
  delivery_id: deliveryId,
  data: {
    insight: {
      id: 'b4f5',
      issue_number: 7,
      issue_name: 'Export fails – “again”',
      summary: 'Zürich: 出口',
      status: 'created',
      url: null,
      mention_count: 3,
      people_count: 2,
      first_seen: null,
      last_seen: null,
      categories: [],
    },
    new_mentions: 3,
    evidence: [
      { text: 'It broke\u2028again', author: null, date: '2026-03-01T11:00:00.000Z', link: null, source: 'file' },
    ],
  },
}

const request = { deliveryId, payload }
const context = (url: string, secrets: Record<string, string> = {}, given: GivenContext = {}) =>
  testContext({ secrets: { webhook: url, signing_secret: SECRET, ...secrets }, maxBytes: 2048, ...given })

describe('a delivery', () => {
  it('verifies with the reference library, byte for byte', async () => {
    await using server = await startServer((_, response) => response.writeHead(202).end('queued'))
    const outcome = await push(context(`${server.url}/hook?x=1`), request)
    expect(outcome).toMatchObject({ status: 202, answer: 'queued', remote: null })
    expect(outcome.durationMs).toBeGreaterThanOrEqual(0)
    const [seen] = server.seen
    expect(seen).toMatchObject({ method: 'POST', url: '/hook?x=1' })
    expect(seen?.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': deliveryId })
    expect(seen?.headers['user-agent']).toMatch(/^Groundswell\/\d/)
    expect(seen?.headers.authorization).toBeUndefined()
    const verified = new Webhook(SECRET).verify(seen?.body ?? '', seen?.headers as Record<string, string>)
    expect(WebhookPayload.parse(verified)).toEqual(payload)
    const forged = seen?.body.replace('"mention_count":3', '"mention_count":9') ?? ''
    expect(() => new Webhook(SECRET).verify(forged, seen?.headers as Record<string, string>)).toThrow(/signature/)
  })

  it('is signed with the current secret even if the stored previous one is invalid', async () => {
    await using server = await startServer()
    await push(context(server.url, { signing_secret_old: 'not a secret' }), request)
    const headers = server.seen[0]?.headers as Record<string, string>
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(1)
    expect(new Webhook(SECRET).verify(server.seen[0]?.body ?? '', headers)).toEqual(payload)
  })

  it('is signed with both secrets during a rotation', async () => {
    await using server = await startServer()
    await push(context(server.url, { signing_secret_old: OLD }), request)
    const [seen] = server.seen
    const headers = seen?.headers as Record<string, string>
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2)
    expect(new Webhook(SECRET).verify(seen?.body ?? '', headers)).toEqual(payload)
    expect(new Webhook(OLD).verify(seen?.body ?? '', headers)).toEqual(payload)
  })

  it('has the client token as a bearer, and not in the ledger', async () => {
    await using server = await startServer(({ headers }, response) => response.end(JSON.stringify(headers)))
    const outcome = await push(context(server.url, { client_token: 'client-token-1' }), request)
    expect(server.seen[0]?.headers.authorization).toBe('Bearer client-token-1')
    expect(outcome.answer).toContain('Bearer •••')
    expect(outcome.answer).not.toContain('client-token-1')
  })

  it('has the same id and a new time on the next attempt', async () => {
    await using server = await startServer()
    const later = { ...context(server.url), now: () => new Date(Date.now() + 60_000) }
    await push(context(server.url), request)
    await push(later, request)
    const [first, second] = server.seen.map((seen) => seen.headers)
    expect(second?.['webhook-id']).toBe(first?.['webhook-id'])
    expect(Number(second?.['webhook-timestamp'])).toBeGreaterThan(Number(first?.['webhook-timestamp']))
    expect(second?.['webhook-signature']).not.toBe(first?.['webhook-signature'])
  })

  it('is verified by the sandbox’s receiver', async () => {
    const receiver = await startReceiver({ secret: () => SECRET })
    const outcome = await push(context(receiver.hookUrl), request)
    expect(outcome.status).toBe(200)
    expect(receiver.received()).toMatchObject([{ id: deliveryId, verified: true, accepted: true, problem: null }])
    await receiver.stop()
  })
})

/** The failure of one push to a server with this response, after a single request. */
async function failing(handler: Handler, timeoutMs = 5000): Promise<ConnectorFailure & { server: TestServer }> {
  await using server = await startServer(handler)
  const error = await failureFrom(push(context(server.url, {}, { timeoutMs }), request))
  expect(server.seen).toHaveLength(1)
  expect(isConnectorFailure(error)).toBe(true)
  return Object.assign(error as ConnectorFailure, { server })
}

describe('a response that is not 2xx', () => {
  it.each([
    [300, 'unavailable'],
    [301, 'unavailable'],
    [302, 'unavailable'],
    [303, 'unavailable'],
    [304, 'unavailable'],
    [307, 'unavailable'],
    [308, 'unavailable'],
    [400, 'unavailable'],
    [401, 'unavailable'],
    [403, 'unavailable'],
    [404, 'unavailable'],
    [410, 'rejected'],
    [413, 'unavailable'],
    [422, 'unavailable'],
    [429, 'rate-limited'],
    [500, 'unavailable'],
    [502, 'unavailable'],
    [503, 'unavailable'],
    [504, 'unavailable'],
  ])('%i is %s, with a message and a ledger entry', async (status, kind) => {
    const body = status === 304 ? '' : 'why not'
    const failure = await failing((_, response) => response.writeHead(status, { location: '/x' }).end(body))
    expect(failure.kind).toBe(kind)
    expect(failure.message).toContain(String(status))
    expect(failure.ledger).toMatchObject({ status, answer: body, error: failure.message })
  })

  it('only 410 marks the destination as gone', async () => {
    const gone = await failing((_, response) => response.writeHead(410).end())
    expect(gone).toBeInstanceOf(Rejected)
    expect((gone as unknown as Rejected).gone).toBe(true)
  })

  it('a redirect has a message that tells what to do', async () => {
    const failure = await failing((_, response) => response.writeHead(308, { location: 'http://10.0.0.1/' }).end())
    expect(failure.message).toBe(
      'The endpoint returned 308, a redirect. Redirects are not followed: enter the final URL',
    )
  })

  it.each([[429], [503], [500]])('%i with Retry-After sets how long to wait', async (status) => {
    const failure = await failing((_, response) => response.writeHead(status, { 'retry-after': '33' }).end())
    expect(failure.retryAfter).toBe(33)
  })

  it('a timeout, a reset and an endless response are failed attempts too', async () => {
    const hung = await failing(() => {}, 2_500)
    expect(hung).toMatchObject({ kind: 'unavailable', ledger: { status: null } })
    const reset = await failing((_, __, socket) => socket.resetAndDestroy())
    expect(reset).toMatchObject({ kind: 'unavailable', ledger: { status: null } })
    const endless = await failing((_, response) => void response.writeHead(200).write('a'), 2_500)
    expect(endless).toMatchObject({ kind: 'unavailable', ledger: { status: 200, answer: 'a' } })
  })
})

it.each([
  [{ webhook: undefined }],
  [{ signing_secret: undefined }],
  [{ signing_secret: 'whsec_***' }],
  [{ signing_secret: 'no prefix' }],
])('is not sent with incomplete secrets: %j', async (missing) => {
  await using server = await startServer()
  const full = context(server.url)
  const error = await failureFrom(push({ ...full, secrets: { ...full.secrets, ...missing } } as Context, request))
  expect(error).toBeInstanceOf(Rejected)
  expect((error as Error).message).toBe('The webhook is not set up: connect it again')
  expect(server.connections()).toBe(0)
})

it('is retried for three days, as Standard Webhooks recommends', () => {
  const total = retrySchedule.reduce((sum, seconds) => sum + seconds, 0)
  expect(retrySchedule).toHaveLength(9)
  expect(total).toBe(75 * 3600 + 35 * 60 + 5)
})
