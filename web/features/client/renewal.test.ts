import { beforeEach, expect, test, vi } from 'vitest'
import { AUTH_SESSION_KEY, RENEWAL_MARGIN_MS, RENEWAL_RETRY_WINDOW_MS } from '../../ui/constants.ts'
import { freshToken } from './renewal.ts'
import { browserOfFile } from './testing.ts'
import { onSessionEnd, readAuthSession, readToken, removeToken, storeSignIn } from './token.ts'

let asked: unknown[] = []
let answer: { status: number; body: unknown }
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds
const jwt = (name: string) => `${btoa('{"alg":"ES256"}')}.${btoa(JSON.stringify({ sub: name }))}.c2ln`

const stored = browserOfFile((call, body) => {
  if (call.startsWith('POST /auth/v1/token')) asked.push(JSON.parse(body))
  return call === 'GET /api/public-config' ? { status: 404, body: {} } : answer
})

beforeEach(() => {
  stored.clear()
  asked = []
  answer = {
    status: 200,
    body: {
      access_token: jwt('new'),
      refresh_token: 'next-refresh-token',
      token_type: 'bearer',
      expires_in: 3600,
      expires_at: inSeconds(3600),
      user: { id: 'ann' },
    },
  }
})

test('a token without a session is another server’s: it is used as it is, without a request', async () => {
  storeSignIn({ token: 'opaque' })
  expect(readAuthSession()).toBeNull()
  expect(await freshToken()).toBe('opaque')
  expect(stored.has(AUTH_SESSION_KEY)).toBe(false)
  expect(asked).toEqual([])
})

test('an opaque token replaces an existing session', () => {
  storeSignIn({ token: jwt('old'), refresh_token: 'refresh-token', expires_at: inSeconds(600) })
  storeSignIn({ token: 'opaque' })
  expect([...stored]).toEqual([['token', 'opaque']])
})

test('a session of another token is ignored', () => {
  storeSignIn({ token: jwt('old'), refresh_token: 'refresh-token', expires_at: inSeconds(600) })
  stored.set('token', 'opaque')
  expect(readAuthSession()).toBeNull()
  stored.set(AUTH_SESSION_KEY, 'no JSON')
  expect(readAuthSession()).toBeNull()
})

test('a token is not renewed long before it expires', async () => {
  storeSignIn({
    token: jwt('old'),
    refresh_token: 'refresh-token',
    expires_at: inSeconds(RENEWAL_MARGIN_MS / 1000 + 60),
  })
  expect(await freshToken()).toBe(jwt('old'))
  expect(asked).toEqual([])
})

test('within the margin it is renewed, and the call does not wait for it', async () => {
  storeSignIn({
    token: jwt('old'),
    refresh_token: 'refresh-token',
    expires_at: inSeconds(RENEWAL_MARGIN_MS / 1000 - 5),
  })
  expect(await freshToken()).toBe(jwt('old'))
  await expect.poll(readToken).toBe(jwt('new'))
  expect(asked).toEqual([{ refresh_token: 'refresh-token' }])
  expect(readAuthSession()).toMatchObject({ access_token: jwt('new'), refresh_token: 'next-refresh-token' })
})

test('after it expired the call waits for the renewal, and many calls make one request', async () => {
  storeSignIn({ token: jwt('old'), refresh_token: 'second-refresh-token', expires_at: inSeconds(-60) })
  const tokens = await Promise.all([freshToken(), freshToken(), freshToken()])
  expect(tokens).toEqual([jwt('new'), jwt('new'), jwt('new')])
  expect(asked).toEqual([{ refresh_token: 'second-refresh-token' }])
})

test('a refused renewal ends the session and reports it', async () => {
  const ended = vi.fn<() => void>()
  onSessionEnd(ended)
  answer = { status: 400, body: { code: 'refresh_token_not_found', message: 'Gone' } }
  storeSignIn({ token: jwt('old'), refresh_token: 'third-refresh-token', expires_at: inSeconds(-60) })
  expect(await freshToken()).toBeNull()
  expect([...stored.keys()]).toEqual([])
  expect(ended).toHaveBeenCalled()
})

test('without a response the token is retained for a later attempt, as long as the retry window lasts', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  answer = { status: 503, body: {} }
  storeSignIn({ token: jwt('old'), refresh_token: 'fourth-refresh-token', expires_at: inSeconds(-60) })
  const started = Date.now()
  const outcome = freshToken().catch((error: unknown) => error)
  let settled = false
  void outcome.finally(() => {
    settled = true
  })
  while (!settled) {
    const before = asked.length
    await vi.waitFor(() => expect(settled || asked.length > before || vi.getTimerCount() > 0).toBe(true), {
      timeout: 300_000,
    })
    await vi.advanceTimersByTimeAsync(200)
  }
  const took = Date.now() - started
  vi.useRealTimers()
  expect(await outcome).toMatchObject({ status: 0 })
  expect(readToken()).toBe(jwt('old'))
  expect(asked.length).toBeGreaterThan(3)
  expect(took).toBeLessThanOrEqual(2 * RENEWAL_RETRY_WINDOW_MS)
})

test('signing out removes both', () => {
  storeSignIn({ token: jwt('old'), refresh_token: 'refresh-token', expires_at: inSeconds(600) })
  removeToken()
  expect([...stored.keys()]).toEqual([])
})
