import { createHash } from 'node:crypto'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { stopping } from '../../kit/testing.ts'
import { generateKeys, type OpenIdFault, type OpenIdOptions, type OpenIdSandbox, startOpenId } from './openid.ts'

const REDIRECT = 'http://127.0.0.1:9/callback'
const VERIFIER = 'a verifier that is long enough to be one, of 43 or more'

const keys = await generateKeys()
const open = async (options: OpenIdOptions = {}) => stopping(await startOpenId({ keys, ...options }))

function asked(provider: OpenIdSandbox, more: Record<string, string> = {}): URLSearchParams {
  return new URLSearchParams({
    client_id: provider.clientId,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'openid email profile',
    state: 'my-state',
    nonce: 'my-nonce',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  })
}

async function choose(provider: OpenIdSandbox, person: string, more: Record<string, string> = {}): Promise<URL> {
  const body = asked(provider, { ...more, person })
  const answer = await fetch(`${provider.url}/authorize`, { method: 'POST', body, redirect: 'manual' })
  return new URL(answer.headers.get('location') ?? 'about:blank')
}

async function exchange(provider: OpenIdSandbox, code: string | null, more: Record<string, string> = {}) {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: code ?? '',
    redirect_uri: REDIRECT,
    client_id: provider.clientId,
    client_secret: provider.clientSecret,
    code_verifier: VERIFIER,
    ...more,
  })
  const answer = await fetch(`${provider.url}/token`, { method: 'POST', body })
  return { status: answer.status, body: (await answer.json()) as Record<string, string> }
}

const signIn = async (provider: OpenIdSandbox, person = 0) =>
  exchange(provider, (await choose(provider, provider.people[person]?.sub ?? '')).searchParams.get('code'))

function verified(provider: OpenIdSandbox, token: string | undefined) {
  const keys = createRemoteJWKSet(new URL(`${provider.url}/jwks`))
  return jwtVerify(token ?? '', keys, { issuer: provider.url, audience: provider.clientId })
}

describe('the stand-in for an OpenID provider', () => {
  it('shows who one can sign in as, one of them without a verified e-mail address', async () => {
    await using provider = await open()
    const answer = await fetch(`${provider.url}/authorize?${String(asked(provider, { state: '"><script>' }))}`)
    const text = await answer.text()
    for (const { name } of provider.people) expect(text).toContain(name)
    expect(text).not.toContain('<script>')
    expect(provider.people.filter(({ emailVerified }) => !emailVerified)).toHaveLength(1)
  })

  it.each([
    ['client_id', 'other'],
    ['redirect_uri', 'nowhere'],
    ['response_type', 'token'],
    ['scope', 'email'],
    ['code_challenge_method', 'plain'],
  ])('refuses to show anything for %s=%s', async (name, value) => {
    await using provider = await open()
    expect((await fetch(`${provider.url}/authorize?${String(asked(provider, { [name]: value }))}`)).status).toBe(400)
  })

  it('gives a signed ID token with the nonce, and the same claims by userinfo', async () => {
    await using provider = await open()
    const location = await choose(provider, provider.people[1]?.sub ?? '')
    expect(location.searchParams.get('state')).toBe('my-state')
    const { status, body } = await exchange(provider, location.searchParams.get('code'))
    expect(status).toBe(200)
    const { payload } = await verified(provider, body.id_token)
    const person = { sub: '100000000000000000002', email: 'theo@tallybrook.example', email_verified: true }
    expect(payload).toMatchObject({ ...person, nonce: 'my-nonce' })
    const ask = (token?: string) => fetch(`${provider.url}/userinfo`, { headers: { authorization: `Bearer ${token}` } })
    expect(await (await ask(body.access_token)).json()).toMatchObject(person)
    expect((await ask('wrong')).status).toBe(401)
  })

  it('says so when the person does not want to', async () => {
    await using provider = await open()
    expect((await choose(provider, '')).searchParams.get('error')).toBe('access_denied')
  })

  it('takes a code once, and only with what it was made for', async () => {
    await using provider = await open()
    const code = async () => (await choose(provider, provider.people[0]?.sub ?? '')).searchParams.get('code')
    const used = await code()
    expect((await exchange(provider, used)).status).toBe(200)
    for (const [given, more, error] of [
      [used, {}, 'invalid_grant'],
      [await code(), { code_verifier: `${VERIFIER}x` }, 'invalid_grant'],
      [await code(), { redirect_uri: `${REDIRECT}/other` }, 'invalid_grant'],
      [await code(), { client_secret: 'wrong' }, 'invalid_client'],
      [await code(), { grant_type: 'password' }, 'unsupported_grant_type'],
    ] as const) {
      expect((await exchange(provider, given, more)).body.error).toBe(error)
    }
  })

  it.each<[OpenIdFault, string]>([
    ['bad-signature', 'signature verification failed'],
    ['wrong-audience', '"aud"'],
    ['wrong-issuer', '"iss"'],
    ['expired', '"exp"'],
  ])('goes wrong as asked, once: %s', async (fault, words) => {
    await using provider = await open()
    provider.fault(fault)
    await expect(verified(provider, (await signIn(provider)).body.id_token)).rejects.toThrow(words)
    await expect(verified(provider, (await signIn(provider)).body.id_token)).resolves.toBeDefined()
  })

  it('goes wrong in other ways', async () => {
    await using provider = await open()
    provider.fault('wrong-nonce')
    expect((await verified(provider, (await signIn(provider)).body.id_token)).payload.nonce).not.toBe('my-nonce')
    provider.fault('no-id-token')
    expect((await signIn(provider)).body).not.toHaveProperty('id_token')
    provider.fault('500')
    expect((await signIn(provider)).status).toBe(500)
    provider.fault('slow')
    expect((await signIn(provider)).status).toBe(200)
    expect(provider.requests()['/token']).toBe(4)
  })
})
