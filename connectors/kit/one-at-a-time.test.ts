import { expect, it } from 'vitest'
import type { Http, HttpResponse } from '../connector.ts'
import { oneAtATime } from './one-at-a-time.ts'

const answer = (status: number, headers: Record<string, string> = {}): HttpResponse => ({
  status,
  headers,
  body: '',
  truncated: false,
  durationMs: 1,
})

/** A client whose responses the test supplies, in order. */
function queuedClient(answers: (HttpResponse | Error)[]) {
  const state = { sent: [] as string[], underWay: 0, most: 0 }
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
  return { state, http: oneAtATime(http) }
}

const get = (http: Http, url: string) => http.request({ method: 'GET', url })

it('sends one request of a connection at a time, in order', async () => {
  const { state, http } = queuedClient([])
  await Promise.all(['a', 'b', 'c', 'd'].map((path) => get(http, `https://x.example/${path}`)))
  expect(state.most).toBe(1)
  expect(state.sent.map((url) => url.at(-1))).toEqual(['a', 'b', 'c', 'd'])
})

it('continues after a failed request, and sends none that was aborted', async () => {
  const { state, http } = queuedClient([new Error('reset')])
  await expect(get(http, 'https://x.example/a')).rejects.toThrow('reset')
  const given = http.request({ method: 'GET', url: 'https://x.example/b', signal: AbortSignal.abort() })
  await expect(given).rejects.toThrow('aborted')
  expect((await get(http, 'https://x.example/c')).status).toBe(200)
  expect(state.sent.map((url) => url.at(-1))).toEqual(['a', 'c'])
})
