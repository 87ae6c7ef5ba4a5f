import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  authenticate,
  isLocal,
  needsFirstAdmin,
  setupToken,
  signInByPassword,
  signOutEverywhere,
} from '../../auth/index.ts'
import { queryAccounts } from '../../platform/db/testing.ts'
import { createHttp } from '../../platform/http/create.ts'
import { type TestApp, testApp } from '../../platform/http/testing.ts'
import { proves } from '../../platform/proves.ts'
import type { Services } from '../../platform/services.ts'
import { wholeLog } from '../audit/index.ts'
import { createAccount, grantAdmin, listAccounts, revokeAdmin } from './administer.ts'
import { accountRoutes } from './routes.ts'

const FAR = '203.0.113.9'
const password = 'correct horse'

const parts = (services: Services) => ({ handlers: accountRoutes(services), authenticate: authenticate(services) })

let test: TestApp

beforeAll(async () => {
  // With the product's own password hashes.
  test = await testApp(parts, { passwordCost: undefined })
})
afterAll(() => test.cleanup())

const signUp = (email: string, more: Record<string, unknown> = {}, from = FAR) =>
  test.call('POST', '/api/auth/signup', { payload: { email, password, name: 'Ann', ...more }, remoteAddress: from })

const logIn = (email: string, secret: string, from = FAR) =>
  test.call('POST', '/api/auth/login', { payload: { email, password: secret }, remoteAddress: from })

const me = (token: string) => test.call('GET', '/api/user/user-data', { as: token })

describe('the first admin', () => {
  it('needs to come from this machine or bring the set-up token, and there is one only', async () => {
    proves('6.3.2')
    expect(await listAccounts(test.services)).toEqual([])
    expect(await needsFirstAdmin(test.services)).toBe(true)
    const remote = await signUp('far@example.com')
    expect((await me(remote.json().token)).json().is_admin).toBe(false)
    const wrong = await signUp('wrong@example.com', { setup_token: 'wrong' })
    expect([wrong.statusCode, wrong.json().code]).toEqual([400, 'signup_refused'])
    const passedOn = await test.call('POST', '/api/auth/signup', {
      payload: { email: 'proxied@example.com', password, name: 'P' },
      headers: { 'x-forwarded-for': '198.51.100.1' },
    })
    expect((await me(passedOn.json().token)).json().is_admin).toBe(false)
    const [one, two] = await Promise.all([
      signUp('one@example.com', { setup_token: setupToken(test.services) }),
      signUp('two@example.com', {}, '127.0.0.1'),
    ])
    const admins = await Promise.all([one, two].map(async (answer) => (await me(answer.json().token)).json().is_admin))
    expect(admins.filter(Boolean)).toHaveLength(1)
    expect(await needsFirstAdmin(test.services)).toBe(false)
    const late = await signUp('late@example.com', { setup_token: setupToken(test.services) })
    expect((await me(late.json().token)).json().is_admin).toBe(false)
  })
})

it('can be followed by more sign-ups at once than the pool has connections', async () => {
  const fresh = await testApp(parts, { passwordCost: undefined })
  const payload = (number: number) => ({ email: `crowd${number}@example.com`, password, name: 'One of many' })
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, number) =>
      fresh.call('POST', '/api/auth/signup', { payload: payload(number), remoteAddress: '127.0.0.1' }),
    ),
  )
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 12 }, () => 200))
  await fresh.cleanup()
})

