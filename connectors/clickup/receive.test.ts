import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Rejected } from '../kit/errors.ts'
import { receive } from './receive.ts'

const SECRET = 'THE SECRET THAT CLICKUP CHOSE'
const now = new Date('2026-11-23T10:00:00Z')

describe('receiving', () => {
  const valid = {
    event: 'taskStatusUpdated',
    webhook_id: 'w1',
    task_id: '86abc',
    history_items: [{ id: '2800763136717140857', field: 'status', before: {}, after: {} }],
  }
  const request = (body: string, signature = createHmac('sha256', SECRET).update(body).digest('hex')) => ({
    method: 'POST',
    headers: { 'x-signature': signature },
    body: Buffer.from(body),
  })
  const parse = (body: unknown) => receive({ webhook_secret: SECRET }, request(JSON.stringify(body)), now)

  it.each([
    [valid, 1],
    [{ ...valid, event: 'taskMoved' }, 1],
    [{ ...valid, event: 'taskDeleted', history_items: undefined }, 1],
    [{ ...valid, event: 'taskUpdated' }, 0],
    [{ ...valid, event: 'listDeleted', task_id: undefined }, 0],
    [{ ...valid, task_id: null }, 0],
  ])('%j is %i event', (body, count) => expect(parse(body).events).toHaveLength(count))

  it('names each event by its change, and one without by its content, so that a repetition is the same', () => {
    expect(parse(valid)).toEqual({
      reply: { status: 200, type: 'text/plain; charset=utf-8', body: '' },
      events: [{ id: 'w1:taskStatusUpdated:2800763136717140857', account: '', payload: { kind: 'task', id: '86abc' } }],
    })
    const idOf = (task_id: string) => parse({ event: 'taskDeleted', webhook_id: 'w1', task_id }).events[0]?.id
    expect(idOf('86abc')).toBe(idOf('86abc'))
    expect(idOf('86abc')).not.toBe(idOf('86abd'))
  })

  it.each([[{ ...valid, event: undefined }], [{ ...valid, webhook_id: null }], [[]], ['text']])(
    '%j is refused',
    (body) => expect(() => parse(body)).toThrow(Rejected),
  )

  it('verifies the raw body with the secret of the subscription', () => {
    const body = JSON.stringify(valid)
    const { headers } = request(body)
    expect(() => receive({ webhook_secret: '' }, request(body), now)).toThrow(Rejected)
    expect(() => receive({}, request(body), now)).toThrow(Rejected)
    expect(() => receive({ webhook_secret: 'other' }, request(body), now)).toThrow(Rejected)
    expect(() => receive({ webhook_secret: SECRET }, request(`${body} `, headers['x-signature']), now)).toThrow(
      Rejected,
    )
    expect(() => receive({ webhook_secret: SECRET }, request('{"not json'), now)).toThrow(Rejected)
    expect(() => receive({ webhook_secret: SECRET }, { ...request(body), headers: {} }, now)).toThrow(Rejected)
  })
})
