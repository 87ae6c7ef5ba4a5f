import { createHmac } from 'node:crypto'
import { proves } from '@groundswell/server/platform/proves.ts'
import { describe, expect, it } from 'vitest'
import type { ProviderRequest } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { receive } from './receive.ts'

const SECRET = '8f742231b10e8888abcd99yyyzzz85a5'
const app = { client_id: '1', client_secret: 'client-secret-1', signing_secret: SECRET }
const now = new Date('2026-03-01T12:00:00Z')
const seconds = now.getTime() / 1000

/** A request as Slack sends it; the argument replaces parts of it. */
function request(body: unknown, given: { age?: number; secret?: string; headers?: ProviderRequest['headers'] } = {}) {
  const { age = 0, secret = SECRET, headers = {} } = given
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const timestamp = String(seconds - age)
  const signature = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(bytes).digest('hex')
  return {
    method: 'POST',
    headers: { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${signature}`, ...headers },
    body: bytes,
  }
}

const event = { type: 'message', channel: 'C1', ts: '1772366400.000100', text: 'it broke' }
const delivery = { type: 'event_callback', team_id: 'T1', event_id: 'Ev1', event }

describe('a request of Slack', () => {
  it('answers the challenge in plain text', () => {
    proves('4.1.1')
    const { reply, events } = receive(app, request({ type: 'url_verification', challenge: 'abc<script>' }), now)
    expect(reply).toEqual({ status: 200, type: 'text/plain; charset=utf-8', body: 'abc<script>' })
    expect(events).toEqual([])
  })

  it('lists each event with its id and its workspace', () => {
    const { reply, events } = receive(app, request(delivery), now)
    expect(reply).toEqual({ status: 200, type: 'text/plain; charset=utf-8', body: '' })
    expect(events).toEqual([{ id: 'Ev1', account: 'T1', payload: event }])
  })

  it.each([
    [[{ team_id: 'T1', enterprise_id: null }], 'T1'],
    [[{ team_id: null }], 'T2'],
    [[], 'T2'],
    [null, 'T2'],
  ])('in a channel that workspaces share belongs to the workspace of the install: %j', (authorizations, account) => {
    const shared = { ...delivery, team_id: 'T2', authorizations }
    expect(receive(app, request(shared), now).events).toMatchObject([{ account }])
  })

  it('is verified with Slack’s own example of a signature', () => {
    const body =
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c'
    const headers = {
      'x-slack-request-timestamp': '1531420618',
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    }
    const judged = () => receive(app, request(body, { headers }), new Date(1531420618_000))
    // The signature is valid: the failure is that the body is not an event.
    expect(judged).toThrow('The event from Slack could not be parsed')
  })

  it.each([300, -300, 299])('may be %i seconds old', (age) => {
    expect(receive(app, request(delivery, { age }), now).events).toHaveLength(1)
  })

  it.each(['reaction_added', 'app_mention', 'channel_rename', undefined])('is accepted and ignored: %s', (type) => {
    expect(receive(app, request({ ...delivery, event: { type } }), now)).toMatchObject({
      reply: { status: 200 },
      events: [],
    })
  })

  it.each(['tokens_revoked', 'app_uninstalled'])('is an event: %s', (type) => {
    expect(receive(app, request({ ...delivery, event: { type } }), now).events).toHaveLength(1)
  })

  it('about Slack’s own rate limit is accepted', () => {
    expect(receive(app, request({ type: 'app_rate_limited', team_id: 'T1' }), now).events).toEqual([])
  })
})

describe('a request that is refused', () => {
  const good = request(delivery)
  const signature = String(good.headers['x-slack-signature'])
  const cases: [string, ProviderRequest][] = [
    ['signed by another', request(delivery, { secret: 'another' })],
    ['6 minutes old', request(delivery, { age: 301 })],
    ['from the future', request(delivery, { age: -301 })],
    ['with another body', { ...good, body: Buffer.from(JSON.stringify({ ...delivery, team_id: 'T2' })) }],
    ['with another time', { ...good, headers: { ...good.headers, 'x-slack-request-timestamp': String(seconds - 1) } }],
    ['without a signature', { ...good, headers: { 'x-slack-request-timestamp': String(seconds) } }],
    ['without a time', { ...good, headers: { 'x-slack-signature': signature } }],
    ['with a time that is none', request(delivery, { headers: { 'x-slack-request-timestamp': 'NaN' } })],
    ['with half a signature', { ...good, headers: { ...good.headers, 'x-slack-signature': signature.slice(0, 30) } }],
    ['with a longer one', { ...good, headers: { ...good.headers, 'x-slack-signature': `${signature}0` } }],
    ['with two', { ...good, headers: { ...good.headers, 'x-slack-signature': [signature, signature] } }],
    ['with letters of two bytes', { ...good, headers: { ...good.headers, 'x-slack-signature': 'ü'.repeat(67) } }],
    ['that is no JSON', request('not json')],
    ['that is empty', request('')],
    ['that is a list', request([])],
    ['without an id', request({ ...delivery, event_id: undefined })],
    ['without a workspace', request({ ...delivery, team_id: null })],
    ['with an event that is none', request({ ...delivery, event: 'message' })],
  ]
  it.each(cases)('%s', (_, asked) => {
    expect(() => receive(app, asked, now)).toThrow(Rejected)
  })

  it('before the app is set up', () => {
    expect(() => receive({}, request(delivery, { secret: '' }), now)).toThrow('signing secret')
  })

  it('even to verify the address', () => {
    const forged = request({ type: 'url_verification', challenge: 'x' }, { secret: 'another' })
    expect(() => receive(app, forged, now)).toThrow(Rejected)
  })

  it('with a message without secret or signature', () => {
    const messages = cases.map(([, asked]) => {
      try {
        receive(app, asked, now)
        return ''
      } catch (error) {
        return String((error as Error).stack)
      }
    })
    expect(messages.join()).not.toContain(SECRET)
    expect(messages.join()).not.toContain(signature)
    expect(messages.join()).not.toContain('it broke')
  })
})
