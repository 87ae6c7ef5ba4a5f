import { createHmac, randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { withCaches } from '../../platform/caches.ts'
import { withoutWorkspace } from '../../platform/db/tenant.ts'
import { queryAccounts } from '../../platform/db/testing.ts'
import { proves } from '../../platform/proves.ts'
import { duringTests } from '../../platform/testing.ts'
import { authServer } from '../testing.ts'
import { signAccessToken, type TokenContent, verifyAccessToken } from './access-token.ts'
import { authenticate } from './authenticate.ts'
import { knownTokens } from './known-tokens.ts'
import { loadSigningKeys } from './signing-keys.ts'
import { endSessions } from './store.ts'

let people = 0

const server = duringTests(() => authServer())

async function signedUp() {
  const email = `holder${++people}@example.com`
  const answer = await server.ask('POST', '/api/auth/signup', {
    body: { email, password: 'correct horse', name: 'Ann' },
  })
  const { token, refresh_token } = (await answer.json()) as { token: string; refresh_token: string }
  const [head = '', body = '', signature = ''] = token.split('.')
  const part = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>
  return { email, token, refresh_token, head: part(head), claims: part(body), signature, parts: [head, body] as const }
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const kindOf = async (token: string) => (await verifyAccessToken(server.services, token)).kind

/** Runs work and counts how often it requested a connection to the database. */
async function connections(work: () => Promise<unknown>): Promise<number> {
  const { pool } = server.services.db
  const original = pool.connect.bind(pool)
  let count = 0
  pool.connect = (() => {
    count += 1
    return original()
  }) as typeof pool.connect
  try {
    await work()
  } finally {
    pool.connect = original
  }
  return count
}

describe('an access token', () => {
  it('costs no query, not even on first use', async () => {
    const find = authenticate(server.services)
    await find((await signedUp()).token)
    const { token } = await signedUp()
    expect(await connections(() => find(token))).toBe(0)
    expect(await find(token)).toMatchObject({ name: 'Ann', session: { aal: 'aal1', isFirst: true } })
  })

  it('is signed within a transaction without a second connection, even when newer keys were announced meanwhile', async () => {
    const known = knownTokens(server.services)
    await known.ready()
    known.hear('keys')
    const content = { sub: randomUUID(), session_id: randomUUID(), aal: 'aal1', amr: [] } as unknown as TokenContent
    expect(await connections(() => signAccessToken(server.services, content))).toBe(0)
  })

  it('is accepted only as it was signed', async () => {
    proves('7.2.1', '9.1.1', '9.1.2', '9.1.3', '11.4.3')
    const { token, head, claims, signature, parts } = await signedUp()
    expect(await kindOf(token)).toBe('person')
    const other = await generateKeyPair('ES256')
    const { keys } = (await (await server.ask('GET', '/auth/v1/.well-known/jwks.json')).json()) as { keys: object[] }
    const secret = JSON.stringify(keys[0])
    const hs = `${encoded({ ...head, alg: 'HS256' })}.${parts[1]}`
    const forged = {
      'another key': await new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid: String(head.kid), typ: 'JWT' })
        .sign(other.privateKey),
      'its own key': await new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid: 'mine', typ: 'JWT', jwk: await exportJWK(other.publicKey) })
        .sign(other.privateKey),
      'no signature': `${encoded({ ...head, alg: 'none' })}.${parts[1]}.`,
      'the public key as a secret': `${hs}.${createHmac('sha256', secret).update(hs).digest('base64url')}`,
      'other claims': `${parts[0]}.${encoded({ ...claims, role: 'service_role' })}.${signature}`,
      'another header': `${encoded({ ...head, typ: 'at+jwt' })}.${parts[1]}.${signature}`,
      'another spelling of its signature': `${token}=`,
      'a longer signature': `${token}AA`,
      'no kid': `${encoded({ alg: 'ES256', typ: 'JWT' })}.${parts[1]}.${signature}`,
      'nothing of it': 'a.b.c',
      'no dots': 'x',
    }
    for (const [how, made] of Object.entries(forged)) expect([how, await kindOf(made)]).toEqual([how, 'bad'])
  })

  it('is accepted for its own purpose and time only, although our own key signed it', async () => {
    proves('9.2.1', '9.2.2', '9.2.3', '10.3.1')
    const { claims } = await signedUp()
    const { current } = await loadSigningKeys(server.services)
    const header = { alg: 'ES256', kid: current.id, typ: 'JWT' }
    const kindWith = async (wrong: object) =>
      kindOf(await new SignJWT({ ...claims, ...wrong }).setProtectedHeader(header).sign(current.key))
    expect(await kindWith({})).toBe('person')
    for (const wrong of [
      { aud: 'anon' },
      { aud: undefined },
      { exp: undefined },
      { exp: Math.floor(Date.now() / 1_000) - 1 },
      { role: 'anon' },
      { role: undefined },
      { sub: undefined },
      { session_id: undefined },
    ])
      expect([wrong, await kindWith(wrong)]).toEqual([wrong, 'bad'])
  })

  it('is another one at each sign-in, and ends after an hour', async () => {
    proves('7.2.2')
    const { token, email, claims } = await signedUp()
    const again = await server.ask('POST', '/api/auth/login', { body: { email, password: 'correct horse' } })
    const other = ((await again.json()) as { token: string }).token
    expect(other).not.toBe(token)
    const later = JSON.parse(Buffer.from(other.split('.')[1] ?? '', 'base64url').toString())
    expect(later.session_id).not.toBe(claims.session_id)
    expect(Number(claims.exp) - Number(claims.iat)).toBe(3_600)
    server.time.passMs = 3_000_000
    expect(await kindOf(token)).toBe('person')
    server.time.passMs = 3_601_000
    expect(await kindOf(token)).toBe('bad')
    server.time.passMs = 0
  })

  it('ends with its sign-in, wherever that was ended, and after a restart too', async () => {
    proves('7.4.1')
    const { token, claims } = await signedUp()
    const { services } = server
    const find = authenticate(services)
    expect(await find(token)).not.toBeNull()
    const elsewhere = { ...services, db: { ...services.db } }
    await withoutWorkspace(elsewhere.db.accounts, (tx) => endSessions(tx, String(claims.sub), services.now(), {}))
    await expect.poll(() => find(token)).toBeNull()
    const restarted = withCaches({ ...services })
    expect(await authenticate(restarted)(token)).toBeNull()
  })

  it('ends while the listener is down, because changes are polled then', async () => {
    const { token, claims } = await signedUp()
    const { services } = server
    const withoutListener = withCaches({
      ...services,
      db: { ...services.db, listen: () => Promise.reject(new Error('no listening')) },
    })
    const find = authenticate(withoutListener)
    expect(await find(token)).not.toBeNull()
    await withoutWorkspace(services.db.accounts, (tx) => endSessions(tx, String(claims.sub), services.now(), {}))
    await expect.poll(() => find(token)).toBeNull()
  })

  it('reflects the current state of its account', async () => {
    const { token, email } = await signedUp()
    const { db } = server.services
    const find = authenticate(server.services)
    expect(await find(token)).toMatchObject({ isAdmin: false, session: { needsSecondFactor: false } })
    await queryAccounts(db, `update account set is_admin = true where email = $1`, [email])
    await queryAccounts(
      db,
      `insert into factor (account_id, factor_type, status, created_at, updated_at)
        select id, 'totp', 'verified', now(), now() from account where email = $1`,
      [email],
    )
    const { rows } = await queryAccounts(db, `select id from account where email = $1`, [email])
    knownTokens(server.services).note('account', [rows[0].id], new Date())
    expect(await find(token)).toMatchObject({ isAdmin: true, session: { needsSecondFactor: true } })
    const refused = await server.ask('GET', '/api/user/user-data', { token })
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'mfa_required' }])
    expect((await server.ask('POST', '/api/auth/logout', { token, body: {} })).status).toBe(200)
  })
})
