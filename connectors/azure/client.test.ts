import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { AuthExpired, type ConnectorFailure, RateLimited, Rejected, Unavailable } from '../kit/errors.ts'
import { failureFrom, startServer } from '../kit/testing.ts'
import { choices } from './choices.ts'
import { call } from './client.ts'
import { refresh } from './oauth.ts'
import { Refusal } from './refusal.ts'
import { subscriptions } from './subscriptions.ts'
import { contextFor, openAzure, opened } from './testing.ts'
import { tracker } from './tracker.ts'

const now = new Date('2026-11-23T10:00:00Z')
const epoch = (seconds: number) => String(now.getTime() / 1000 + seconds)
const REQUEST = { name: 'things.list', path: '/fabrikam/_apis/things', schema: z.object({ id: z.int() }) }

/** The failure of a call to a server with this response. */
async function failure(status: number, body: unknown, headers: Record<string, string> = {}): Promise<ConnectorFailure> {
  await using azure = await openAzure()
  await using server = await startServer((_, response) => response.writeHead(status, headers).end(JSON.stringify(body)))
  const context = { ...contextFor(azure, { now: () => now }), baseUrl: server.url }
  return (await failureFrom(call(context, REQUEST))) as ConnectorFailure
}

const refusal = (message: string, typeKey = 'SomeException') => ({ $id: '1', message, typeKey, errorCode: 0 })

describe('the limits of Azure DevOps', () => {
  it.each([
    [{ 'retry-after': '12' }, 12],
    [{ 'retry-after': '12', 'x-ratelimit-reset': epoch(3000) }, 12],
    [{ 'x-ratelimit-reset': epoch(90) }, 90],
    [{}, 60],
  ])('are read from 429 with %j', async (headers, seconds) => {
    const error = await failure(429, refusal('TF400733: The request has been canceled'), headers)
    expect(error).toBeInstanceOf(RateLimited)
    expect(error.retryAfter).toBe(seconds)
  })

  it.each([
    [{ 'retry-after': '7' }, 7],
    [{ 'x-ratelimit-delay': '2.5' }, 3],
    [{ 'retry-after': '5', 'x-ratelimit-delay': '1.2', 'x-ratelimit-remaining': '0' }, 5],
  ])('slow a successful response down with %j, which is used and followed by a pause', async (headers, seconds) => {
    await using run = await opened()
    const clock = { at: now.getTime() }
    const context = contextFor(run, { now: () => new Date(clock.at) })
    run.faults.slow = headers
    const remote = await tracker.create(context, { document: run.document, reopen: false })
    expect(run.account.items).toHaveLength(1)
    const before = run.calls.length
    const error = await failureFrom(tracker.readStatus(context, [remote]))
    expect(error).toBeInstanceOf(RateLimited)
    expect((error as RateLimited).retryAfter).toBe(seconds)
    expect(run.calls).toHaveLength(before)
    clock.at += seconds * 1000
    expect(await tracker.readStatus(context, [remote])).toMatchObject([{ state: 'open' }])
  })

  it('never stop a task that has begun, even if every response asks for a pause', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.setState(1, 'Done')
    run.faults.slow = { 'retry-after': '30' }
    expect(await run.update(remote)).toMatchObject({ status: 'closed', data: { comment: 101 } })
    const organizations = ['fabrikam', 'contoso']
    run.account.organisations = organizations
    const both = contextFor(run, { settings: { organizations } })
    const statuses = await tracker.readStatus(both, [remote, { ...remote, id: 'contoso/1' }])
    expect(statuses.map(({ id }) => id)).toEqual([remote.id, 'contoso/1'])
    for (const task of [
      () => tracker.find(run.context, run.document.marker),
      () => run.create(),
      () => run.update(remote),
      () => tracker.verify(run.context),
    ]) {
      expect(await failureFrom(task())).toBeInstanceOf(RateLimited)
    }
  })

  it('hold for every task of the connection, and never for signing in', async () => {
    await using run = await opened()
    run.faults.limited = 90
    expect(await failureFrom(call(run.context, REQUEST))).toMatchObject({ kind: 'rate-limited', retryAfter: 90 })
    run.faults.limited = null
    const before = run.calls.length
    const request = { url: 'https://feedback.example.com/', secret: 's', previous: null }
    for (const task of [
      () => run.create(),
      () => choices(run.context, { search: {} }),
      () => subscriptions.ensure(run.context, request),
      () => subscriptions.remove(run.context, { organisation: 'fabrikam', ids: ['1'] }),
    ]) {
      const error = await failureFrom(task())
      expect(error).toBeInstanceOf(RateLimited)
      expect((error as RateLimited).retryAfter).toBeGreaterThan(80)
    }
    expect(run.calls).toHaveLength(before)
    expect((await choices(contextFor(run), { search: {} })).length).toBeGreaterThan(0)
    const { tenant, clientId, clientSecret } = run.signIns
    const app = { tenant, client_id: clientId, client_secret: clientSecret }
    const signedIn = { ...run.context, secrets: { access_token: 'a', refresh_token: 'r' } }
    expect(await failureFrom(refresh(signedIn, app))).toMatchObject({ kind: 'auth' })
    expect(run.signIns.exchanged).toEqual(['refresh_token'])
  })

  it('lose nothing: the item is created once the limit is over', async () => {
    await using run = await opened()
    const clock = { at: now.getTime() }
    const context = contextFor(run, { now: () => new Date(clock.at) })
    const create = () => tracker.create(context, { document: run.document, reopen: false })
    run.faults.limited = 3600
    expect(await failureFrom(create())).toMatchObject({ kind: 'rate-limited', retryAfter: 3600 })
    expect(run.account.items).toEqual([])
    run.faults.limited = null
    clock.at += 3_599_000
    expect(await failureFrom(create())).toMatchObject({ kind: 'rate-limited', retryAfter: 1 })
    clock.at += 1000
    expect(await create()).toMatchObject({ label: '#1' })
  })
})

