import { beforeEach, describe, expect, it } from 'vitest'
import { proves } from '../../platform/proves.ts'
import { duringTests } from '../../platform/testing.ts'
import { authServer } from '../testing.ts'

const PASSWORD = 'correct horse'
const FAR = '203.0.113.7'

let people = 0

const server = duringTests(() => authServer({ authRateLimits: { signup: 100_000 } }))
beforeEach(() => {
  // No window of a limit ends during a test, which would leave room for one more attempt.
  server.time.stoppedAt ??= Date.now()
  server.time.passMs += 60 * 60_000
})

async function signedUp() {
  const email = `tried${++people}@example.com`
  const payload = { email, password: PASSWORD, name: 'Ann' }
  const answer = await server.call('POST', '/api/auth/signup', { payload, remoteAddress: `198.18.0.${people}` })
  return { email, token: String(answer.json().token), home: `198.18.0.${people}` }
}

const logIn = (email: string, password: string, remoteAddress = FAR) =>
  server.call('POST', '/api/auth/login', { payload: { email, password }, remoteAddress })

const change = (token: string, payload: Record<string, unknown>, remoteAddress: string) =>
  server.call('PUT', '/auth/v1/user', { as: token, payload, remoteAddress })

const count = (codes: readonly unknown[], code: string) => codes.filter((one) => one === code).length

describe('a password', () => {
  it('is checked ten times at most in a burst of 300 attempts, whatever addresses they come from', async () => {
    proves('6.3.1')
    const { email } = await signedUp()
    const answers = await Promise.all(Array.from({ length: 300 }, (_, guess) => logIn(email, `guess ${guess}`)))
    const codes = answers.map((answer) => answer.json().code)
    expect([count(codes, 'login_refused'), count(codes, 'too_many_requests')]).toEqual([10, 290])
    expect((await logIn(email, PASSWORD)).statusCode).toBe(429)
  })

  it('is checked ten times at most in a burst from all over a /64, and eighty times from a /48', async () => {
    const { email } = await signedUp()
    const checks = async (addressOf: (number: number) => string) => {
      const codes = []
      for (let batch = 0; batch < 6; batch += 1) {
        const numbers = Array.from({ length: 20 }, (_, number) => batch * 20 + number + 1)
        const answers = await Promise.all(numbers.map((number) => logIn(email, 'wrong', addressOf(number))))
        codes.push(...answers.map((answer) => answer.json().code))
      }
      return count(codes, 'login_refused')
    }
    expect(await checks((number) => `2001:db8:1:2::${number.toString(16)}`)).toBe(10)
    expect(await checks((number) => `2001:db8:2:${number.toString(16)}::1`)).toBe(80)
  })

  it('that is right costs no attempt, however often', async () => {
    const { email } = await signedUp()
    for (let time = 0; time < 12; time += 1) expect((await logIn(email, PASSWORD)).statusCode).toBe(200)
    const answers = await Promise.all(Array.from({ length: 10 }, () => logIn(email, PASSWORD)))
    expect(answers.map((answer) => answer.statusCode)).toEqual(Array.from({ length: 10 }, () => 200))
  })

  it('that was attempted a hundred times from everywhere still works from an address the owner has used', async () => {
    const { email, home } = await signedUp()
    for (let guess = 0; guess < 100; guess += 20) {
      const attempts = Array.from({ length: 20 }, (_, number) => logIn(email, 'wrong', `192.0.2.${guess + number}`))
      await Promise.all(attempts)
    }
    expect((await logIn(email, PASSWORD, '192.0.2.250')).statusCode).toBe(429)
    expect((await logIn(email, PASSWORD, home)).statusCode).toBe(200)
  })

  it('cannot be guessed by a session as the current password: those attempts count against the same ten', async () => {
    const { email, token, home } = await signedUp()
    const payload = (guess: number) => ({ password: 'another password', current_password: `guess ${guess}` })
    const answers = await Promise.all(Array.from({ length: 100 }, (_, guess) => change(token, payload(guess), home)))
    const codes = answers.map((answer) => answer.json().error_code)
    expect([count(codes, 'invalid_credentials'), count(codes, 'over_request_rate_limit')]).toEqual([10, 90])
    expect((await logIn(email, PASSWORD, home)).statusCode).toBe(429)
    const last = await server.call('POST', '/api/account/delete', {
      as: token,
      payload: { password: PASSWORD },
      remoteAddress: home,
    })
    expect(last.statusCode).toBe(429)
  })

  it.each([
    ['an address that is taken', async () => ({ email: (await signedUp()).email }), 'email_exists'],
    ['data that is too much', async () => ({ data: { more: 'x'.repeat(3_000) } }), 'validation_failed'],
  ])(
    'cannot be guessed as a new one together with %s: submitting the current one counts as an attempt',
    async (_words, more, code) => {
      const { token, home } = await signedUp()
      await change(token, { data: { kept: 'x'.repeat(3_000) } }, home)
      const beside = await more()
      const answers = []
      for (let guess = 0; guess < 20; guess += 1) {
        answers.push(
          (await change(token, { ...beside, password: `another password ${guess}` }, home)).json().error_code,
        )
      }
      const refusedFirst = code === 'email_exists' ? 20 : 10
      expect([count(answers, code), count(answers, 'over_request_rate_limit')]).toEqual([
        refusedFirst,
        20 - refusedFirst,
      ])
      const right = await change(token, { ...beside, password: PASSWORD }, home)
      expect(right.json().error_code).not.toBe('same_password')
    },
  )

  it('that is changed costs no attempt', async () => {
    const { token, home } = await signedUp()
    for (let time = 0; time < 12; time += 1) {
      expect((await change(token, { password: `another password ${time}` }, home)).statusCode).toBe(200)
    }
  })
})
