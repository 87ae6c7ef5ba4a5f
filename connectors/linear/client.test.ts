import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { AuthExpired, type ConnectorFailure, RateLimited, Rejected, Unavailable } from '../kit/errors.ts'
import { documentFor, failureFrom, startServer } from '../kit/testing.ts'
import { call } from './client.ts'
import { derivedId } from './derived-id.ts'
import { WHO } from './operations.ts'
import { Missing, NotAllowed } from './refusal.ts'
import { contextFor, openLinear } from './testing.ts'
import { tracker } from './tracker.ts'

const now = new Date('2026-11-23T10:00:00Z')
const inSeconds = (seconds: number) => String(now.getTime() + seconds * 1000)

/** The failure of a call to a server with this response. */
async function failure(status: number, body: unknown, headers: Record<string, string> = {}): Promise<ConnectorFailure> {
  await using linear = await openLinear()
  await using server = await startServer((_, response) => response.writeHead(status, headers).end(JSON.stringify(body)))
  const context = { ...contextFor(linear, { now: () => now }), baseUrl: server.url }
  return (await failureFrom(call(context, WHO))) as ConnectorFailure
}

const errors = (code: string, message = 'customer words', extensions: Record<string, unknown> = {}) => ({
  errors: [{ message, extensions: { code, ...extensions } }],
})

describe('the limits of Linear', () => {
  const limited = errors('RATELIMITED', 'Rate limit exceeded', { type: 'ratelimited' })

  it.each([
    [{ 'x-ratelimit-requests-remaining': '0', 'x-ratelimit-requests-reset': inSeconds(1800) }, 1800],
    [
      {
        'x-ratelimit-requests-remaining': '900',
        'x-ratelimit-requests-reset': inSeconds(3000),
        'x-ratelimit-complexity-remaining': '0',
        'x-ratelimit-complexity-reset': inSeconds(40),
      },
      40,
    ],
    [{ 'x-ratelimit-endpoint-requests-remaining': '0', 'x-ratelimit-endpoint-requests-reset': inSeconds(7) }, 7],
    [{ 'retry-after': '12', 'x-ratelimit-requests-reset': inSeconds(3000) }, 12],
    [{ 'x-ratelimit-requests-reset': inSeconds(90) }, 90],
    [{}, 60],
  ])('are read from %j', async (headers, seconds) => {
    for (const status of [400, 200, 429]) {
      const error = await failure(status, limited, headers)
      expect(error).toBeInstanceOf(RateLimited)
      expect(error.retryAfter).toBe(seconds)
    }
  })

  it('are read from a bare 429 too', async () => {
    expect(await failure(429, {}, { 'retry-after': '5' })).toMatchObject({ kind: 'rate-limited', retryAfter: 5 })
  })

  it('stop nothing while there is budget, and end with the hour', async () => {
    await using linear = await openLinear()
    linear.budget.limit = 2
    const context = contextFor(linear)
    await call(context, WHO)
    await call(context, WHO)
    const error = await failureFrom(call(context, WHO))
    expect(error).toMatchObject({ kind: 'rate-limited' })
    expect((error as RateLimited).retryAfter).toBeGreaterThan(3500)
    linear.advance(3600)
    expect(await call(context, WHO)).toMatchObject({ organization: { name: 'Fernweh' } })
  })
})

