import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { ProviderRequest } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { receive } from './receive.ts'

const SECRET = 'secret-of-the-webhook-40-characters-long'
const secrets = { client_secret: 'client-secret-1', app_secret: 'app-secret-1', webhook_secret: SECRET }
const now = new Date('2026-03-01T12:10:00Z')

/** A request as Help Scout sends it; the argument replaces parts of it. */
function request(
  body: unknown,
  given: { event?: string; secret?: string; headers?: ProviderRequest['headers'] } = {},
): ProviderRequest {
  const { event = 'convo.customer.reply.created', secret = SECRET, headers = {} } = given
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const signature = createHmac('sha1', secret).update(bytes).digest('base64')
  return {
    method: 'POST',
    key: 'connection-key',
    headers: { 'x-helpscout-event': event, 'x-helpscout-signature': signature, ...headers },
    body: bytes,
  }
}

const conversation = {
  id: 35_436,
  number: 7,
  subject: 'customer words',
  preview: 'customer words',
  userUpdatedAt: '2026-03-01T12:00:00Z',
}

describe('a request of Help Scout', () => {
  it('holds one event, without what the customer wrote, for the connection of its address', () => {
    expect(receive(secrets, request(conversation), now)).toEqual({
      reply: { status: 200, type: 'text/plain; charset=utf-8', body: '' },
      events: [
        {
          id: expect.stringMatching(/^\d+:[\w-]{43}$/) as string,
          account: '',
          payload: { type: 'convo.customer.reply.created', conversation: 35_436 },
        },
      ],
    })
  })

  it('about a deletion holds the id alone', () => {
    const [event] = receive(secrets, request({ id: 7 }, { event: 'convo.deleted' }), now).events
    expect(event?.payload).toEqual({ type: 'convo.deleted', conversation: 7 })
  })

  it('has the same id when it is repeated, and another one when anything differs', () => {
    const idOf = (body: unknown, event = 'convo.created', at = now) =>
      receive(secrets, request(body, { event }), at).events[0]?.id
    const first = idOf(conversation)
    expect(idOf(conversation)).toBe(first)
    expect(idOf(conversation, 'convo.created', new Date('2026-03-01T12:59:00Z'))).toBe(first)
    expect(idOf({ ...conversation, userUpdatedAt: '2026-03-01T12:00:01Z' })).not.toBe(first)
    expect(idOf(conversation, 'convo.moved')).not.toBe(first)
    // A conversation that was restored may be deleted again, with the same bytes.
    expect(idOf({ id: 7 }, 'convo.deleted', new Date('2026-03-01T14:10:00Z'))).not.toBe(
      idOf({ id: 7 }, 'convo.deleted'),
    )
  })

  it.each(['customer.created', 'satisfaction.ratings', 'beacon.chat.created', 'tag.deleted', 'convo'])(
    'about something else, %s, has none',
    (event) => {
      expect(receive(secrets, request({ id: 1 }, { event }), now)).toMatchObject({ reply: { status: 200 }, events: [] })
    },
  )

  it.each([
    ['signed with another secret', request(conversation, { secret: 'secret-of-another' })],
    ['signed with the secret of the app', request(conversation, { secret: 'app-secret-1' })],
    ['without a signature', request(conversation, { headers: { 'x-helpscout-signature': undefined } })],
    ['with two signatures', request(conversation, { headers: { 'x-helpscout-signature': ['a', 'b'] } })],
    ['with an empty signature', request(conversation, { headers: { 'x-helpscout-signature': '' } })],
    ['with other bytes', { ...request(conversation), body: Buffer.from(JSON.stringify({ ...conversation, id: 1 })) }],
    [
      'with the same JSON in other bytes',
      { ...request(conversation), body: Buffer.from(JSON.stringify(conversation, null, 1)) },
    ],
    ['without a name', request(conversation, { headers: { 'x-helpscout-event': undefined } })],
    ['with two names', request(conversation, { headers: { 'x-helpscout-event': ['convo.created', 'convo.deleted'] } })],
  ])('%s is refused', (_, forged) => {
    expect(() => receive(secrets, forged, now)).toThrow(Rejected)
  })

  it('is verified before its name is looked at', () => {
    const forged = request({ id: 1 }, { event: 'customer.created', secret: 'secret-of-another' })
    expect(() => receive(secrets, forged, now)).toThrow(Rejected)
  })

  it('signed with SHA-256, as others do, is refused', () => {
    const body = Buffer.from(JSON.stringify(conversation))
    const signature = createHmac('sha256', SECRET).update(body).digest('base64')
    expect(() =>
      receive(secrets, request(conversation, { headers: { 'x-helpscout-signature': signature } }), now),
    ).toThrow(Rejected)
  })

  it('is refused without the secret of a webhook, also with the app’s', () => {
    const given = { client_secret: 'client-secret-1', app_secret: 'app-secret-1' }
    expect(() => receive(given, request(conversation, { secret: 'app-secret-1' }), now)).toThrow(Rejected)
    expect(() => receive({ webhook_secret: '' }, request(conversation, { secret: '' }), now)).toThrow(Rejected)
  })

  it.each(['text', '[]', '{}', '{"id":"7"}', '{"id":-5}', '{"id":1.5}', '{"id":1e400}', '{"id":0}'])(
    'that is signed but malformed is refused: %s',
    (body) => {
      expect(() => receive(secrets, request(body), now)).toThrow('could not be parsed')
    },
  )

  it('that is not UTF-8 is refused', () => {
    const body = Buffer.from([0xff, 0xfe, 0x7b])
    const signature = createHmac('sha1', SECRET).update(body).digest('base64')
    const headers = { 'x-helpscout-signature': signature, 'x-helpscout-event': 'convo.created' }
    expect(() => receive(secrets, { method: 'POST', headers, body }, now)).toThrow('could not be parsed')
  })

  it('never shows its secret, its signature or a word of the customer in a message', () => {
    const forged = request(conversation, { secret: 'secret-of-another' })
    let message = ''
    try {
      receive(secrets, forged, now)
    } catch (error) {
      message = String(error)
    }
    expect(message).toContain('Help Scout')
    for (const word of [SECRET, String(forged.headers['x-helpscout-signature']), 'customer words']) {
      expect(message).not.toContain(word)
    }
  })
})
