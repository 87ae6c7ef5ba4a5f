import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ArrivedMail, type MailServer, mailServer } from '../../platform/mail/testing.ts'
import { proves } from '../../platform/proves.ts'
import { type AuthServer, authServer, clientVersions } from '../testing.ts'

const password = 'correct horse'
const app = 'https://app.example.com/callback'

let post: MailServer
let strict: AuthServer
let lenient: AuthServer
let people = 0

beforeAll(async () => {
  post = await mailServer()
  const config = {
    smtpUrl: post.url,
    mailFrom: 'Groundswell <us@example.com>',
    authRedirectUrls: ['https://app.example.com/**'],
  }
  strict = await authServer({ ...config, authAutoconfirm: false })
  lenient = await authServer(config)
})
afterAll(async () => {
  await strict.cleanup()
  await lenient.cleanup()
  await post.stop()
})
beforeEach(() => {
  strict.time.passMs = 0
})

const newEmail = () => `mailed${++people}@example.com`

/** Follows the link of a mail as a browser does, at the address that the test's server really has. */
async function follow(server: AuthServer, mail: ArrivedMail): Promise<URL> {
  const link = mail.link ?? new URL('none:')
  const answer = await server.ask('GET', `${link.pathname}${link.search}`)
  expect(answer.status).toBe(303)
  return new URL(answer.headers.get('location') ?? '')
}

const fragmentOf = (url: URL) => Object.fromEntries(new URLSearchParams(url.hash.slice(1)))

