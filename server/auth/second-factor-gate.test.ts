import { createHash } from 'node:crypto'
import { startOpenId } from '@groundswell/connectors/sandbox/index.ts'
import { generate } from 'otplib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mailServer } from '../platform/mail/testing.ts'
import { proves } from '../platform/proves.ts'
import { duringTests } from '../platform/testing.ts'
import { type AuthServer, authServer, clientVersions } from './testing.ts'

const password = 'a sentence nobody guesses'
const email = 'una@example.com'
const make = clientVersions[0][1]
const verifier = 'v'.repeat(50)
const challenge = `code_challenge=${createHash('sha256').update(verifier).digest('base64url')}&code_challenge_method=s256`

let server: AuthServer

const mail = duringTests(() => mailServer())
const provider = duringTests(() => startOpenId({ people: [{ sub: 'una', name: 'Una', email, emailVerified: true }] }))

beforeAll(async () => {
  const { url: issuer, clientId, clientSecret } = provider
  server = await authServer({ smtpUrl: mail.url, authAutoconfirm: true, google: { issuer, clientId, clientSecret } })
  server.services.config.publicUrl = server.url
  const client = server.client(make)
  await client.signUp({ email, password })
  const { data } = await client.mfa.enroll({ factorType: 'totp' })
  if (!data) throw new Error('nothing was enrolled')
  const code = await generate({ secret: data.totp.secret })
  const { error } = await client.mfa.challengeAndVerify({ factorId: data.id, code })
  if (error) throw error
})
afterAll(() => server.cleanup())

const fragmentOf = (location: string | null) => new URLSearchParams(new URL(location ?? '').hash.slice(1))
const byCode = async (auth_code: string) => {
  const body = { auth_code, code_verifier: verifier }
  const answer = await server.ask('POST', '/auth/v1/token?grant_type=pkce', { body })
  return ((await answer.json()) as { access_token?: string }).access_token
}

async function googleEnd(query: string): Promise<string | null> {
  const started = await server.ask('GET', `/auth/v1/authorize?provider=google&${query}`)
  const body = new URLSearchParams(new URL(started.headers.get('location') ?? '').search)
  body.set('person', 'una')
  const chosen = await fetch(`${provider.url}/authorize`, { method: 'POST', body, redirect: 'manual' })
  const cookie = started.headers.get('set-cookie')?.split(';')[0] ?? ''
  const ended = await fetch(chosen.headers.get('location') ?? '', { redirect: 'manual', headers: { cookie } })
  return ended.headers.get('location')
}

async function recoveryMail(query = '') {
  mail.mails.length = 0
  const [name, value] = query.split('&')[0]?.split('=') ?? []
  const parameters = name ? { [name]: value, code_challenge_method: 's256' } : {}
  expect((await server.ask('POST', '/auth/v1/recover', { body: { email, ...parameters } })).status).toBe(200)
  return mail.newest(email, 'Choose a new password')
}

async function followed(link: URL | null): Promise<string | null> {
  return (await server.ask('GET', `${link?.pathname}${link?.search}`)).headers.get('location')
}

const ways: Record<string, () => Promise<string | null | undefined>> = {
  'a password, by the call of the product': async () => {
    const answer = await server.ask('POST', '/api/auth/login', { body: { email, password } })
    return ((await answer.json()) as { token?: string }).token
  },
  'a password, by the protocol': async () =>
    (await server.client(make).signInWithPassword({ email, password })).data.session?.access_token,
  Google: async () => fragmentOf(await googleEnd('')).get('access_token'),
  'Google and a code to exchange': async () =>
    byCode(new URL((await googleEnd(challenge)) ?? '').searchParams.get('code') ?? ''),
  'the link of a mail': async () => fragmentOf(await followed((await recoveryMail()).link)).get('access_token'),
  'the link of a mail and a code to exchange': async () => {
    const end = await followed((await recoveryMail(challenge)).link)
    return byCode(new URL(end ?? '').searchParams.get('code') ?? '')
  },
  'the code of a mail': async () => {
    const token = (await recoveryMail()).code ?? ''
    return (await server.client(make).verifyOtp({ email, token, type: 'recovery' })).data.session?.access_token
  },
}

it.each(Object.entries(ways))('%s leads no further than the question for the second factor', async (_way, come) => {
  proves('6.3.4', '6.4.3', '2.3.1', '10.3.4')
  const token = (await come()) ?? ''
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  expect(claims).toMatchObject({ email, aal: 'aal1' })
  const me = await server.ask('GET', '/api/user/user-data', { token })
  expect([me.status, await me.json()]).toMatchObject([403, { code: 'mfa_required' }])
  for (const body of [{ password: 'another sentence of mine' }, { email: 'new@example.com' }]) {
    const change = await server.ask('PUT', '/auth/v1/user', { token, body })
    expect([change.status, change.headers.get('x-sb-error-code')]).toEqual([401, 'insufficient_aal'])
  }
})
