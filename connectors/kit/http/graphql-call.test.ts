import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { type ConnectorFailure, isConnectorFailure, Rejected } from '../errors.ts'
import { type Handler, startServer } from '../testing.ts'
import { type GraphqlCall, GraphqlRefusal, graphqlCall } from './graphql-call.ts'
import { createHttp } from './http.ts'
import { exhausted, graphqlLimit } from './rate-limits.ts'

const TOKEN = 'graphql-token-77c1'
const WORDS = 'Anna says the export is broken'
const now = new Date('2026-03-01T12:00:00Z')
const Issue = z.object({ issue: z.object({ id: z.string() }) })
type Call = GraphqlCall<z.ZodMiniType>

async function call(status: number, body: unknown, given: Partial<Call> = {}, headers: Record<string, string> = {}) {
  const handler: Handler = (_, response) =>
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
  await using server = await startServer(handler)
  const context = {
    http: createHttp({ guard: null, maxBytes: 8192 }),
    signal: new AbortController().signal,
    now: () => now,
  }
  const [outcome] = await Promise.allSettled([
    graphqlCall(context, {
      who: 'Acme',
      name: 'issue.read',
      url: `${server.url}/graphql`,
      authorization: TOKEN,
      document: 'query ($id: String!) { issue(id: $id) { id } }',
      variables: { id: 'i-1' },
      data: Issue,
      ...given,
    }),
  ])
  return { outcome, seen: server.seen }
}

async function failure(...given: Parameters<typeof call>): Promise<ConnectorFailure> {
  const { outcome, seen } = await call(...given)
  const reason: unknown = outcome?.status === 'rejected' ? outcome.reason : null
  if (!isConnectorFailure(reason)) throw new Error('It did not fail as a connector does')
  expect(seen).toHaveLength(1)
  return reason
}

const errors = (...codes: unknown[]) => ({
  data: null,
  errors: codes.map((code) => ({ message: `${WORDS} ${TOKEN}`, path: ['issue'], extensions: { code } })),
})

describe('a successful operation', () => {
  it('sends the document with its variables and returns the parsed data', async () => {
    const { outcome, seen } = await call(200, { data: { issue: { id: 'i-1', title: WORDS } } })
    expect(outcome).toMatchObject({
      status: 'fulfilled',
      value: { data: { issue: { id: 'i-1' } }, status: 200, answer: '' },
    })
    expect(outcome).not.toMatchObject({ value: { data: { issue: { title: WORDS } } } })
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/graphql' })
    expect(seen[0]?.headers).toMatchObject({ authorization: TOKEN, 'content-type': 'application/json' })
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      query: 'query ($id: String!) { issue(id: $id) { id } }',
      variables: { id: 'i-1' },
    })
  })

  it('may have an empty list of errors', async () => {
    const { outcome } = await call(200, { data: { issue: { id: 'i-1' } }, errors: [] })
    expect(outcome).toMatchObject({ status: 'fulfilled' })
  })
})

