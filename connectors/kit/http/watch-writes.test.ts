import { expect, test } from 'vitest'
import type { Http, HttpRequest } from '../../connector.ts'
import { Unavailable } from '../errors.ts'
import { watchWrites } from './watch-writes.ts'

type Outcome = number | Unavailable

async function after(...outcomes: [Pick<HttpRequest, 'method' | 'body'>, Outcome][]): Promise<boolean> {
  const left = outcomes.map(([, outcome]) => outcome)
  const http: Http = {
    async request() {
      const outcome = left.shift() ?? 200
      if (typeof outcome !== 'number') throw outcome
      return { status: outcome, headers: {}, body: '', truncated: false, durationMs: 1 }
    },
  }
  const watched = watchWrites(http)
  for (const [request] of outcomes) {
    await watched.http.request({ url: 'https://example.com', ...request }).catch(() => undefined)
  }
  return watched.nothingWritten()
}

const write = { method: 'POST', body: '{"title":"x"}' } as const
const query = { method: 'POST', body: '{"query":"query Who { viewer { id } }"}' } as const
const mutation = { method: 'POST', body: '{"query":"mutation { issueCreate { success } }"}' } as const

test.each([400, 401, 403, 404, 409, 429])('a write that was refused with %i wrote nothing', async (status) => {
  expect(await after([write, status])).toBe(true)
  expect(await after([mutation, status])).toBe(true)
})

test.each([200, 201, 203, 302, 307, 408, 500, 502, 504])(
  'a write that was answered with %i may have',
  async (status) => {
    expect(await after([write, status])).toBe(false)
    expect(await after([mutation, status])).toBe(false)
  },
)

test('a write without an answer may have been done, unless nothing of it left this machine', async () => {
  expect(await after([write, new Unavailable('cut')])).toBe(false)
  expect(await after([write, new Unavailable('refused', { unsent: true })])).toBe(true)
})

test('reads write nothing, and each write counts', async () => {
  expect(await after([{ method: 'GET' }, 200], [query, 200])).toBe(true)
  expect(await after([write, 201], [write, 401])).toBe(false)
  expect(await after([write, 401], [{ method: 'GET' }, 500])).toBe(true)
})