describe('a refusal', () => {
  it.each([
    [401, {}, AuthExpired],
    [203, {}, AuthExpired],
    [302, {}, AuthExpired],
    [500, refusal('TF400898: customer words'), Unavailable],
    [503, {}, Unavailable],
    [200, {}, Unavailable],
    [200, { id: 'customer words' }, Unavailable],
    [400, refusal('customer words'), Refusal],
    [403, refusal('customer words'), Refusal],
    [404, 'customer words', Refusal],
    [409, null, Unavailable],
    [412, refusal('customer words'), Unavailable],
    [400, refusal('TF26071: This work item has been changed by someone else'), Unavailable],
  ])('%i %j is a %o, without the words of the response', async (status, body, kind) => {
    const error = await failure(status, body)
    expect(error).toBeInstanceOf(kind)
    expect(error.message).not.toContain('customer words')
    expect(error.ledger).toMatchObject({ status, error: error.message })
  })

  it.each([
    [404, refusal('TF401232: Work item 5 does not exist'), 'TF401232', 'The work item no longer exists'],
    [
      404,
      refusal('customer words', 'WorkItemUnauthorizedAccessException'),
      'TF401232',
      'The work item no longer exists',
    ],
    [404, refusal('TF200016: The following project does not exist'), 'TF200016', 'The project no longer exists'],
    [404, refusal('VS402323: customer words', 'WorkItemTypeNotFoundException'), 'VS402323', 'type no longer exists'],
    [403, refusal('TF237111: customer words'), 'TF237111', 'in this area'],
    [400, refusal('TF401347: Invalid tree name'), 'TF401347', 'The area path no longer exists'],
    [403, refusal('TF401289: customer words'), 'TF401289', 'create tags'],
    [403, refusal('customer words'), null, 'It needs Work Items (Read & write)'],
    [400, refusal('VS403999: customer words'), 'VS403999', 'refused things.list with status 400 (VS403999)'],
    [400, refusal('customer words TF1234:'), null, 'refused things.list with status 400'],
    [400, refusal('customer words', 'constructor'), null, 'refused things.list with status 400'],
  ])('%i %j has the code %s and is said in plain words', async (status, body, code, words) => {
    const error = await failure(status, body)
    expect(error).toBeInstanceOf(Refusal)
    expect(error).toMatchObject({ status, code })
    expect(error.message).toContain(words)
    expect(error.message).not.toContain('customer words')
  })

  it.each([
    ['TF401320: Rule Error for field Severity. Error code: Required, InvalidEmpty.', 'requires the field “Severity”'],
    ['TF401320: Rule Error for field Art der Störung. Error code: HasValues.', 'value of the field “Art der Störung”'],
    ['TF401320: Rule Error for field <b>x</b>. Error code: Required.', 'A rule of the process'],
    [`TF401320: Rule Error for field ${'x'.repeat(80)}. Error code: Required.`, 'A rule of the process'],
    ['TF401320: customer words', 'A rule of the process'],
  ])('%j names the field', async (message, words) => {
    const error = await failure(400, refusal(message, 'RuleValidationException'))
    expect(error).toBeInstanceOf(Rejected)
    expect(error.message).toContain(words)
    expect(error.message).toContain('TF401320')
    expect(error.message).not.toContain('customer words')
  })

  it.each([
    ['workitems.create', 'Work Items (Read & write)'],
    ['projects.list', 'Project and Team (Read)'],
    ['teams.members', 'Project and Team (Read)'],
    ['profile.get', 'vso.profile'],
    ['accounts.list', 'vso.profile'],
  ])('of %s names the permission that is missing', async (name, scope) => {
    await using azure = await openAzure()
    let status = 403
    await using server = await startServer((_, response) => response.writeHead(status).end('{}'))
    const message = async () => {
      const error = await failureFrom(call({ ...contextFor(azure), baseUrl: server.url }, { ...REQUEST, name }))
      return (error as Error).message
    }
    expect(await message()).toBe(`Azure DevOps does not let this sign-in do this (${name}). It needs ${scope}`)
    status = 401
    expect(await message()).toBe(
      `Azure DevOps did not accept the sign-in (${name}): it is over, or it lacks ${scope}. Connect again`,
    )
  })

  it('has no secret in the ledger, in whatever form it is echoed', async () => {
    await using azure = await openAzure()
    const { pat } = azure.signIns
    const echoed = [pat, Buffer.from(`:${pat}`).toString('base64')]
    await using server = await startServer((_, response) => response.writeHead(400).end(echoed.join(' ')))
    const error = await failureFrom(call({ ...contextFor(azure), baseUrl: server.url }, REQUEST))
    for (const secret of echoed) expect(JSON.stringify((error as ConnectorFailure).ledger)).not.toContain(secret)
  })
})

describe('an address', () => {
  it('is Azure’s own without another one, and a token is sent as it is documented', async () => {
    await using azure = await openAzure()
    const asked: string[] = []
    const context = {
      ...contextFor(azure),
      baseUrl: null,
      http: {
        request: async ({ url, headers = {} }: { url: string; headers?: Record<string, string> }) => {
          asked.push(url, headers['authorization'] ?? '')
          return { status: 500, headers: {}, body: '', truncated: false, durationMs: 0 }
        },
      },
    }
    await failureFrom(call({ ...context, secrets: { access_token: 'token' } }, REQUEST))
    expect(asked).toEqual(['https://dev.azure.com/fabrikam/_apis/things?api-version=7.1', 'Bearer token'])
    expect(await failureFrom(call({ ...context, secrets: {} }, REQUEST))).toBeInstanceOf(AuthExpired)
    expect(asked).toHaveLength(2)
  })
})
