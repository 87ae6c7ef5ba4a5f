import { describe, expect, it } from 'vitest'
import { Rejected } from '../kit/errors.ts'
import { receive } from './receive.ts'

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
    {},
    { method: 'POST', key, headers, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) },
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
    const headers = { authorization: 'JWT a.b.c', 'x-atlassian-webhook-identifier': 'abc-1' }
    const request = { method: 'POST', headers, body: Buffer.from(JSON.stringify(delivery)) }
    const given = key === undefined ? request : { ...request, key }
    expect(() => receive({ client_secret: 'known' }, given)).toThrow(Rejected)
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