describe.each(clientVersions)('the official client %s and mail', (_version, make) => {
  const registered = async (server: AuthServer = strict) => {
    const client = server.client(make)
    const email = newEmail()
    const { data, error } = await client.signUp({ email, password, options: { emailRedirectTo: app } })
    expect(error).toBeNull()
    return { client, email, data }
  }
  const confirmed = async () => {
    const { client, email } = await registered()
    const { token } = { token: (await post.newest(email)).code ?? '' }
    const { error } = await client.verifyOtp({ email, token, type: 'signup' })
    expect(error).toBeNull()
    return { client, email }
  }

  it('confirms an e-mail address by the link, before which nobody signs in', async () => {
    proves('6.5.1')
    const { client, email, data } = await registered()
    expect(data.session).toBeNull()
    expect(data.user).toMatchObject({ email, confirmation_sent_at: expect.any(String) })
    expect(data.user?.email_confirmed_at).toBeUndefined()
    expect((await client.signInWithPassword({ email, password })).error).toMatchObject({ code: 'email_not_confirmed' })
    const mail = await post.newest(email)
    expect([mail.from, mail.subject]).toEqual(['us@example.com', 'Confirm your e-mail address'])
    const end = await follow(strict, mail)
    expect(end.href.startsWith(`${app}#`)).toBe(true)
    expect(fragmentOf(end)).toMatchObject({ token_type: 'bearer', type: 'signup', sb: '', expires_in: '3600' })
    const { access_token, refresh_token } = fragmentOf(end) as { access_token: string; refresh_token: string }
    const { data: session } = await client.setSession({ access_token, refresh_token })
    expect(session.user?.email_confirmed_at).toBeDefined()
    const again = await follow(strict, mail)
    expect(fragmentOf(again)).toMatchObject({ error: 'access_denied', error_code: 'otp_expired', sb: '' })
    expect(again.searchParams.get('error_code')).toBe('otp_expired')
    expect((await strict.client(make).signInWithPassword({ email, password })).error).toBeNull()
  })

  it('confirms by the code that is typed, and ends it after five wrong ones', async () => {
    proves('6.5.4', '6.6.3')
    const { client, email } = await registered()
    const { code } = await post.newest(email)
    expect(code).toMatch(/^\d{6}$/)
    const wrong = code === '000000' ? '000001' : '000000'
    for (let time = 0; time < 4; time += 1) {
      const { error } = await client.verifyOtp({ email, token: wrong, type: 'signup' })
      expect(error).toMatchObject({ code: 'otp_expired', status: 403 })
    }
    const { data, error } = await client.verifyOtp({ email, token: code ?? '', type: 'email' })
    expect([error, data.user?.email]).toEqual([null, email])
    const other = await registered()
    const { code: second } = await post.newest(other.email)
    const missed = second === '000000' ? '000001' : '000000'
    for (let time = 0; time < 5; time += 1)
      await other.client.verifyOtp({ email: other.email, token: missed, type: 'signup' })
    const late = await other.client.verifyOtp({ email: other.email, token: second ?? '', type: 'signup' })
    expect(late.error).toMatchObject({ code: 'otp_expired' })
  })

  it('does not reveal that an address is taken', async () => {
    const { client, email } = await confirmed()
    const again = await strict.client(make).signUp({ email, password: 'another password' })
    expect(again.error).toBeNull()
    expect(again.data.user).toMatchObject({ email, identities: [] })
    expect(again.data.session).toBeNull()
    expect((await client.signInWithPassword({ email, password })).error).toBeNull()
    expect((await client.resetPasswordForEmail('nobody@example.com')).error).toBeNull()
    expect((await client.resend({ type: 'signup', email: 'nobody@example.com' })).error).toBeNull()
  })

  it('sends the confirmation again, and either mail confirms until one did', async () => {
    const { client, email } = await registered()
    const first = await post.newest(email)
    expect((await client.resend({ type: 'signup', email })).error).toBeNull()
    await expect.poll(() => post.mails.filter((mail) => mail.to === email).length).toBe(2)
    const [, second] = post.mails.filter((mail) => mail.to === email)
    expect(fragmentOf(await follow(strict, first))).toHaveProperty('access_token')
    for (const mail of [first, second ?? first]) {
      expect(fragmentOf(await follow(strict, mail))).toMatchObject({ error_code: 'otp_expired' })
    }
  })

  it('leaves a recovery link valid when another person requests more, until one is used', async () => {
    const { client, email } = await confirmed()
    const subject = 'Choose a new password'
    const requested = async (count: number) => {
      expect((await strict.client(make).resetPasswordForEmail(email)).error).toBeNull()
      const recoveries = () => post.mails.filter((mail) => mail.to === email && mail.subject === subject)
      await expect.poll(() => recoveries().length).toBe(count)
      return recoveries()
    }
    await client.resetPasswordForEmail(email)
    const own = await post.newest(email, subject)
    let mails: ArrivedMail[] = []
    for (let count = 2; count <= 6; count += 1) mails = await requested(count)
    expect(fragmentOf(await follow(strict, own))).toMatchObject({ type: 'recovery' })
    for (const mail of mails)
      expect(fragmentOf(await follow(strict, mail))).toMatchObject({ error_code: 'otp_expired' })
  })

  it('chooses a new password by a link that is good once, for ten minutes', async () => {
    proves('6.4.1')
    const { client, email } = await confirmed()
    expect((await client.resetPasswordForEmail(email, { redirectTo: app })).error).toBeNull()
    const mail = await post.newest(email, 'Choose a new password')
    const end = fragmentOf(await follow(strict, mail)) as { access_token: string; refresh_token: string; type: string }
    expect(end.type).toBe('recovery')
    expect(fragmentOf(await follow(strict, mail))).toMatchObject({ error_code: 'otp_expired' })
    const fresh = strict.client(make)
    await fresh.setSession(end)
    expect((await fresh.updateUser({ password: 'a new password' })).error).toBeNull()
    expect((await strict.client(make).signInWithPassword({ email, password: 'a new password' })).error).toBeNull()
    expect(await post.newest(email, 'Your password was changed')).toMatchObject({ link: null, code: null })
    await client.resetPasswordForEmail(email, { redirectTo: app })
    const newer = await expect
      .poll(() => post.mails.filter(({ to, subject }) => to === email && subject === mail.subject))
      .toHaveLength(2)
      .then(() => post.newest(email, mail.subject))
    strict.time.passMs = 10 * 60_000 + 1
    expect(fragmentOf(await follow(strict, newer))).toMatchObject({ error_code: 'otp_expired' })
  })

  it('accepts a link by its token, and returns with a code where the client requested one', async () => {
    proves('10.4.6')
    const { email } = await confirmed()
    const client = strict.client(make, { flowType: 'pkce' })
    await client.resetPasswordForEmail(email, { redirectTo: app })
    const mail = await post.newest(email, 'Choose a new password')
    expect(mail.link?.searchParams.get('token')).toMatch(/^pkce_/)
    const end = await follow(strict, mail)
    expect(end.hash).toBe('')
    const code = end.searchParams.get('code') ?? ''
    const attacker = await strict.ask('POST', '/auth/v1/token?grant_type=pkce', {
      body: { auth_code: code, code_verifier: 'x'.repeat(56) },
      headers: { 'x-supabase-api-version': '2024-01-01' },
    })
    expect([attacker.status, await attacker.json()]).toMatchObject([400, { code: 'bad_code_verifier' }])
    const { data, error } = await client.exchangeCodeForSession(code)
    expect([error, data.session?.user.email]).toEqual([null, email])
    const body = { auth_code: code, code_verifier: 'x'.repeat(56) }
    const used = await strict.ask('POST', '/auth/v1/token?grant_type=pkce', { body })
    expect([used.status, used.headers.get('x-sb-error-code')]).toEqual([404, 'flow_state_not_found'])
    await strict.client(make).resetPasswordForEmail(email)
    const plain = await expect
      .poll(() => post.mails.filter(({ to, subject }) => to === email && subject === mail.subject))
      .toHaveLength(2)
      .then(() => post.newest(email, mail.subject))
    const token_hash = plain.link?.searchParams.get('token') ?? ''
    const byToken = await strict.client(make).verifyOtp({ token_hash, type: 'recovery' })
    expect([byToken.error, byToken.data.user?.email]).toEqual([null, email])
  })

  it('changes the e-mail address when the new mailbox confirms it, and notifies the old one', async () => {
    const { client, email } = await confirmed()
    const next = newEmail()
    const changed = await client.updateUser({ email: next }, { emailRedirectTo: app })
    expect(changed.data.user).toMatchObject({ email, new_email: next, email_change_sent_at: expect.any(String) })
    expect(await post.newest(email, 'A change of your e-mail address was requested')).toMatchObject({ link: null })
    const end = await follow(strict, await post.newest(next, 'Confirm your new e-mail address'))
    expect(fragmentOf(end)).toMatchObject({ type: 'email_change' })
    const { data } = await client.getUser()
    expect(data.user).toMatchObject({ email: next })
    expect(data.user?.new_email).toBeUndefined()
    expect((await strict.client(make).signInWithPassword({ email, password })).error?.code).toBe('invalid_credentials')
    expect((await strict.client(make).signInWithPassword({ email: next, password })).error).toBeNull()
  })

  it('reauthenticates with a mailed code', async () => {
    const { client, email } = await confirmed()
    strict.time.passMs = 11 * 60_000
    expect((await client.updateUser({ password: 'a new password' })).error?.code).toBe('reauthentication_needed')
    expect((await client.reauthenticate()).error).toBeNull()
    const { code } = await post.newest(email, 'Your code')
    const { error } = await client.updateUser({ password: 'a new password', nonce: code ?? '' })
    expect(error).toBeNull()
  })

  it('is signed in at once where confirming can wait, and confirms later', async () => {
    const { client, email, data } = await registered(lenient)
    expect(data.session?.user.email_confirmed_at).toBeUndefined()
    await follow(lenient, await post.newest(email))
    expect((await client.getUser()).data.user?.email_confirmed_at).toBeDefined()
  })
})

