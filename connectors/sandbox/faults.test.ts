import { expect, it } from 'vitest'
import type { SourceFault } from '../kit/sample.ts'
import { failureFrom } from '../kit/testing.ts'
import { answerWrongly, type FaultShapes } from './faults.ts'
import { serve } from './server.ts'

const good = { items: [{ text: 'a good answer, long enough to be cut' }], next: 'cursor' }
const shapes: FaultShapes = {
  limit: { error: 'limit' },
  revoked: { body: { error: 'revoked' } },
  emptyPage: (page, url) => ({ ...page, items: [], next: `${url.searchParams.get('after')}~` }),
  wrongTypes: (page) => ({ ...page, items: 'customer words' }),
}

async function wrong(fault: SourceFault, given: Partial<FaultShapes> = {}) {
  const { url, stop } = await serve((request, response) =>
    answerWrongly(fault, { request, response, good: () => good }, { ...shapes, ...given }),
  )
  return { url: `${url}/items?after=c1`, [Symbol.asyncDispose]: stop }
}

it.each<[SourceFault, number, unknown]>([
  ['429', 429, { error: 'limit' }],
  ['429-bare', 429, { error: 'limit' }],
  ['slow', 200, good],
  ['empty-page', 200, { items: [], next: 'c1~' }],
  ['wrong-types', 200, { items: 'customer words', next: 'cursor' }],
  ['missing-fields', 200, {}],
  ['revoked', 401, { error: 'revoked' }],
])('answers %s with %i and JSON', async (fault, status, body) => {
  await using server = await wrong(fault)
  const response = await fetch(server.url)
  expect(response.status).toBe(status)
  expect(response.headers.get('retry-after')).toBe(fault === '429' ? '7' : null)
  expect(await response.json()).toEqual(body)
})

it.each<[SourceFault, number]>([
  ['500', 500],
  ['malformed', 200],
  ['html', 200],
  ['truncated', 200],
])('answers %s with %i and no JSON', async (fault, status) => {
  await using server = await wrong(fault)
  const response = await fetch(server.url)
  expect(response.status).toBe(status)
  const text = await response.text()
  expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError)
})

it.each<SourceFault>(['reset', 'cut'])('closes the connection on %s', async (fault) => {
  await using server = await wrong(fault)
  expect(await failureFrom(fetch(server.url).then((response) => response.text()))).toBeInstanceOf(TypeError)
})

it('answers nothing on silence, and leaves the connection open', async () => {
  const left = Promise.withResolvers<unknown>()
  const server = await serve((request, response) => {
    answerWrongly('silence', { request, response, good: () => good }, shapes)
    left.resolve([response.headersSent, response.writableEnded, request.socket.destroyed])
  })
  const stop = new AbortController()
  const asked = fetch(server.url, { signal: stop.signal })
  expect(await left.promise).toEqual([false, false, false])
  stop.abort()
  expect(await failureFrom(asked)).toMatchObject({ name: 'AbortError' })
  await server.stop()
})

it('says in the provider’s own way how long to wait and that the credentials ended', async () => {
  const own: Partial<FaultShapes> = {
    pause: (seconds) => ({ 'x-ratelimit-retry-after': String(seconds) }),
    revoked: { status: 200, body: { ok: false, error: 'token_revoked' } },
  }
  await using limited = await wrong('429', own)
  const { headers } = await fetch(limited.url)
  expect([headers.get('retry-after'), headers.get('x-ratelimit-retry-after')]).toEqual([null, '7'])
  await using ended = await wrong('revoked', own)
  const response = await fetch(ended.url)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ ok: false, error: 'token_revoked' })
})
