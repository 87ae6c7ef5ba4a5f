import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accountRoutes } from '../../features/accounts/index.ts'
import { queryAccounts } from '../../platform/db/testing.ts'
import { type TestApp, testApp } from '../../platform/http/testing.ts'
import { mailServer } from '../../platform/mail/testing.ts'
import { duringTests } from '../../platform/testing.ts'
import { authenticate, authMounts, setupToken } from '../index.ts'
import { authServer } from '../testing.ts'

/** The hosted project is a second server of our own, which speaks the same protocol. */
let test: TestApp

const PASSWORD = 'long enough to pass'
const REMOTE = '198.18.7.7'

const mail = duringTests(() => mailServer())
const project = duringTests(() => authServer({ smtpUrl: mail.url }))

beforeAll(async () => {
  project.services.config.publicUrl = project.url
  const { url } = project
  test = await testApp(
    (services) => ({
      handlers: accountRoutes(services),
      mounts: authMounts(services),
      authenticate: authenticate(services),
    }),
    { hostedAuth: { url, key: 'public', issuer: `${url}/auth/v1` } },
  )
})
afterAll(() => test.cleanup())
beforeEach(() => {
  for (const { time } of [project, test]) time.stoppedAt = undefined
  Object.assign(project.services.config, { signup: 'open', authAutoconfirm: undefined })
  Object.assign(test.services.config, { signup: 'open' })
})

let people = 0
function newcomer() {
  people += 1
  return { email: `person${people}@example.com`, password: PASSWORD, name: `Person ${people}` }
}

async function send(path: string, payload: Record<string, unknown>, remoteAddress = REMOTE) {
  const answer = await test.call('POST', path, { payload, remoteAddress })
  return { status: answer.statusCode, ...answer.json() }
}
const signUp = (payload: Record<string, unknown>, from?: string) => send('/api/auth/signup', payload, from)
const logIn = (payload: Record<string, unknown>, from?: string) => send('/api/auth/login', payload, from)
const me = async (as: string) => (await test.call('GET', '/api/user/user-data', { as })).json()

