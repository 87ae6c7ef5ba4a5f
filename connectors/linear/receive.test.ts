import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Rejected } from '../kit/errors.ts'
import { receive } from './receive.ts'

const SECRET = 'a signing secret'

describe('receiving', () => {
  const now = new Date('2026-11-23T10:00:00Z')
  const valid = {
    type: 'Issue',
    action: 'update',
    organizationId: 'org',
    webhookId: 'w1',
    webhookTimestamp: now.getTime(),
    data: { id: 'i1' },
    updatedFrom: { stateId: 's' },
  }
  const request = (body: string, signature = createHmac('sha256', SECRET).update(body).digest('hex')) => ({
    method: 'POST',
    headers: { 'linear-signature': signature },
    body: Buffer.from(body),
  })
  const parse = (body: unknown) => receive({ webhook_secret: SECRET }, request(JSON.stringify(body)), now)

  it.each([
    [{ ...valid, action: 'create' }, 0],
    [{ ...valid, type: 'Comment' }, 0],
    [{ ...valid, updatedFrom: { title: 'x' } }, 0],
    [{ ...valid, updatedFrom: null }, 1],
    [{ ...valid, updatedFrom: { teamId: 't' } }, 1],
    [{ ...valid, action: 'remove', updatedFrom: undefined }, 1],
    [{ ...valid, data: {} }, 0],
    [{ ...valid, webhookTimestamp: now.getTime() - 60_000 }, 1],
  ])('%j is %i event', (body, count) => expect(parse(body).events).toHaveLength(count))

  it('without a delivery id uses one that a repetition has too', () => {
    expect(parse(valid).events).toEqual([
      { id: `w1:${now.getTime()}:i1`, account: 'org', payload: { kind: 'issue', id: 'i1' } },
    ])
  })

  it.each([
    [{ ...valid, webhookTimestamp: now.getTime() - 60_001 }],
    [{ ...valid, webhookTimestamp: now.getTime() + 60_001 }],
    [{ ...valid, organizationId: '' }],
    [{ ...valid, webhookTimestamp: undefined }],
    [[]],
  ])('%j is refused', (body) => expect(() => parse(body)).toThrow(Rejected))

  it('verifies the raw body with the secret of the subscription', () => {
    const body = JSON.stringify(valid)
    expect(() => receive({ webhook_secret: '' }, request(body), now)).toThrow(Rejected)
    expect(() => receive({}, request(body), now)).toThrow(Rejected)
    expect(() => receive({ webhook_secret: 'other' }, request(body), now)).toThrow(Rejected)
    expect(() =>
      receive({ webhook_secret: SECRET }, request(`${body} `, request(body).headers['linear-signature']), now),
    ).toThrow(Rejected)
    expect(() => receive({ webhook_secret: SECRET }, request('{"not json'), now)).toThrow(Rejected)
  })
})