describe('errors', () => {
  it.each([
    ['UNAUTHENTICATED', 'auth'],
    ['AUTHENTICATION_ERROR', 'auth'],
    ['authentication error', 'auth'],
    ['RATELIMITED', 'rate-limited'],
    ['RATE_LIMITED', 'rate-limited'],
    ['INTERNAL_SERVER_ERROR', 'unavailable'],
    ['FORBIDDEN', 'rejected'],
    ['GRAPHQL_VALIDATION_FAILED', 'rejected'],
    ['A_CODE_OF_NEXT_YEAR', 'rejected'],
    ['constructor', 'rejected'],
    [WORDS.repeat(5), 'rejected'],
    [17, 'rejected'],
    [null, 'rejected'],
  ])('with the code %s are %s', async (code, kind) => {
    for (const status of [200, 400]) {
      const error = await failure(status, errors(code))
      expect(error.kind).toBe(kind)
      expect(error.message).toContain('issue.read')
      expect(`${error.message}${error.stack}`).not.toContain('Anna')
      expect(`${error.message}${error.stack}`).not.toContain(TOKEN)
      expect(error.ledger).toBeUndefined()
    }
  })

  it('beside data are a failure', async () => {
    const body = { ...errors('NOT_FOUND'), data: { issue: { id: 'i-1' } } }
    expect(await failure(200, body)).toMatchObject({ kind: 'rejected', codes: ['NOT_FOUND'] })
  })

  it.each([
    [['NOT_FOUND', 'UNAUTHENTICATED', 'INTERNAL_SERVER_ERROR'], 'auth'],
    [['FORBIDDEN', 'RATELIMITED'], 'rate-limited'],
    [['INTERNAL_SERVER_ERROR', 'FORBIDDEN'], 'rejected'],
    [['INTERNAL_SERVER_ERROR', 'NOT_FOUND'], 'unavailable'],
  ])('of several kinds, %j, are %s', async (codes, kind) => {
    expect((await failure(200, errors(...codes))).kind).toBe(kind)
  })

  it('may have their code in the type', async () => {
    const typed = { errors: [{ type: 'RATE_LIMITED', message: 'x' }] }
    expect((await failure(200, typed)).kind).toBe('rate-limited')
    const extended = { errors: [{ extensions: { type: 'authentication error' } }] }
    expect((await failure(200, extended)).kind).toBe('auth')
  })

  it.each([
    [401, 'auth'],
    [429, 'rate-limited'],
    [500, 'unavailable'],
    [502, 'unavailable'],
    [400, 'rejected'],
    [403, 'rejected'],
  ])('without a known code are judged by status: %i is %s', async (status, kind) => {
    expect((await failure(status, errors('SOMETHING_ELSE'))).kind).toBe(kind)
    expect((await failure(status, '<html>')).kind).toBe(kind)
  })

  it('carry the codes for callers that can continue', async () => {
    const error = await failure(200, errors('not found', 'NOT_FOUND', WORDS.repeat(3)))
    expect(error).toBeInstanceOf(GraphqlRefusal)
    expect(error).toBeInstanceOf(Rejected)
    expect((error as GraphqlRefusal).codes).toEqual(['NOT_FOUND', 'NOT_FOUND'])
    expect(error.message).toBe('Acme refused issue.read: NOT_FOUND')
  })

  it('have codes of the provider’s own, which replace the usual ones', async () => {
    const codes = { LOCK_TIMEOUT: 'unavailable', FORBIDDEN: 'auth' } as const
    expect((await failure(200, errors('LOCK_TIMEOUT'), { codes })).kind).toBe('unavailable')
    expect((await failure(200, errors('FORBIDDEN'), { codes })).kind).toBe('auth')
    expect((await failure(200, errors('UNAUTHENTICATED'), { codes })).kind).toBe('auth')
  })

  it('can be recognised by their content', async () => {
    const failures: Call['failures'] = (list, options) =>
      list.some(({ message }) => message.startsWith('Anna')) ? new Rejected('The issue is gone', options) : null
    expect(await failure(200, errors('ANY'), { failures, ledger: true })).toMatchObject({
      message: 'The issue is gone',
      ledger: { status: 200, error: 'The issue is gone' },
    })
    expect((await failure(200, { errors: [{}] }, { failures })).message).toBe(
      'Acme refused issue.read: an unknown error',
    )
  })

  it('of a destination have a ledger entry without our secrets', async () => {
    const error = await failure(400, errors('BAD_USER_INPUT'), { ledger: true })
    expect(error.ledger).toMatchObject({ status: 400, error: error.message })
    expect(error.ledger?.answer).toContain('•••')
    expect(error.ledger?.answer).not.toContain(TOKEN)
  })
})

it.each([200, 400])('waits for the reset of a limit that is reported with %i', async (status) => {
  const limits = graphqlLimit('RATELIMITED', exhausted('x-remaining', 'x-reset'))
  const headers = { 'x-remaining': '0', 'x-reset': String(now.getTime() + 90_000) }
  const error = await failure(status, errors('RATELIMITED'), { limits }, headers)
  expect(error).toMatchObject({ kind: 'rate-limited', retryAfter: 90 })
})

it.each([
  ['', 'its start'],
  ['{}', 'data'],
  ['{"data":null}', 'data'],
  ['{"data":{"issue":{"id":5}}}', 'data.issue.id'],
  ['{"data":{"issue":null},"errors":"x"}', 'data.issue'],
])('reports the response %j as unavailable, at %s', async (body, where) => {
  const error = await failure(200, body)
  expect(error.kind).toBe('unavailable')
  expect(error.message).toContain(`(at ${where})`)
})
