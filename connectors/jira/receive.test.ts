import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Rejected } from '../kit/errors.ts'
import { bearerToken } from '../sandbox/jira/webhooks.ts'
import { receive } from './receive.ts'

const SECRET = 'the-secret-of-the-app'
const NOW = new Date('2026-11-23T10:00:00Z')
const SECONDS = NOW.getTime() / 1000
const MARKER = '7c0f8a52-7e0f-4c8e-9a35-0b4f6a0c1d11'
const delivery = {
  timestamp: 1_795_000_000_000,
  webhookEvent: 'jira:issue_updated',
  issue: {
    id: '10001',
    key: 'GROW-1',
    fields: { summary: 'customer words', labels: ['theirs', `gs-${MARKER}`], status: { name: 'Done' } },
  },
}

type Given = { key?: string | null; headers?: Record<string, string | string[]> }

const read = (body: unknown, { key = 'a-key', headers = {} }: Given = {}) =>
  receive(
    { client_secret: SECRET },
    {
      method: 'POST',
      key,
      headers: { authorization: bearerToken(SECRET, { exp: SECONDS + 60 }), ...headers },
      body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    },
    NOW,
  )
const eventsOf = (body: unknown, given?: Given) => read(body, given).events

describe('a delivery', () => {
  it('becomes the id of an issue to read again, and nothing else', () => {
    const { reply, events } = read(delivery, { headers: { 'x-atlassian-webhook-identifier': 'abc-1' } })
    expect(reply).toMatchObject({ status: 200, body: '' })
    expect(events).toEqual([{ id: 'abc-1', account: '', payload: { issue: '10001' } }])
  })

  it('of a deletion is the same', () => {
    expect(eventsOf({ ...delivery, webhookEvent: 'jira:issue_deleted' })).toMatchObject([
      { payload: { issue: '10001' } },
    ])
  })

  it('has the same id whenever it is repeated, also without an identifier of Jira', () => {
    const ids = [delivery, delivery, { ...delivery, timestamp: 1 }].map((body) => eventsOf(body)[0]?.id)
    expect(ids[0]).toBe(ids[1])
    expect(ids[0]).not.toBe(ids[2])
    for (const identifier of [['a', 'b'], 'x'.repeat(300), 'with space', '']) {
      expect(eventsOf(delivery, { headers: { 'x-atlassian-webhook-identifier': identifier } })[0]?.id).toBe(ids[0])
    }
  })

  it.each([null, undefined, ''])('at an address with the key %j is refused, whatever it says of itself', (key) => {
    const headers = { authorization: bearerToken(SECRET, {}), 'x-atlassian-webhook-identifier': 'abc-1' }
    const request = { method: 'POST', headers, body: Buffer.from(JSON.stringify(delivery)) }
    const given = key === undefined ? request : { ...request, key }
    const message = 'Events from Jira are accepted at the address of a connection only'
    expect(() => receive({ client_secret: SECRET }, given, NOW)).toThrow(new Rejected(message))
  })

  it.each([
    ['', 'nothing'],
    ['{', 'no JSON'],
    ['[]', 'no object'],
    [JSON.stringify({ ...delivery, webhookEvent: 7 }), 'a wrong name'],
    [JSON.stringify({ ...delivery, issue: { id: '../myself' } }), 'an id that is no number'],
    [JSON.stringify({ ...delivery, issue: { id: {} } }), 'an id that is no text'],
  ])('with %j is refused: %s', (body) => {
    expect(() => read(body)).toThrow('The event from Jira could not be parsed')
  })

  const SKIPPED: { body: object }[] = [
    { ...delivery, webhookEvent: 'jira:issue_created' },
    { ...delivery, webhookEvent: 'comment_created' },
    { ...delivery, issue: undefined },
    { ...delivery, issue: { ...delivery.issue, fields: { labels: ['theirs'] } } },
    { ...delivery, issue: { ...delivery.issue, fields: { labels: [] } } },
    { ...delivery, issue: { ...delivery.issue, fields: { labels: ['gs-notes'] } } },
  ].map((body) => ({ body }))
  it.each(SKIPPED)('that is not about an issue of ours is skipped: %#', ({ body }) => {
    expect(read(body)).toMatchObject({ reply: { status: 200 }, events: [] })
  })

  const UNLABELLED: { body: object }[] = [
    { ...delivery, issue: { id: 10_001 } },
    { ...delivery, issue: { id: '10001', fields: null } },
    { ...delivery, issue: { id: '10001', fields: { labels: null } } },
  ].map((body) => ({ body }))
  it.each(UNLABELLED)('that does not show its labels is followed: %#', ({ body }) => {
    expect(eventsOf(body)).toMatchObject([{ payload: { issue: '10001' } }])
  })
})

