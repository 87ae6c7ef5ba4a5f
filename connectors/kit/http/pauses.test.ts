import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { Pauses } from '../../connector.ts'
import { RateLimited, Unavailable } from '../errors.ts'
import { failureFrom, type Handler, startServer } from '../testing.ts'
import { graphqlCall } from './graphql-call.ts'
import { createHttp } from './http.ts'
import { jsonCall } from './json-call.ts'
import { keepingPause } from './pauses.ts'
import { first, slowedDown, tooManyRequests } from './rate-limits.ts'

/** Pauses in memory, by a clock in seconds that the test sets. */
function pausesInMemory(): Pauses & { clock: number } {
  const until = new Map<string, number>()
  const pauses = {
    clock: 0,
    left: async (scope: string) => Math.max(0, (until.get(scope) ?? 0) - pauses.clock),
    set: async (scope: string, seconds: number) => void until.set(scope, pauses.clock + seconds),
  }
  return pauses
}

const says =
  (...replies: [number, Record<string, string>?][]): Handler =>
  (_, response) => {
    const [status, headers] = replies.shift() ?? [200]
    response.writeHead(status, headers ?? {}).end('{"data":{}}')
  }

async function withServer(handler: Handler) {
  const server = await startServer(handler)
  const pauses = pausesInMemory()
  const context = {
    http: createHttp({ guard: null }),
    signal: new AbortController().signal,
    now: () => new Date('2026-03-01T12:00:00Z'),
    pauses,
  }
  const call = { who: 'Acme', name: 'tickets.list', method: 'GET', url: server.url, schema: z.unknown() } as const
  return { server, pauses, context, call }
}

it('sends nothing until a pause is over, and reports how long that is', async () => {
  const { server, pauses, context, call } = await withServer(says([429, { 'retry-after': '20' }]))
  await using _ = server
  expect(await failureFrom(jsonCall(context, call))).toMatchObject({ kind: 'rate-limited', retryAfter: 20 })
  pauses.clock = 5
  const refused = await failureFrom(jsonCall(context, { ...call, name: 'tickets.show' }))
  expect(refused).toBeInstanceOf(RateLimited)
  expect(refused).toMatchObject({ retryAfter: 15 })
  expect((refused as Error).message).toBe('Acme asked for a pause, of which 15 seconds are left (GET tickets.show)')
  expect(server.seen).toHaveLength(1)
  pauses.clock = 20
  expect((await jsonCall(context, call)).status).toBe(200)
  expect(server.seen).toHaveLength(2)
})

it('keeps a pause of one scope to that scope', async () => {
  const { server, context, call } = await withServer(says([429, { 'retry-after': '20' }]))
  await using _ = server
  await failureFrom(jsonCall(context, { ...call, scope: 'search' }))
  expect((await jsonCall(context, call)).status).toBe(200)
  expect(await failureFrom(jsonCall(context, { ...call, scope: 'search' }))).toMatchObject({ retryAfter: 20 })
  expect(server.seen).toHaveLength(2)
})

it('keeps the pause that a successful response asks for', async () => {
  const { server, context, call } = await withServer(says([200, { 'retry-after': '7' }]))
  await using _ = server
  const limits = first(tooManyRequests(), slowedDown)
  expect((await jsonCall(context, { ...call, limits })).pause).toBe(7)
  expect(await failureFrom(jsonCall(context, call))).toMatchObject({ kind: 'rate-limited', retryAfter: 7 })
  expect(server.seen).toHaveLength(1)
})

it('keeps the pause of a GraphQL operation', async () => {
  const { server, context, call } = await withServer(says([429, { 'retry-after': '3' }]))
  await using _ = server
  const operation = { who: call.who, name: call.name, url: call.url, document: 'query { x }', data: z.unknown() }
  await failureFrom(graphqlCall(context, operation))
  expect(await failureFrom(graphqlCall(context, operation))).toMatchObject({ kind: 'rate-limited', retryAfter: 3 })
  expect(server.seen).toHaveLength(1)
})

it('pauses for a minute where nothing says how long, and not at all after another failure', async () => {
  const pauses = pausesInMemory()
  await failureFrom(keepingPause({ pauses }, undefined, () => Promise.reject(new Unavailable('down'))))
  expect(await pauses.left('')).toBe(0)
  await failureFrom(keepingPause({ pauses }, undefined, () => Promise.reject(new RateLimited('slow'))))
  expect(await pauses.left('')).toBe(60)
})
