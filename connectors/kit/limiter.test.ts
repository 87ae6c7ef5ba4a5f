import { expect, it } from 'vitest'
import type { Http, HttpResponse } from '../connector.ts'
import { RateLimited } from './errors.ts'
import { limited } from './limiter.ts'
import { failureFrom } from './testing.ts'

const answer = (status: number, headers: Record<string, string> = {}): HttpResponse => ({
  status,
  headers,
  body: '',
  truncated: false,
  durationMs: 1,
})

/** A client whose responses the test supplies, in order, and a clock that it sets. */
function limitedClient(answers: (HttpResponse | Error)[]) {
  const state = { now: 0, sent: [] as string[], underWay: 0, most: 0 }
  const http: Http = {
    async request({ url }) {
      state.sent.push(url)
      state.underWay += 1
      state.most = Math.max(state.most, state.underWay)
      await new Promise((done) => setImmediate(done))
      state.underWay -= 1
      const next = answers.shift() ?? answer(200)
      if (next instanceof Error) throw next
      return next
    },
  }
  return { state, http: limited(http, () => state.now) }
}

const get = (http: Http, url: string) => http.request({ method: 'GET', url })

it('sends one request of a connection at a time, in order', async () => {
  const { state, http } = limitedClient([])
  await Promise.all(['a', 'b', 'c', 'd'].map((path) => get(http, `https://x.example/${path}`)))
  expect(state.most).toBe(1)
  expect(state.sent.map((url) => url.at(-1))).toEqual(['a', 'b', 'c', 'd'])
})

it('sends nothing to an address that asked for a pause until it is over, and reports how long that is', async () => {
  const { state, http } = limitedClient([answer(429, { 'retry-after': '20' })])
  expect((await get(http, 'https://x.example/history?cursor=1')).status).toBe(429)
  state.now = 5_000
  const refused = await failureFrom(get(http, 'https://x.example/history?cursor=2'))
  expect(refused).toBeInstanceOf(RateLimited)
  expect((refused as RateLimited).retryAfter).toBe(15)
  expect((await get(http, 'https://x.example/users')).status).toBe(200)
  state.now = 20_000
  expect((await get(http, 'https://x.example/history?cursor=2')).status).toBe(200)
  expect(state.sent).toHaveLength(3)
})

it('pauses for 30 seconds where the provider does not specify how long', async () => {
  const { state, http } = limitedClient([answer(429)])
  await get(http, 'https://x.example/a')
  state.now = 29_000
  expect(await failureFrom(get(http, 'https://x.example/a'))).toBeInstanceOf(RateLimited)
  state.now = 30_000
  expect((await get(http, 'https://x.example/a')).status).toBe(200)
})

it('continues after a failed request, and sends none that was aborted', async () => {
  const { state, http } = limitedClient([new Error('reset')])
  await expect(get(http, 'https://x.example/a')).rejects.toThrow('reset')
  const given = http.request({ method: 'GET', url: 'https://x.example/b', signal: AbortSignal.abort() })
  await expect(given).rejects.toThrow('aborted')
  expect((await get(http, 'https://x.example/c')).status).toBe(200)
  expect(state.sent.map((url) => url.at(-1))).toEqual(['a', 'c'])
})