describe('mail', () => {
  it('is retried when the mail server refuses it at first', async () => {
    post.refuse.next = 1
    const email = newEmail()
    await lenient.client(clientVersions[0][1]).signUp({ email, password })
    expect((await post.newest(email)).subject).toBe('Confirm your e-mail address')
    expect(post.refuse.next).toBe(0)
  })

  it('is limited to one a minute for a mailbox, whether or not it has an account', async () => {
    const server = await authServer({ smtpUrl: post.url, authRateLimits: {} })
    // Not at the end of a minute.
    server.time.stoppedAt = Date.now()
    try {
      const client = server.client(clientVersions[0][1])
      const known = newEmail()
      await client.signUp({ email: known, password })
      for (const email of [known, newEmail()]) {
        expect((await client.resetPasswordForEmail(email)).error).toBeNull()
        expect((await client.resetPasswordForEmail(email)).error).toMatchObject({
          code: 'over_email_send_rate_limit',
          status: 429,
        })
      }
      server.time.passMs = 2 * 60_000
      expect((await client.resetPasswordForEmail(known)).error).toBeNull()
    } finally {
      await server.cleanup()
    }
  })

  it('is not sent to where the allow-list does not say', async () => {
    const email = newEmail()
    const client = strict.client(clientVersions[0][1])
    await client.signUp({ email, password, options: { emailRedirectTo: 'https://evil.example/' } })
    const end = await follow(strict, await post.newest(email))
    expect(end.host).toBe(`localhost:${strict.services.config.port}`)
  })
})
