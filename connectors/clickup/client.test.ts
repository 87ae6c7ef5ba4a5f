import { describe, expect, it } from 'vitest'
import { AuthExpired, type ConnectorFailure, RateLimited, Rejected, Unavailable } from '../kit/errors.ts'
import { failureFrom, startServer } from '../kit/testing.ts'
import { call, path } from './client.ts'
import { Missing, NoAccess } from './refusal.ts'
import { List } from './schema.ts'
import { contextFor, openClickUp } from './testing.ts'

const now = new Date('2026-11-23T10:00:00Z')
const inSeconds = (seconds: number) => String(now.getTime() / 1000 + seconds)
const LIST = { method: 'GET', name: 'list', path: path`/list/${'1'}`, schema: List, subject: 'list' } as const

/** The failure of a call to a server with this response. */
async function failure(status: number, body: unknown, headers: Record<string, string> = {}): Promise<ConnectorFailure> {
  await using clickup = await openClickUp()
  await using server = await startServer((_, response) => response.writeHead(status, headers).end(JSON.stringify(body)))
  const context = { ...contextFor(clickup, { now: () => now }), baseUrl: server.url }
  return (await failureFrom(call(context, LIST))) as ConnectorFailure
}

describe('the limits of ClickUp', () => {
  it.each([
    [{ 'x-ratelimit-reset': inSeconds(42) }, 42],
    [{ 'x-ratelimit-reset': inSeconds(-5) }, 1],
    [{ 'retry-after': '7', 'x-ratelimit-reset': inSeconds(42) }, 7],
    [{}, 60],
  ])('are read from %j', async (headers, seconds) => {
    const error = await failure(429, { err: 'Rate limit reached', ECODE: 'APP_002' }, headers)
    expect(error).toBeInstanceOf(RateLimited)
    expect(error.retryAfter).toBe(seconds)
  })

  it('end with the minute', async () => {
    await using clickup = await openClickUp()
    clickup.budget.limit = 1
    const context = contextFor(clickup)
    const request = { ...LIST, path: path`/list/${clickup.account.list.id}` }
    await call(context, request)
    const error = await failureFrom(call(context, request))
    expect(error).toMatchObject({ kind: 'rate-limited' })
    expect((error as RateLimited).retryAfter).toBeGreaterThan(30)
    clickup.advance(60)
    expect(await call(context, request)).toMatchObject({ name: 'Inbox' })
  })
})

describe('a refusal', () => {
  it.each([
    [401, 'OAUTH_017', AuthExpired],
    [401, 'OAUTH_019', AuthExpired],
    [401, 'OAUTH_025', AuthExpired],
    [401, 'OAUTH_077', AuthExpired],
    [401, '', AuthExpired],
    [401, 'OAUTH_023', NoAccess],
    [401, 'OAUTH_027', NoAccess],
    [401, 'OAUTH_045', NoAccess],
    [401, 'ACCESS_083', NoAccess],
    [403, 'ACCESS_083', NoAccess],
    [404, 'ITEM_013', Missing],
    [400, 'INPUT_001', Rejected],
    [500, 'SERVER_001', Unavailable],
    [503, '', Unavailable],
  ])('with status %i and the code %j is understood', async (status, ECODE, kind) => {
    const error = await failure(status, { err: 'customer words', ECODE })
    expect(error).toBeInstanceOf(kind)
    expect(error).not.toBeInstanceOf(kind === AuthExpired ? NoAccess : AuthExpired)
    expect(error.message).not.toContain('customer words')
  })

  it.each([['<html>Not found</html>'], [{}], [{ err: '', ECODE: null }]])(
    'with status 404 and the body %j says nothing about an id',
    async (body) => {
      const error = await failure(404, body)
      expect(error).toBeInstanceOf(Rejected)
      expect(error).not.toBeInstanceOf(Missing)
    },
  )

  it.each([
    ['Status does not exist', 'the status'],
    ['Assignee customer words invalid', 'the assignee'],
    ['Priority invalid', 'the priority'],
    ['Tag name customer words too long', 'a tag'],
    ['Task name invalid', 'the title'],
    ['Custom field customer words is required', 'a custom field'],
  ])('%j names %s', async (err, what) => {
    const error = await failure(400, { err, ECODE: 'X' })
    expect(error).toBeInstanceOf(Rejected)
    expect(error.message).toBe(`ClickUp did not accept ${what}. Check what is chosen for ClickUp`)
  })

  it.each([[{}], [[]], [{ id: 5 }], [{ id: '', name: 'x' }], [{ id: '5', name: 'x', statuses: [{}] }]])(
    'of %j as a list is no success',
    async (body) => {
      expect(await failure(200, body)).toBeInstanceOf(Unavailable)
    },
  )
})

describe('a request', () => {
  it('encodes ids, and accepts them as numbers and as text', async () => {
    await using clickup = await openClickUp()
    await using server = await startServer((_, response) => response.end('{"id":5,"name":"Inbox"}'))
    const context = { ...contextFor(clickup), baseUrl: server.url }
    expect(await call(context, { ...LIST, path: path`/list/${'../x?y'}/task` })).toMatchObject({ id: '5' })
    expect(server.seen[0]?.url).toBe('/api/v2/list/..%2Fx%3Fy/task')
  })

  it.each([
    [{ token: 'pk_1_ABC' }, 'pk_1_ABC'],
    [{ access_token: '1_abc' }, 'Bearer 1_abc'],
  ])('signs in with %j', async (secrets, header) => {
    await using clickup = await openClickUp()
    await using server = await startServer((_, response) => response.end('{"id":"5","name":"Inbox"}'))
    await call({ ...contextFor(clickup, { secrets }), baseUrl: server.url }, LIST)
    expect(server.seen[0]?.headers.authorization).toBe(header)
  })
})
