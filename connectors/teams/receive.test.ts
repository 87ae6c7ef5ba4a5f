import { describe, expect, it } from 'vitest'
import { Rejected } from '../kit/errors.ts'
import { receive } from './receive.ts'

const SECRET = 'secret-of-the-subscription'
const secrets = { client_secret: 'client-secret-1', client_state: SECRET }
const now = new Date('2026-03-01T12:00:00Z')
const TEAM = 'fbe2bf47-16c8-47cf-b4a5-4b9b187c508b'
const CHANNEL = '19:4a95f7d8db4c4e7fae857bcebe0623e6@thread.tacv2'
const POST = `teams('${TEAM}')/channels('${CHANNEL}')/messages('1616990032035')`

const notification = {
  subscriptionId: '10493aa0-4d29-4df5-bc0c-ef742cc6cd7f',
  changeType: 'updated',
  clientState: SECRET,
  tenantId: '7F1C0A52-3A0E-4C5E-9D0B-1F6F5F6A7C01',
  resource: POST,
  resourceData: { id: '1616990032035', '@odata.type': '#Microsoft.Graph.chatMessage' },
}

/** A request as Graph sends it to the address of one connection. */
const request = (body: unknown, query: Record<string, string> = {}, key: string | null = 'connection-key') => ({
  method: 'POST',
  key,
  query,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
})
const one = (more: Record<string, unknown> = {}) => request({ value: [{ ...notification, ...more }] })

describe('the validation of an address', () => {
  it('is answered with the token as plain text, whatever it contains', () => {
    const validationToken = 'Validation: <b>&token</b> 1+1 %20'
    expect(receive(secrets, request('', { validationToken }), now)).toEqual({
      reply: { status: 200, type: 'text/plain; charset=utf-8', body: validationToken },
      events: [],
    })
  })

  it('is answered before the secret of the subscription is stored', () => {
    expect(receive({}, request('', { validationToken: 'x' }), now).reply.body).toBe('x')
  })

  it.each([
    ['without the address of a connection', request('', { validationToken: 'x' }, null)],
    ['with an empty token', request('', { validationToken: '' })],
    ['with a token that is too long', request('', { validationToken: 'x'.repeat(2001) })],
  ])('is refused %s', (_, refused) => {
    expect(() => receive(secrets, refused, now)).toThrow(Rejected)
  })
})

describe('a notification', () => {
  it('names a post, its tenant and its change, and nothing that anyone wrote', () => {
    const { reply, events } = receive(secrets, one(), now)
    expect(reply).toMatchObject({ status: 202, body: '' })
    expect(events).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        account: '7f1c0a52-3a0e-4c5e-9d0b-1f6f5f6a7c01',
        payload: { team: TEAM, channel: CHANNEL, root: '1616990032035', reply: null, change: 'updated' },
      },
    ])
  })

  it('names a reply with its post', () => {
    const { events } = receive(secrets, one({ resource: `${POST}/replies('1616990171266')` }), now)
    expect(events[0]?.payload).toMatchObject({ root: '1616990032035', reply: '1616990171266' })
  })

  it('of a creation has the same id when it is repeated; that of a change has not, as there may be another', () => {
    const id = (changeType: string, at: Date) => receive(secrets, one({ changeType }), at).events[0]?.id
    const later = new Date(now.getTime() + 5000)
    expect(id('created', now)).toBe(id('created', later))
    expect(id('updated', now)).not.toBe(id('updated', later))
    expect(id('created', now)).not.toBe(id('deleted', now))
  })

  it('may be about the subscription itself', () => {
    const { events } = receive(secrets, one({ lifecycleEvent: 'reauthorizationRequired', changeType: null }), now)
    expect(events[0]?.payload).toEqual({
      lifecycle: 'reauthorizationRequired',
      subscription: notification.subscriptionId,
    })
  })

  it('may come with others, each of which is an event', () => {
    const others = [notification, { ...notification, resource: `${POST}/replies('2')` }]
    const ids = receive(secrets, request({ value: others }), now).events.map(({ id }) => id)
    expect(new Set(ids).size).toBe(2)
  })

  it.each(['users', `chats('1')/messages('2')`, `${POST}/../..`, `teams('a/b')/channels('c')/messages('d')`, null])(
    'about something else, %s, is no event',
    (resource) => {
      expect(receive(secrets, one({ resource }), now).events).toEqual([])
    },
  )

  it.each([
    ['with another secret', one({ clientState: `${SECRET}x` })],
    ['with the secret of the app', one({ clientState: 'client-secret-1' })],
    ['with an empty secret', one({ clientState: '' })],
    ['without a secret', one({ clientState: null })],
    ['with one forged among others', request({ value: [notification, { ...notification, clientState: 'x' }] })],
    ['that is not JSON', request('text')],
    ['that is empty', request({ value: [] })],
    ['that is a list', request([])],
    ['with other types', request({ value: [{ clientState: 7 }] })],
  ])('%s is refused', (_, forged) => {
    expect(() => receive(secrets, forged, now)).toThrow(Rejected)
  })

  it('is refused where no secret is known, even an empty one', () => {
    expect(() => receive({}, one({ clientState: '' }), now)).toThrow('is not set')
    expect(() => receive({ client_state: '' }, one({ clientState: '' }), now)).toThrow(Rejected)
  })

  it('that is not UTF-8 is refused', () => {
    expect(() => receive(secrets, { ...one(), body: Buffer.from([0xff, 0xfe]) }, now)).toThrow('could not be parsed')
  })
})
