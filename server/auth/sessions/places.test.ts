import { beforeEach, expect, it } from 'vitest'
import { mailServer } from '../../platform/mail/testing.ts'
import { duringTests } from '../../platform/testing.ts'
import { authServer } from '../testing.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const NEWER = FIREFOX.replaceAll('145.0', '146.0')
const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Safari/605.1.15'
const HOME = '203.0.113.9'
const SUBJECT = 'Your sign-in was used from a new place'

let people = 0

const post = duringTests(() => mailServer())
const server = duringTests(() => authServer({ smtpUrl: post.url }))
const strict = duringTests(() => authServer({ authStrictRefresh: true }))
beforeEach(() => {
  server.time.passMs = 0
  strict.time.passMs = 0
  strict.time.stoppedAt = undefined
})

async function signedUp(on = server, from = HOME) {
  const payload = { email: `moved${++people}@example.com`, password: 'correct horse', name: 'Ann' }
  const place = { headers: { 'user-agent': FIREFOX }, remoteAddress: from }
  const { token, refresh_token } = (await on.call('POST', '/api/auth/signup', { payload, ...place })).json()
  return { email: payload.email, token: String(token), refresh: String(refresh_token) }
}

async function renew(refresh_token: string, agent = FIREFOX, remoteAddress = HOME, on = server) {
  const answer = await on.call('POST', '/auth/v1/token?grant_type=refresh_token', {
    payload: { refresh_token },
    headers: { 'user-agent': agent },
    remoteAddress,
  })
  return { code: answer.json().error_code as string | undefined, next: String(answer.json().refresh_token) }
}

async function listed(token: string) {
  const { sessions } = (await server.call('GET', '/api/account/sessions', { as: token })).json()
  return sessions.map(({ new_address_at, new_device_at }: Record<string, string | null>) => [
    new_address_at !== null,
    new_device_at !== null,
  ])
}

const mailsTo = (email: string) => post.mails.filter(({ to, subject }) => to === email && subject === SUBJECT)

it('shows a session that is used from a new address or device, and notifies its owner by mail', async () => {
  const { email, token, refresh } = await signedUp()
  const here = await renew(refresh, NEWER)
  expect(await listed(token)).toEqual([[false, false]])
  const moved = await renew(here.next, NEWER, '198.51.100.20')
  expect(await listed(token)).toEqual([[true, false]])
  await expect.poll(() => mailsTo(email).length).toBe(1)
  expect(mailsTo(email)[0]?.text).toContain('with Firefox on Linux, from 198.51.100.20')
  await renew(moved.next, SAFARI, '198.51.100.20')
  expect(await listed(token)).toEqual([[true, true]])
  await expect.poll(() => mailsTo(email).length).toBe(2)
  expect(mailsTo(email)[1]?.text).toContain('with Safari on macOS')
})

it('shows it too for the token before the newest one, which is taken for as long as it is that', async () => {
  const { email, token, refresh } = await signedUp()
  await renew(refresh)
  server.time.passMs = 3_600_000
  expect((await renew(refresh, SAFARI, '198.51.100.30')).code).toBeUndefined()
  const fresh = await server.call('POST', '/api/auth/login', { payload: { email, password: 'correct horse' } })
  expect(await listed(String(fresh.json().token) || token)).toContainEqual([true, true])
  await expect.poll(() => mailsTo(email).length).toBe(1)
})

it('reports new addresses at most once a day, and none that the account has used', async () => {
  const { email, refresh } = await signedUp()
  const work = { payload: { email, password: 'correct horse' }, remoteAddress: '192.0.2.1' }
  await server.call('POST', '/api/auth/login', work)
  let { next } = await renew(refresh, FIREFOX, '192.0.2.1')
  for (const address of [HOME, '192.0.2.1', HOME]) next = (await renew(next, FIREFOX, address)).next
  for (let number = 1; number <= 5; number += 1) next = (await renew(next, FIREFOX, `198.18.7.${number}`)).next
  server.time.passMs = 25 * 3_600_000
  next = (await renew(next, FIREFOX, '198.18.8.1')).next
  for (let number = 1; number <= 5; number += 1) next = (await renew(next, FIREFOX, `2001:db8:5:6::${number}`)).next
  await renew(next, SAFARI, HOME)
  const addresses = () => mailsTo(email).map(({ text }) => /, from (\S+)/.exec(text)?.[1])
  await expect.poll(() => new Set(addresses())).toEqual(new Set(['198.18.7.1', '198.18.8.1', HOME]))
  expect(addresses()).toHaveLength(3)
})

it('where that is set, ends the sign-in by any token that was used more than ten seconds ago', async () => {
  const usual = await signedUp()
  await renew(usual.refresh)
  server.time.passMs = 11_000
  expect((await renew(usual.refresh)).code).toBeUndefined()
  strict.time.stoppedAt = Date.now()
  const { refresh } = await signedUp(strict)
  const second = await renew(refresh, FIREFOX, HOME, strict)
  strict.time.passMs = 9_000
  expect(await renew(refresh, FIREFOX, HOME, strict)).toEqual(second)
  strict.time.passMs = 11_000
  expect((await renew(refresh, FIREFOX, HOME, strict)).code).toBe('refresh_token_already_used')
  expect((await renew(second.next, FIREFOX, HOME, strict)).code).toBe('refresh_token_already_used')
})
