import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { ProviderRequest } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { receive } from './receive.ts'

const SECRET = 'c2lnbmluZy1zZWNyZXQtb2YtdGhlLXdlYmhvb2s='
const secrets = { client_secret: 'client-secret-1', webhook_secret: SECRET }
const now = new Date('2026-03-01T12:00:00Z')

/** A request as Zendesk sends it; the argument replaces parts of it. */
function request(body: unknown, given: { age?: number; secret?: string; headers?: ProviderRequest['headers'] } = {}) {
  const { age = 0, secret = SECRET, headers = {} } = given
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const timestamp = new Date(now.getTime() - age * 1000).toISOString().replace('.000Z', 'Z')
  const signature = createHmac('sha256', secret).update(timestamp).update(bytes).digest('base64')
  return {
    method: 'POST',
    key: 'connection-key',
    headers: {
      'x-zendesk-webhook-signature': signature,
      'x-zendesk-webhook-signature-timestamp': timestamp,
      ...headers,
    },
    body: bytes,
  }
}

const event = {
  type: 'zen:event-type:ticket.comment_added',
  account_id: 12_514_403,
  id: '2b24ef10-19d4-4740-93cf-8f98ec4776c0',
  time: '2026-03-01T12:00:00Z',
  subject: 'zen:ticket:35436',
  detail: { id: '35436', subject: 'customer words' },
  event: { comment: { body: 'customer words' } },
}

describe('a request of Zendesk', () => {
  it('holds one event, without what the customer wrote', () => {
    expect(receive(secrets, request(event), now)).toEqual({
      reply: { status: 200, type: 'text/plain; charset=utf-8', body: '' },
      events: [{ id: event.id, account: '', payload: { type: event.type, ticket: 35_436 } }],
    })
  })

  it('names its ticket as text, as a number, or as its subject', () => {
    const details = [{ detail: { id: 35_436 } }, { detail: { id: '35436' } }, { detail: null }, { detail: undefined }]
    for (const detail of details) {
      expect(receive(secrets, request({ ...event, ...detail }), now).events[0]?.payload.ticket).toBe(35_436)
    }
  })

  it('has the same id when it is repeated, whenever it is sent', () => {
    const ids = [0, 30, 250].map((age) => receive(secrets, request(event, { age }), now).events[0]?.id)
    expect(new Set(ids).size).toBe(1)
  })

  it('names no account, not even where its number looks like a subdomain: the address says which connection it is', () => {
    expect(receive(secrets, request({ ...event, account_id: 'acme' }), now).events[0]?.account).toBe('')
  })

  it.each(['zen:event-type:user.created', 'zen:event-type:article.published', 'other'])(
    'about something else, %s, has none',
    (type) => {
      expect(receive(secrets, request({ ...event, type }), now)).toMatchObject({ reply: { status: 200 }, events: [] })
    },
  )

  it.each([
    ['signed with another secret', request(event, { secret: 'c2VjcmV0LW9mLWFub3RoZXI=' })],
    ['without a signature', request(event, { headers: { 'x-zendesk-webhook-signature': undefined } })],
    ['with two signatures', request(event, { headers: { 'x-zendesk-webhook-signature': ['a', 'b'] } })],
    ['with an empty signature', request(event, { headers: { 'x-zendesk-webhook-signature': '' } })],
    ['without a time', request(event, { headers: { 'x-zendesk-webhook-signature-timestamp': undefined } })],
    [
      'with another time than the signed one',
      request(event, { headers: { 'x-zendesk-webhook-signature-timestamp': '2026-03-01T11:59:00Z' } }),
    ],
    ['with a time that is none', request(event, { headers: { 'x-zendesk-webhook-signature-timestamp': 'now' } })],
    ['from six minutes ago', request(event, { age: 360 })],
    ['from the future', request(event, { age: -360 })],
    ['with other bytes', { ...request(event), body: Buffer.from(JSON.stringify({ ...event, id: 'x' })) }],
  ])('%s is refused', (_, forged) => {
    expect(() => receive(secrets, forged, now)).toThrow(Rejected)
  })

  it('is refused without the secret of a webhook, also with the client’s', () => {
    expect(() =>
      receive({ client_secret: 'client-secret-1' }, request(event, { secret: 'client-secret-1' }), now),
    ).toThrow(Rejected)
    expect(() => receive({ webhook_secret: '' }, request(event, { secret: '' }), now)).toThrow(Rejected)
  })

  it.each([
    'text',
    '[]',
    '{}',
    JSON.stringify({ ...event, id: '' }),
    JSON.stringify({ ...event, id: 7 }),
    JSON.stringify({ ...event, subject: 'zen:ticket:x', detail: {} }),
    JSON.stringify({ ...event, detail: { id: '-5' } }),
    JSON.stringify({ ...event, detail: { id: '1e400' } }),
  ])('that is signed but malformed is refused: %s', (body) => {
    expect(() => receive(secrets, request(body), now)).toThrow(Rejected)
  })

  it('that is not UTF-8 is refused', () => {
    const body = Buffer.from([0xff, 0xfe, 0x7b])
    const timestamp = '2026-03-01T12:00:00Z'
    const signature = createHmac('sha256', SECRET).update(timestamp).update(body).digest('base64')
    const headers = { 'x-zendesk-webhook-signature': signature, 'x-zendesk-webhook-signature-timestamp': timestamp }
    expect(() => receive(secrets, { method: 'POST', headers, body }, now)).toThrow('could not be parsed')
  })
})
