import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AUTH_SESSION_KEY } from '../../ui/constants.ts'
import type { authClient } from './auth-client.ts'
import { browserOfFile } from './testing.ts'

/** The hosted client's default behaviour, with this app's settings, against a real HTTP server. */

type Asked = { call: string; body: unknown }
type Answer = { status: number; body: unknown }
type Client = Awaited<ReturnType<typeof authClient>>

let asked: Asked[] = []
let answerTo: (call: string) => Answer
let client: Client | undefined
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwt = (claims: object) => `${part({ alg: 'ES256', kid: 'one' })}.${part(claims)}.${part('no signature')}`
const sessionOf = (name: string, seconds: number) => ({
  access_token: jwt({ sub: name, exp: Math.floor(Date.now() / 1000) + seconds }),
  refresh_token: `refresh-token-of-${name}`,
  token_type: 'bearer',
  expires_in: seconds,
  expires_at: Math.floor(Date.now() / 1000) + seconds,
  user: { id: 'ann', factors: [] },
})
const calls = () => asked.map(({ call }) => call)
const RENEW = 'POST /auth/v1/token?grant_type=refresh_token'

const stored = browserOfFile((call, body) => {
  if (!call.split(' ')[1]?.startsWith('/auth/v1/')) return { status: 404, body: {} }
  asked.push({ call, body: body === '' ? undefined : JSON.parse(body) })
  return answerTo(call)
})

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
  vi.setSystemTime(new Date('2026-11-23T10:00:00Z'))
  stored.clear()
  asked = []
  answerTo = () => ({ status: 200, body: sessionOf('next', 3600) })
})
afterEach(async () => {
  await client?.stopAutoRefresh()
  client = undefined
  vi.useRealTimers()
})

/** A separate client, with a session that has this many seconds left. */
async function clientWith(seconds: number): Promise<Client> {
  await client?.stopAutoRefresh()
  stored.set(AUTH_SESSION_KEY, JSON.stringify(sessionOf('first', seconds)))
  vi.resetModules()
  const fresh = await import('./auth-client.ts')
  client = await fresh.authClient()
  return client
}

/** Advances through the client's pauses until the call is over. */
async function settled(call: Promise<unknown>): Promise<void> {
  let over = false
  const end = () => {
    over = true
  }
  call.then(end, end)
  while (!over) {
    await vi.advanceTimersByTimeAsync(100)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

test('a session is renewed once less than 90 s of it are left, and not before', async () => {
  await (await clientWith(90)).getSession()
  expect(calls()).toEqual([])
  const { data } = await (await clientWith(89)).getSession()
  expect(asked).toEqual([{ call: RENEW, body: { refresh_token: 'refresh-token-of-first' } }])
  expect(data.session?.refresh_token).toBe('refresh-token-of-next')
})

test.each([
  [29_700, 2],
  [29_900, 1],
])(
  'a renewal that gets no answer for %i ms is tried %i times: a retry is sent within 30 s or not at all',
  async (late, times) => {
    const started = Date.now()
    const sent: number[] = []
    const auth = await clientWith(60)
    answerTo = () => {
      sent.push(Date.now() - started)
      // The first response is this late; the pause before the first retry is 200 ms.
      if (sent.length === 1) vi.setSystemTime(started + late)
      return { status: 503, body: {} }
    }
    const outcome = auth.refreshSession({ refresh_token: 'refresh-token-of-first' })
    await settled(outcome)
    expect((await outcome).error?.name).toBe('AuthRetryableFetchError')
    expect(sent).toHaveLength(times)
    expect(Math.max(...sent)).toBeLessThan(30_000)
  },
)

test('the client looks every 30 s whether to renew, without being asked, and signals SIGNED_OUT when its session is removed', async () => {
  const auth = await clientWith(200)
  const events: string[] = []
  auth.onAuthStateChange((event) => void events.push(event))
  await auth.getSession()
  await vi.advanceTimersByTimeAsync(89_999)
  expect(calls()).toEqual([])
  // Of the ticks at 30, 60 and 90 s the last is the first with at most three of them left.
  await vi.advanceTimersByTimeAsync(1)
  await expect.poll(calls).toEqual([RENEW])
  await expect.poll(() => events).toContain('TOKEN_REFRESHED')
  expect(stored.get('token')).toBe(sessionOf('next', 3600).access_token)
  expect(events).not.toContain('SIGNED_OUT')
  await auth.signOut()
  expect(events.at(-1)).toBe('SIGNED_OUT')
  expect([...stored.keys()]).toEqual([])
})

test('the client has the calls of a second factor: enroll, challenge, verify and unenroll', async () => {
  const auth = await clientWith(3600)
  const answers: Record<string, unknown> = {
    'POST /auth/v1/factors': { id: 'f1', type: 'totp', totp: { qr_code: '<svg/>', secret: 's', uri: 'otpauth://x' } },
    'POST /auth/v1/factors/f1/challenge': { id: 'c1', type: 'totp', expires_at: 1 },
    'POST /auth/v1/factors/f1/verify': sessionOf('verified', 3600),
    'DELETE /auth/v1/factors/f1': { id: 'f1' },
  }
  answerTo = (call) => ({ status: 200, body: answers[call] })
  expect((await auth.mfa.enroll({ factorType: 'totp' })).data).toMatchObject({ id: 'f1' })
  expect((await auth.mfa.challenge({ factorId: 'f1' })).data).toMatchObject({ id: 'c1' })
  const verified = await auth.mfa.verify({ factorId: 'f1', challengeId: 'c1', code: '123456' })
  expect(verified.data).toMatchObject({ refresh_token: 'refresh-token-of-verified' })
  expect((await auth.mfa.unenroll({ factorId: 'f1' })).data).toEqual({ id: 'f1' })
  expect(asked).toEqual([
    { call: 'POST /auth/v1/factors', body: { factor_type: 'totp' } },
    { call: 'POST /auth/v1/factors/f1/challenge', body: { factorId: 'f1' } },
    { call: 'POST /auth/v1/factors/f1/verify', body: { challenge_id: 'c1', code: '123456' } },
    { call: 'DELETE /auth/v1/factors/f1', body: undefined },
  ])
})

test('the client retrieves the key set and raises Invalid JWT signature for a token that the key did not sign', async () => {
  const auth = await clientWith(3600)
  const { publicKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])
  const key = { ...(await crypto.subtle.exportKey('jwk', publicKey)), kid: 'one', alg: 'ES256' }
  answerTo = () => ({ status: 200, body: { keys: [key] } })
  const { error } = await auth.getClaims()
  expect(calls()).toEqual(['GET /auth/v1/.well-known/jwks.json'])
  expect(error?.message).toBe('Invalid JWT signature')
})