describe('the token of a delivery', () => {
  const withToken = (authorization: string | string[] | undefined, secrets: Record<string, string> = {}) => {
    const headers = authorization === undefined ? {} : { authorization }
    const request = { method: 'POST', key: 'a-key', headers, body: Buffer.from(JSON.stringify(delivery)) }
    return receive({ client_secret: SECRET, ...secrets }, request, NOW).events
  }
  const tokenOf = (claims: Record<string, unknown>, alg = 'HS256') => bearerToken(SECRET, claims, { typ: 'JWT', alg })

  it.each([
    { exp: SECONDS + 60 },
    { exp: SECONDS - 59 },
    { nbf: SECONDS + 59 },
    { iat: SECONDS - 9000, iss: 'anyone', qsh: 'x' },
    {},
  ])('with the claims %j is accepted', (claims) => {
    expect(withToken(tokenOf(claims))).toHaveLength(1)
    expect(withToken(tokenOf(claims).replace('Bearer', 'JWT'))).toHaveLength(1)
  })

  it('is refused with another algorithm than HS256, even a longer one that is right', () => {
    const signed = `${Buffer.from('{"alg":"HS512"}').toString('base64url')}.${Buffer.from('{}').toString('base64url')}`
    const signature = (hash: string) => createHmac(hash, SECRET).update(signed).digest('base64url')
    expect(() => withToken(`Bearer ${signed}.${signature('sha512')}`)).toThrow('The event has no valid token')
    expect(() => withToken(`Bearer ${signed}.${signature('sha256')}`)).toThrow('The event has no valid token')
  })

  const EXPIRED = 'The token of the event is expired, or the clock of this machine is wrong'
  const INVALID = 'The event has no valid token'
  const FORGED = 'The token of the event is not that of your Atlassian app'
  const [header = '', claims = '', signature = ''] = tokenOf({}).slice('Bearer '.length).split('.')
  it.each([
    ['is missing', undefined, INVALID],
    ['is repeated', [tokenOf({}), tokenOf({})], INVALID],
    ['is empty', 'Bearer ', INVALID],
    ['is a password', 'Basic YTpi', INVALID],
    ['is no token', 'Bearer a.b.c', INVALID],
    ['has a fourth part', `Bearer ${header}.${claims}.${signature}.x`, INVALID],
    ['claims to need no signature', tokenOf({}, 'none'), INVALID],
    ['is signed with a public key', tokenOf({}, 'RS256'), INVALID],
    ['has no signature', `Bearer ${header}.${claims}.`, FORGED],
    ['has other claims', `Bearer ${header}.${claims}x.${signature}`, FORGED],
    ['is signed with another secret', bearerToken('another', {}), FORGED],
    ['is signed with nothing', bearerToken('', {}), FORGED],
    ['ended', tokenOf({ exp: SECONDS - 61 }), EXPIRED],
    ['starts later', tokenOf({ nbf: SECONDS + 61 }), EXPIRED],
    ['ends at no time', tokenOf({ exp: 'never' }), INVALID],
  ])('that %s is refused', (_, authorization, message) => {
    expect(() => withToken(authorization)).toThrow(new Rejected(message))
  })

  it('is not trusted while the secret of the app is not known', () => {
    const message = 'The secret of your Atlassian app is not set'
    expect(() => withToken(bearerToken('', {}), { client_secret: '' })).toThrow(new Rejected(message))
  })

  it('is verified before anything in the delivery is read', () => {
    const request = { method: 'POST', key: 'a-key', headers: {}, body: Buffer.from('{') }
    expect(() => receive({ client_secret: SECRET }, request, NOW)).toThrow(new Rejected(INVALID))
  })
})
