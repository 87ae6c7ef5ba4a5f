import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Rejected } from '../kit/errors.ts'
import { receive } from './receive.ts'

const PASSWORD = 'a password of ours'
const project = randomUUID()

const valid = {
  subscriptionId: randomUUID(),
  notificationId: 3,
  id: 'event-1',
  eventType: 'workitem.updated',
  publisherId: 'tfs',
  message: { text: 'customer words' },
  resource: {
    id: 4,
    workItemId: 27,
    rev: 4,
    revision: { fields: { 'System.Title': 'customer words' } },
    url: 'https://dev.azure.com/fabrikam/_apis/wit/workItems/27/updates/4',
  },
  resourceContainers: { collection: { id: 'c' }, project: { id: project.toUpperCase() } },
  createdDate: '2026-11-23T10:00:00Z',
}

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
const request = (body: string, authorization: string | string[] | undefined = basic('groundswell', PASSWORD)) => ({
  method: 'POST',
  headers: { authorization },
  body: Buffer.from(body),
})
const parse = (body: unknown) => receive({ hook_password: PASSWORD }, request(JSON.stringify(body)))

describe('receiving', () => {
  it('is a hint at one item, without any of its text', () => {
    const { reply, events } = parse(valid)
    expect(reply.status).toBe(200)
    expect(events).toEqual([{ id: 'event-1', account: '', payload: { kind: 'work item', id: 27, project } }])
    expect(JSON.stringify(events)).not.toContain('customer words')
  })

  it.each([
    [{ ...valid, resource: { ...valid.resource, workItemId: undefined } }, 27],
    [{ ...valid, resource: { ...valid.resource, workItemId: 0 } }, 27],
    [{ ...valid, resource: { id: 4 } }, null],
    [{ ...valid, resource: { id: 4, url: 'https://dev.azure.com/fabrikam/_apis/wit/recyclebin/27' } }, null],
    [{ ...valid, eventType: 'workitem.deleted', resource: { id: 27 } }, 27],
    [{ ...valid, eventType: 'workitem.deleted', resource: {} }, null],
    [{ ...valid, eventType: 'workitem.created' }, null],
    [{ ...valid, eventType: 'git.push', resource: { id: 27 } }, null],
    [{ ...valid, resource: null }, null],
    [{ ...valid, resource: undefined }, null],
  ])('%j is about %s', (body, id) => {
    expect(parse(body).events.map(({ payload }) => payload['id'])).toEqual(id === null ? [] : [id])
  })

  it.each([[undefined], [null], [{}], [{ project: null }]])('with the containers %j names no project', (containers) => {
    const [event] = parse({ ...valid, resourceContainers: containers }).events
    expect(event?.payload).toEqual({ kind: 'work item', id: 27, project: null })
  })

  it('has the same id when it is sent again', () => {
    expect(parse(valid).events[0]?.id).toBe(parse({ ...valid, createdDate: 'later' }).events[0]?.id)
  })

  it.each([
    ['no credentials', undefined],
    ['empty ones', ''],
    ['two headers', [basic('groundswell', PASSWORD), basic('groundswell', PASSWORD)]],
    ['another password', basic('groundswell', 'another password')],
    ['a longer password', basic('groundswell', `${PASSWORD}x`)],
    ['another user', basic('admin', PASSWORD)],
    ['another scheme', `Bearer ${PASSWORD}`],
    ['the bare password', PASSWORD],
  ])('with %s is refused before it is parsed', (_, authorization) => {
    const headers = authorization === undefined ? {} : { authorization }
    for (const body of [JSON.stringify(valid), '{"not json']) {
      const given = { ...request(body), headers }
      expect(() => receive({ hook_password: PASSWORD }, given)).toThrow(/does not have the password/)
    }
  })

  it('verifies nothing without a password', () => {
    const unset: Record<string, string>[] = [{}, { hook_password: '' }]
    for (const secrets of unset) {
      for (const password of ['', PASSWORD]) {
        const given = request(JSON.stringify(valid), basic('groundswell', password))
        expect(() => receive(secrets, given)).toThrow('The password of the service hooks is not set')
      }
    }
  })

  it.each([
    ['{"not json'],
    ['[]'],
    ['null'],
    [JSON.stringify({ ...valid, id: '' })],
    [JSON.stringify({ ...valid, id: undefined })],
    [JSON.stringify({ ...valid, eventType: 7 })],
    [JSON.stringify({ ...valid, resource: { workItemId: '27; DROP' } })],
    [JSON.stringify({ ...valid, resourceContainers: { project: { id: '../x' } } })],
  ])('%s is refused, without its words', (body) => {
    const parsing = () => receive({ hook_password: PASSWORD }, request(body))
    expect(parsing).toThrow(Rejected)
    expect(parsing).toThrow('The event from Azure DevOps could not be parsed')
  })
})