describe('the forms, where a hosted project signs people in', () => {
  it('sign up and log in there, and answer its tokens as our own server does', async () => {
    const ann = newcomer()
    const made = await signUp(ann)
    expect(made).toMatchObject({
      status: 200,
      is_new_user: true,
      token: expect.stringMatching(/^ey/),
      refresh_token: expect.any(String),
      expires_at: expect.any(Number),
    })
    expect(await me(made.token)).toMatchObject({ name: ann.name, email: ann.email, is_new_user: true })
    const { email, password } = ann
    const again = await logIn({ email, password })
    expect(again).toMatchObject({ status: 200, is_new_user: false })
    expect(await me(again.token)).toMatchObject({ email })
    const { rows } = await queryAccounts(project.services.db, 'select name from account where email = $1', [email])
    expect(rows).toEqual([{ name: ann.name }])
    const here = await queryAccounts(test.services.db, 'select password_hash from account where email = $1', [email])
    expect(here.rows).toEqual([{ password_hash: null }])
  })

  it('mark a person as new on first sign-in here, however they joined the project', async () => {
    const { email, password } = newcomer()
    await project.ask('POST', '/auth/v1/signup', { body: { email, password } })
    expect(await logIn({ email, password })).toMatchObject({ status: 200, is_new_user: true })
    expect(await logIn({ email, password })).toMatchObject({ status: 200, is_new_user: false })
  })

  it('refuse by the names of the contract, and never with 401', async () => {
    const ann = newcomer()
    await signUp(ann)
    expect(await logIn({ email: ann.email, password: 'wrong' })).toMatchObject({ status: 400, code: 'login_refused' })
    Object.assign(project.services.config, { authAutoconfirm: true })
    expect(await signUp(ann)).toMatchObject({ status: 400, code: 'signup_refused' })
    expect(await signUp({ ...newcomer(), password: 'password' })).toMatchObject({
      status: 400,
      code: 'invalid_input',
      fields: { password: expect.any(String) },
    })
    Object.assign(project.services.config, { signup: 'closed' })
    expect(await signUp(newcomer())).toMatchObject({ status: 403, code: 'signup_closed' })
  })

  it('sign nobody in before the address is confirmed, where the project requires that', async () => {
    Object.assign(project.services.config, { authAutoconfirm: false })
    const ann = newcomer()
    const { email, password } = ann
    expect(await signUp(ann)).toMatchObject({ status: 400, code: 'email_unconfirmed' })
    expect(await logIn({ email, password })).toMatchObject({ status: 400, code: 'email_unconfirmed' })
    const { code: token } = await mail.newest(email, 'Confirm your e-mail address')
    const verified = await project.ask('POST', '/auth/v1/verify', { body: { type: 'signup', email, token } })
    expect(verified.status).toBe(200)
    expect(await logIn({ email, password })).toMatchObject({ status: 200, is_new_user: true })
  })

  it('create no user at the project whom SIGNUP refuses here', async () => {
    Object.assign(test.services.config, { signup: 'closed' })
    const ann = newcomer()
    expect(await signUp(ann)).toMatchObject({ status: 403, code: 'signup_closed' })
    const { rows } = await queryAccounts(project.services.db, 'select 1 from account where email = $1', [ann.email])
    expect(rows).toEqual([])
  })

  it('make the first admin by the set-up token, and no second one', async () => {
    const first = await signUp({ ...newcomer(), setup_token: setupToken(test.services) })
    expect(await me(first.token)).toMatchObject({ is_admin: true })
    const wrong = await signUp({ ...newcomer(), setup_token: setupToken(test.services) })
    expect(await me(wrong.token)).toMatchObject({ is_admin: false })
  })

  it('count tries here, where the client’s address is known', async () => {
    // Not at the end of the time that they are counted for.
    for (const { time } of [project, test]) time.stoppedAt = Date.now()
    const ann = newcomer()
    await signUp(ann)
    const { email } = ann
    for (let i = 0; i < 10; i += 1) await logIn({ email, password: 'wrong' })
    expect(await logIn({ email, password: PASSWORD })).toMatchObject({ status: 429, code: 'too_many_requests' })
    expect(await logIn({ email, password: PASSWORD }, '198.18.7.8')).toMatchObject({ status: 200 })
  })

  it('say that the second factor is missing', async () => {
    const ann = newcomer()
    const { email, password } = ann
    await signUp(ann)
    await queryAccounts(
      project.services.db,
      `insert into factor (account_id, factor_type, status, created_at, updated_at)
       select id, 'totp', 'verified', now(), now() from account where email = $1`,
      [email],
    )
    const held = await logIn({ email, password })
    expect(held).toMatchObject({ status: 200, mfa_required: true })
    expect(await me(held.token)).toMatchObject({ code: 'mfa_required' })
  })

  it('return 503 for a project whose tokens are invalid or that is unreachable', async () => {
    const { hostedAuth } = test.services.config
    if (!hostedAuth) throw new Error('there is no project')
    const { email, password, ...rest } = newcomer()
    await signUp({ email, password, ...rest })
    try {
      test.services.config.hostedAuth = { ...hostedAuth, issuer: 'https://elsewhere.example/auth/v1' }
      expect(await logIn({ email, password })).toMatchObject({ status: 503, code: 'not_ready' })
      test.services.config.hostedAuth = { ...hostedAuth, url: 'http://127.0.0.1:1' }
      expect(await logIn({ email, password })).toMatchObject({ status: 503, code: 'not_ready' })
      expect(await signUp(newcomer())).toMatchObject({ status: 503, code: 'not_ready' })
    } finally {
      test.services.config.hostedAuth = hostedAuth
    }
    expect(await logIn({ email, password })).toMatchObject({ status: 200 })
  })

  it('store no password, and return none', async () => {
    const ann = newcomer()
    const answer = await test.call('POST', '/api/auth/signup', { payload: ann, remoteAddress: REMOTE })
    expect(answer.body).not.toContain(ann.password)
    const { rows } = await queryAccounts(
      test.services.db,
      'select coalesce(jsonb_agg(detail), $1) as all from audit_event',
      ['[]'],
    )
    expect(JSON.stringify(rows)).not.toContain(ann.password)
  })
})