describe('a refusal', () => {
  it.each([
    [401, errors('AUTHENTICATION_ERROR'), AuthExpired],
    [400, errors('AUTHENTICATION_ERROR'), AuthExpired],
    [401, {}, AuthExpired],
    [400, { errors: [{ message: 'x', extensions: { type: 'authentication error' } }] }, AuthExpired],
    [200, errors('INTERNAL_SERVER_ERROR'), Unavailable],
    [200, errors('LOCK_TIMEOUT'), Unavailable],
    [503, {}, Unavailable],
    [200, { data: { viewer: {} } }, Unavailable],
    [200, errors('FORBIDDEN'), NotAllowed],
    [403, errors('FORBIDDEN'), NotAllowed],
    [400, errors('INPUT_ERROR', 'Entity not found: Team'), Missing],
    [200, errors('INPUT_ERROR', 'x', { userPresentableMessage: 'Could not find referenced Project.' }), Missing],
    [400, errors('GRAPHQL_VALIDATION_FAILED'), Rejected],
    [400, errors('USAGE_LIMIT_EXCEEDED'), Rejected],
    [400, 'not an object', Rejected],
  ])('%i %j is a %o', async (status, body, kind) => {
    const error = await failure(status, body)
    expect(error).toBeInstanceOf(kind)
    expect(error.message).not.toContain('customer words')
    expect(error.ledger).toMatchObject({ status, error: error.message })
  })

  it.each([
    [errors('FORBIDDEN', 'Invalid scope: `comments:create` required'), 'lacks the scope comments:create'],
    [errors('INPUT_ERROR', 'Entity not found: WorkflowState'), 'The status no longer exists in Linear'],
    [errors('INPUT_ERROR', 'Entity not found: constructor'), 'The entry no longer exists in Linear'],
    [
      errors('INVALID_INPUT', 'Argument Validation Error', { validationErrors: [{ property: 'labelIds' }] }),
      'did not accept the labels',
    ],
    [errors('INPUT_ERROR', 'title must be shorter than or equal to 255 characters'), 'did not accept the title'],
    [errors('INPUT_ERROR', 'assigneeId is not a member of the team'), 'did not accept the assignee'],
    [errors('INPUT_ERROR', 'toString customer words'), 'Linear refused viewer: INPUT_ERROR'],
  ])('%j is explained in plain words', async (body, words) => {
    const { message } = await failure(400, body)
    expect(message).toContain(words)
    expect(message).not.toContain('customer words')
  })

  it('of credentials decides, whatever else is refused', async () => {
    const both = {
      errors: [...errors('INPUT_ERROR', 'Entity not found: Team').errors, ...errors('AUTHENTICATION_ERROR').errors],
    }
    expect(await failure(400, both)).toBeInstanceOf(AuthExpired)
  })
})

describe('an address', () => {
  it('is Linear’s own without another one', async () => {
    await using linear = await openLinear()
    const asked: string[] = []
    const context = {
      ...contextFor(linear),
      baseUrl: null,
      http: {
        request: async ({ url, headers = {} }: { url: string; headers?: Record<string, string> }) => {
          asked.push(url, headers.authorization ?? '')
          return { status: 500, headers: {}, body: '', truncated: false, durationMs: 0 }
        },
      },
    }
    await failureFrom(call(context, WHO))
    await failureFrom(call({ ...context, secrets: { access_token: 'token' } }, WHO))
    const url = 'https://api.linear.app/graphql'
    expect(asked).toEqual([url, linear.signIns.apiKey, url, 'Bearer token'])
  })
})

describe('an id of our choice', () => {
  it('is a UUID of version 4, the same for the same parts', () => {
    const ids = Array.from({ length: 200 }, (_, index) => derivedId('comment', String(index)))
    expect(new Set(ids).size).toBe(200)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(derivedId('comment', '1')).toBe(ids[1])
    expect(derivedId('a', 'b')).not.toBe(derivedId('ab'))
  })
})

it('loses nothing to a limit: the update succeeds once the hour is over', async () => {
  await using linear = await openLinear()
  const context = contextFor(linear)
  const document = documentFor(randomUUID())
  const remote = await tracker.create(context, { document, reopen: false })
  linear.budget.limit = 3
  const update = () => tracker.update(context, remote, { document: { ...document, summary: 'Later' }, reopen: false })
  expect(await failureFrom(update())).toBeInstanceOf(RateLimited)
  linear.advance(3600)
  await update()
  expect(linear.workspace.issues[0]?.description).toContain('Later')
})