describe('a request from this machine', () => {
  it.each([
    ['localhost', '127.0.0.1', { host: 'localhost:3000' }, true],
    ['a loopback address', '127.0.0.1', { host: '127.0.0.1:3000' }, true],
    ['the IPv6 loopback address', '::1', { host: '[::1]:3000' }, true],
    ['PUBLIC_URL', '127.0.0.1', { host: 'feedback.example' }, true],
    ['our own page', '127.0.0.1', { host: 'localhost:3000', origin: 'http://localhost:3000' }, true],
    ['another address', '203.0.113.9', { host: 'localhost:3000' }, false],
    ['another name: a proxy, or DNS rebinding', '127.0.0.1', { host: 'rebound.evil.example:3000' }, false],
    ['a name that begins alike', '127.0.0.1', { host: 'localhost.evil.example' }, false],
    ['PUBLIC_URL at another port', '127.0.0.1', { host: 'feedback.example:8080' }, false],
    ['no name', '127.0.0.1', { host: undefined }, false],
    ['a page of another site', '127.0.0.1', { host: 'localhost:3000', origin: 'https://evil.example' }, false],
    ['a sandboxed page', '127.0.0.1', { host: 'localhost:3000', origin: 'null' }, false],
    ['a proxy: Forwarded', '127.0.0.1', { host: 'localhost:3000', forwarded: 'for=198.51.100.1' }, false],
    ['a proxy: Via', '127.0.0.1', { host: 'localhost:3000', via: '1.1 proxy' }, false],
    ['a proxy: X-Forwarded-Host', '127.0.0.1', { host: 'localhost:3000', 'x-forwarded-host': 'a.example' }, false],
    ['a proxy: CF-Connecting-IP', '127.0.0.1', { host: 'localhost:3000', 'cf-connecting-ip': '198.51.100.1' }, false],
  ] as const)('by %s', (_name, address, headers, is) => {
    for (const trustProxy of [false, true]) {
      const config = { ...test.services.config, publicUrl: 'https://feedback.example', trustProxy }
      expect(isLocal({ config }, { address, headers })).toBe(is)
    }
  })

  it('is determined at sign-up: a request through a proxy or a rebound name creates no admin', async () => {
    const own = await testApp(parts)
    try {
      const isAdmin = async (email: string, headers: Record<string, string>) => {
        const payload = { email, password, name: 'A' }
        const made = await own.call('POST', '/api/auth/signup', { payload, headers, remoteAddress: '127.0.0.1' })
        return (await own.call('GET', '/api/user/user-data', { as: made.json().token })).json().is_admin
      }
      expect(await isAdmin('rebound@example.com', { host: 'rebound.evil.example:3000' })).toBe(false)
      expect(await isAdmin('proxied@example.com', { host: 'localhost', 'x-forwarded-proto': 'https' })).toBe(false)
      expect(await isAdmin('local@example.com', { host: 'localhost:3000' })).toBe(true)
    } finally {
      await own.cleanup()
    }
  })
})

describe('once there was an admin', () => {
  it('there is no first admin again, whatever happens to the accounts', async () => {
    const own = await testApp(parts)
    try {
      const signUpHere = async (email: string, more: Record<string, unknown> = {}) => {
        const payload = { email, password, name: 'A', ...more }
        const made = await own.call('POST', '/api/auth/signup', { payload, remoteAddress: '127.0.0.1' })
        const token: string = made.json().token
        return { token, isAdmin: (await own.call('GET', '/api/user/user-data', { as: token })).json().is_admin }
      }
      const first = await signUpHere('first@example.com')
      expect(first.isAdmin).toBe(true)
      expect(await revokeAdmin(own.services, 'first@example.com')).toBe(true)
      expect((await signUpHere('second@example.com')).isAdmin).toBe(false)
      await queryAccounts(own.services.db, 'delete from account')
      expect(await needsFirstAdmin(own.services)).toBe(false)
      expect((await signUpHere('third@example.com', { setup_token: setupToken(own.services) })).isAdmin).toBe(false)
      for (const statement of ['delete from first_admin', 'insert into first_admin values (now())']) {
        await expect(queryAccounts(own.services.db, statement)).rejects.toThrow('permission denied')
      }
      expect(await grantAdmin(own.services, 'third@example.com')).toBe(true)
    } finally {
      await own.cleanup()
    }
  })
})

