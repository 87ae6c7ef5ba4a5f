import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { ProviderRequest } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { TOPICS } from './app.ts'
import { receive } from './receive.ts'

const SECRET = 'client-secret-1'
const secrets = { client_id: 'fb', client_secret: SECRET, access_token: 'token-1' }
const now = new Date('2026-03-01T12:00:00Z')

/** A request as Intercom sends it; the argument replaces parts of it. */
function request(
  body: unknown,
  given: { secret?: string; headers?: ProviderRequest['headers'] } = {},
): ProviderRequest {
  const { secret = SECRET, headers = {} } = given
  const bytes = body instanceof Buffer ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const signature = `sha1=${createHmac('sha1', secret).update(bytes).digest('hex')}`
  return { method: 'POST', key: null, headers: { 'x-hub-signature': signature, ...headers }, body: bytes }
}

const notification = {
  type: 'notification_event',
  app_id: 'tallybrook1',
  data: {
    type: 'notification_event_data',
    item: { type: 'conversation', id: '503', source: { body: '<p>customer words</p>' } },
  },
  links: {},
  id: 'notif_8b3deed3',
  topic: 'conversation.user.replied',
  delivery_attempts: 1,
  created_at: 1_772_366_400,
}

describe('a notification', () => {
  it('holds one event, without what the customer wrote', () => {
    expect(receive(secrets, request(notification), now)).toEqual({
      reply: { status: 200, type: 'text/plain; charset=utf-8', body: '' },
      events: [
        {
          id: 'notif_8b3deed3',
          account: 'tallybrook1',
          payload: { topic: 'conversation.user.replied', conversation: '503' },
        },
      ],
    })
  })

  it('names its conversation as text, as a number, or as the one of an item', () => {
    for (const item of [
      { id: 503 },
      { id: '503' },
      { conversation_id: '503' },
      { id: 'notif_1', conversation_id: 503 },
    ]) {
      const { events } = receive(secrets, request({ ...notification, data: { item } }), now)
      expect(events[0]?.payload.conversation).toBe('503')
    }
  })

  it('has the same id when it is repeated, also where Intercom sends none', () => {
    const again = { ...notification, delivery_attempts: 2 }
    for (const id of ['notif_8b3deed3', null, undefined, '']) {
      const ids = [notification, again].map((one) => receive(secrets, request({ ...one, id }), now).events[0]?.id)
      expect(new Set(ids).size).toBe(1)
      expect(ids[0]).toMatch(id ? /^notif_8b3deed3$/ : /^conversation\.user\.replied:503:1772366400$/)
    }
    expect(receive(secrets, request({ ...notification, id: 'n'.repeat(500) }), now).events[0]?.id).toHaveLength(200)
  })

  it.each([...TOPICS])('of the topic %s is an event', (topic) => {
    expect(receive(secrets, request({ ...notification, topic }), now).events[0]?.payload.topic).toBe(topic)
  })

  it('that only tests the address is answered, and has no event', () => {
    const ping = { ...notification, topic: 'ping', id: null, data: { item: { type: 'ping', message: 'Hello' } } }
    expect(receive(secrets, request(ping), now)).toMatchObject({ reply: { status: 200 }, events: [] })
  })

  it.each(['contact.created', 'conversation.admin.noted', 'other'])('about something else, %s, has none', (topic) => {
    expect(receive(secrets, request({ ...notification, topic, data: null }), now)).toMatchObject({
      reply: { status: 200 },
      events: [],
    })
  })

  const hmac = (bytes: string, algorithm: string) => createHmac(algorithm, SECRET).update(bytes).digest('hex')
  const text = JSON.stringify(notification)
  it.each([
    ['signed with another secret', request(notification, { secret: 'secret-of-another' })],
    ['signed with the access token', request(notification, { secret: secrets.access_token })],
    ['without a signature', request(notification, { headers: { 'x-hub-signature': undefined } })],
    ['with two signatures', request(notification, { headers: { 'x-hub-signature': ['sha1=a', 'sha1=b'] } })],
    ['with an empty signature', request(notification, { headers: { 'x-hub-signature': 'sha1=' } })],
    ['without the prefix', request(notification, { headers: { 'x-hub-signature': hmac(text, 'sha1') } })],
    ['with SHA-256', request(notification, { headers: { 'x-hub-signature': `sha1=${hmac(text, 'sha256')}` } })],
    ['with the signature of other bytes', { ...request(notification), body: Buffer.from(`${text} `) }],
    ['of junk', request('{"topic":')],
    ['of bytes that are no text', request(Buffer.from([0xff, 0xfe]))],
    ['without a topic', request({ ...notification, topic: undefined })],
    ['without a conversation', request({ ...notification, data: { item: { id: null } } })],
    ['with a conversation that is a path', request({ ...notification, data: { item: { id: '../me' } } })],
    ['without a workspace', request({ ...notification, app_id: null })],
  ])('%s is refused', (_, sent) => {
    const refused = () => receive(secrets, sent, now)
    expect(refused).toThrow(Rejected)
    expect(refused).not.toThrow(/customer words|client-secret|token-1/)
  })

  it('that only looks whether the address is there is answered, whatever it contains', () => {
    for (const method of ['HEAD', 'GET']) {
      const sent = { ...request(notification, { secret: 'secret-of-another' }), method }
      expect(receive(secrets, sent, now)).toMatchObject({ reply: { status: 200 }, events: [] })
    }
  })

  it('is refused where no app is set up: an empty secret verifies nothing', () => {
    const incomplete: Record<string, string>[] = [{}, { client_secret: '' }, { access_token: 'token-1' }]
    for (const without of incomplete) {
      expect(() => receive(without, request(notification, { secret: '' }), now)).toThrow(Rejected)
    }
  })
})