describe('sign-up and login', () => {
  it('make an account with the data that the spec names', async () => {
    const made = await signUp(' New@Example.com ', { name: ' New ' })
    expect(made.statusCode).toBe(200)
    expect(made.json()).toEqual({
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      is_new_user: true,
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      expires_at: expect.any(Number),
    })
    expect((await me(made.json().token)).json()).toEqual({
      account_id: expect.stringMatching(/^[\da-f-]{36}$/),
      name: 'New',
      email: 'new@example.com',
      is_admin: false,
      settings: { method: 'auto', min_inputs: 3, categories: [] },
      is_new_user: true,
      slack_data: null,
      azure_data: null,
      webhook_destination: null,
      destination_webhook: false,
      workspace: { id: expect.any(String), name: 'New', role: 'owner', has_others: false, time_zone: null },
    })
    const again = await logIn('NEW@example.com', password)
    expect(again.json()).toMatchObject({ token: expect.any(String), is_new_user: false })
    const later = (await me(again.json().token)).json()
    expect([later.name, later.is_new_user]).toEqual(['New', undefined])
  })

  it('refuse an e-mail address that is taken, also twice at once', async () => {
    proves('2.3.4')
    const both = await Promise.all([signUp('twice@example.com'), signUp('twice@example.com')])
    expect(both.map((answer) => answer.statusCode).sort((one, other) => one - other)).toEqual([200, 400])
    expect(both.find((answer) => answer.statusCode === 400)?.json().code).toBe('signup_refused')
  })

  it.each([
    ['seven77', false],
    ['eight888', true],
    ['ü'.repeat(7), false],
    ['💥'.repeat(7), false],
    ['ü'.repeat(8), true],
    ['ü'.repeat(36), true],
    ['ü'.repeat(37), false],
    ['💥'.repeat(18), true],
  ])('take passwords of 8 characters to 72 bytes: %s', async (secret, fine) => {
    proves('6.2.1')
    const email = `${Buffer.from(secret).toString('hex').slice(0, 20)}-${Buffer.byteLength(secret)}@example.com`
    const answer = await signUp(email, { password: secret })
    const fields = answer.json().fields ?? {}
    const after = await logIn(email, secret)
    expect([Object.keys(fields), after.statusCode]).toEqual(fine ? [[], 200] : [['password'], 400])
  })

  it('verify a password exactly as it was chosen', async () => {
    proves('6.2.8')
    const [email, chosen] = ['exactly@example.com', ' Ünusual Sentence ']
    expect((await signUp(email, { password: chosen })).statusCode).toBe(200)
    const others = [chosen.trim(), chosen.toLowerCase(), chosen.normalize('NFD'), chosen.replace('Ü', 'U')]
    for (const other of [...others, `${chosen} `, chosen.slice(0, -1), `${chosen}${'x'.repeat(60)}`]) {
      expect([other, (await logIn(email, other)).statusCode]).toEqual([other, 400])
    }
    expect((await logIn(email, chosen)).statusCode).toBe(200)
    const longest = 'x1 '.repeat(24)
    expect((await signUp('longest@example.com', { password: longest })).statusCode).toBe(200)
    expect((await logIn('longest@example.com', `${longest}y`)).statusCode).toBe(400)
    expect((await logIn('longest@example.com', longest.slice(0, -1))).statusCode).toBe(400)
    expect((await logIn('longest@example.com', longest)).statusCode).toBe(200)
  })

  it('say the same to a wrong password and an unknown e-mail address', async () => {
    await signUp('known@example.com')
    const answers = [await logIn('known@example.com', 'wrong password'), await logIn('unknown@example.com', password)]
    for (const answer of answers) {
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        { code: 'login_refused', message: 'Wrong email or password' },
      ])
    }
    expect((await logIn('known@example.com', `${password}${'x'.repeat(100)}`)).statusCode).toBe(400)
  })

  it('stop guessing, for the guesser only, until some time has passed', async () => {
    proves('6.3.1')
    await signUp('guessed@example.com')
    const from = '203.0.113.50'
    for (let guess = 0; guess < 10; guess += 1) await logIn('guessed@example.com', `guess ${guess}`, from)
    const blocked = await logIn('guessed@example.com', password, from)
    expect([blocked.statusCode, blocked.json().code]).toEqual([429, 'too_many_requests'])
    expect((await logIn('guessed@example.com', password, '203.0.113.51')).statusCode).toBe(200)
    test.time.passMs += 31 * 60_000
    expect((await logIn('guessed@example.com', password, from)).statusCode).toBe(200)
  })

  it('store neither password nor token', async () => {
    proves('11.4.2')
    const { token } = (await signUp('secret@example.com')).json()
    const { rows } = await queryAccounts(
      test.services.db,
      `select (select json_agg(account)::text from account) || (select json_agg(session)::text from session) as everything`,
    )
    expect(rows[0].everything).toContain('secret@example.com')
    expect(rows[0].everything).toContain('$argon2id$v=19$m=19456,t=2,p=1$')
    expect(rows[0].everything).not.toContain(password)
    expect(rows[0].everything).not.toContain(token)
  })
})

describe('sign-up by policy', () => {
  it.each([
    ['closed', 'Sign-up is closed here'],
    ['invite', 'Sign-up is by invitation here'],
  ] as const)('%s admits only the first admin', async (signup, words) => {
    const own = await testApp(parts, { signup })
    try {
      const send = (email: string, more = {}) =>
        own.call('POST', '/api/auth/signup', {
          payload: { email, password, name: 'A', ...more },
          remoteAddress: FAR,
        })
      const refused = await send('a@example.com')
      expect([refused.statusCode, refused.json().code]).toEqual([403, 'signup_closed'])
      expect(refused.json().message).toContain(words)
      expect((await send('a@example.com', { setup_token: setupToken(own.services) })).statusCode).toBe(200)
      expect((await send('b@example.com', { setup_token: setupToken(own.services) })).statusCode).toBe(403)
    } finally {
      await own.cleanup()
    }
  })
})

describe('a sign-in', () => {
  it.each([
    ['banned', {}, `update account set banned_until = now() + interval '1 day' where email = $1`],
    ['unconfirmed', { authAutoconfirm: false }, 'update account set email_confirmed_at = null where email = $1'],
  ])('that is refused although the password is right is in the audit log: %s', async (why, config, statement) => {
    const email = `${why}@example.com`
    const refusing = { ...test.services, config: { ...test.services.config, ...config } }
    const { accountId } = await createAccount(refusing, { email, name: 'R', password })
    await queryAccounts(test.services.db, statement, [email])
    const from = { address: '203.0.113.8', headers: {} }
    expect(await signInByPassword(refusing, { email, password }, from)).toBe(why)
    const entries = await Array.fromAsync(wholeLog(test.services))
    const mine = entries.filter(({ account_id, action }) => account_id === accountId && action === 'session.refused')
    expect(mine).toMatchObject([{ detail: { why }, address: '203.0.113.8' }])
  })

  it('costs no query once it is known, and ends at once by logout', async () => {
    const ann = await test.person('polling')
    const find = authenticate(test.services)
    expect(await find(ann.token)).toMatchObject({ accountId: ann.accountId, workspaceId: ann.workspaceId })
    const queries: string[] = []
    const { pool } = test.services.db
    const original = pool.connect.bind(pool)
    pool.connect = (() => {
      queries.push('connect')
      return original()
    }) as typeof pool.connect
    try {
      expect(await find(ann.token)).toMatchObject({ email: ann.email })
      expect(queries).toEqual([])
    } finally {
      pool.connect = original
    }
    expect((await test.call('POST', '/api/auth/logout', { as: ann })).json()).toEqual({ ok: true })
    expect((await me(ann.token)).statusCode).toBe(401)
  })

  it('that ends in one process ends in the others', async () => {
    const ann = await test.person('everywhere')
    const { services } = test
    const other = { ...services, db: { ...services.db } }
    const app = await createHttp(other, { handlers: accountRoutes(other), authenticate: authenticate(other) })
    const ask = () => app.inject({ url: '/api/user/user-data', headers: { authorization: `Bearer ${ann.token}` } })
    try {
      expect((await ask()).statusCode).toBe(200)
      await test.call('POST', '/api/auth/logout', { as: ann })
      await expect.poll(async () => (await ask()).statusCode).toBe(401)
    } finally {
      await app.close()
    }
  })

  it('is not made by a token of another kind', async () => {
    for (const token of ['', 'x', 'x'.repeat(5000), 'a b']) {
      const headers = { authorization: `Bearer ${token}` }
      expect((await test.call('GET', '/api/user/user-data', { headers })).statusCode).toBe(401)
    }
  })
})

describe('an operator', () => {
  it('makes admins and unmakes them, at once', async () => {
    const ann = await test.person('promoted')
    expect((await me(ann.token)).json().is_admin).toBe(false)
    expect(await grantAdmin(test.services, ' PROMOTED@example.com')).toBe(true)
    await expect.poll(async () => (await me(ann.token)).json().is_admin).toBe(true)
    expect((await listAccounts(test.services)).find((one) => one.email === ann.email)?.isAdmin).toBe(true)
    expect(await revokeAdmin(test.services, ann.email)).toBe(true)
    await expect.poll(async () => (await me(ann.token)).json().is_admin).toBe(false)
    expect(await grantAdmin(test.services, 'nobody@example.com')).toBe(false)
  })

  it('signs out one account, or everybody, everywhere', async () => {
    proves('7.4.5')
    const [ann, bo] = [await test.person('signed-out'), await test.person('stays-in')]
    expect(await signOutEverywhere(test.services, ann.email)).toBe(1)
    await expect.poll(async () => (await me(ann.token)).statusCode).toBe(401)
    expect((await me(bo.token)).statusCode).toBe(200)
    expect(await signOutEverywhere(test.services, 'nobody@example.com')).toBeNull()
    expect(await signOutEverywhere(test.services, null)).toBeGreaterThan(1)
    await expect.poll(async () => (await me(bo.token)).statusCode).toBe(401)
  })

  it('makes accounts, all or nothing', async () => {
    await expect(
      createAccount(test.services, { email: 'short@example.com', name: 'S', password: 'x' }),
    ).rejects.toThrow('at least 8')
    const before = await listAccounts(test.services)
    await expect(
      createAccount(test.services, { email: 'nul@example.com', name: 'a\0b', password: 'long enough' }),
    ).rejects.toThrow('0x00')
    expect(await listAccounts(test.services)).toEqual(before)
  })
})
