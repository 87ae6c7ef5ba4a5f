import { type KeyObject, verify } from 'node:crypto'
import { ROLES } from '@groundswell/contract/values/role.ts'
import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, SignJWT } from 'jose'
import { z } from 'zod'
import type { Services } from '../../platform/services.ts'
import { authBase } from '../site-url.ts'
import { knownTokens } from './known-tokens.ts'
import { ACCESS_TOKEN_MS, CLOCK_JUMP_MS } from './lifetimes.ts'
import { SIGNING_ALGORITHM, type SigningKeys } from './signing-keys.ts'

/** One authentication method of a session. `timestamp` is in unix seconds. */
export type AuthMethod = {
  method: 'password' | 'oauth' | 'sso' | 'otp' | 'recovery' | 'totp' | 'recovery_code'
  timestamp: number
}

const Person = z.object({
  sub: z.uuid(),
  role: z.literal('authenticated'),
  email: z.string(),
  session_id: z.uuid(),
  aal: z.enum(['aal1', 'aal2']),
  iat: z.number(),
  exp: z.number(),
  groundswell: z.object({
    workspace_id: z.uuid(),
    /** In that workspace. */
    role: z.enum(ROLES).optional(),
    name: z.string(),
    is_admin: z.boolean(),
    /** The account has a second factor, so aal1 is not enough. */
    second_factor: z.boolean(),
    /** The session in which the account was created. */
    first: z.boolean(),
    /** The single sign-on of the workspace made the session, or is required there and did not. */
    sso: z.optional(z.enum(['made', 'required'])),
  }),
})

/** The claims of a person's access token. The names are those of Supabase Auth; `groundswell` is ours. */
export type PersonClaims = z.infer<typeof Person>

/** The content of a person's token, apart from its times. */
export type TokenContent = Omit<PersonClaims, 'iat' | 'exp' | 'role'> & {
  amr: readonly AuthMethod[]
  app_metadata: Record<string, unknown>
  user_metadata: Record<string, unknown>
}

/** The result of verification. `ended`: the token is valid, but its session is over. */
export type Verified =
  | { kind: 'person'; claims: PersonClaims }
  | { kind: 'service' }
  | { kind: 'bad' }
  | { kind: 'ended' }

const AUDIENCE = 'authenticated'
const BAD: Verified = { kind: 'bad' }

/** Signs the access token of a person. Returns it with its expiry in unix seconds. */
export async function signAccessToken(
  services: Services,
  content: TokenContent,
): Promise<{ token: string; expiresAt: number }> {
  const { amr, groundswell, ...claims } = content
  return sign(
    services,
    { ...claims, amr, role: 'authenticated', phone: '', is_anonymous: false, groundswell },
    ACCESS_TOKEN_MS,
  )
}

/** Signs a token for an operator's program to manage accounts with. It belongs to no person. */
export async function signServiceToken(services: Services, lifeMs: number): Promise<string> {
  await knownTokens(services).ready()
  return (await sign(services, { role: 'service_role' }, lifeMs)).token
}

/**
 * Verifies an access token without a query: its signature (ES256 by a key of ours, nothing else), its time, and whether its
 * session has ended. The issuer is not compared: keys belong to one installation, so the signature identifies it.
 */
export async function verifyAccessToken(services: Services, token: string): Promise<Verified> {
  const known = knownTokens(services)
  let keys = await known.ready()
  const kid = keyIdOf(token)
  if (kid === null) return BAD
  if (!keys.verifying.has(kid)) keys = await known.reloadKeys()
  const payload = verified(keys, kid, token, services.now())
  if (!payload) return BAD
  if (payload.role === 'service_role' || payload.role === 'supabase_admin') return { kind: 'service' }
  const claims = Person.safeParse(payload)
  if (!claims.success) return BAD
  if (known.hasEnded(claims.data.session_id)) return { kind: 'ended' }
  return { kind: 'person', claims: claims.data }
}

async function sign(
  services: Services,
  claims: JWTPayload,
  lifeMs: number,
): Promise<{ token: string; expiresAt: number }> {
  const { current } = await knownTokens(services).signingKeys()
  const issuedAt = Math.floor(services.now().getTime() / 1_000)
  const expiresAt = issuedAt + Math.floor(lifeMs / 1_000)
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid: current.id, typ: 'JWT' })
    .setIssuer(authBase(services))
    .setAudience(AUDIENCE)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(current.key)
  return { token, expiresAt }
}

/** Three parts, the last of 64 bytes: an ES256 signature. No other encoding of the same token is accepted. */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]{86}$/

function keyIdOf(token: string): string | null {
  if (!TOKEN.test(token)) return null
  try {
    const { alg, kid, typ, crit } = decodeProtectedHeader(token)
    const ours = alg === SIGNING_ALGORITHM && typ === 'JWT' && crit === undefined
    return ours && typeof kid === 'string' ? kid : null
  } catch {
    return null
  }
}

const Times = z.object({ aud: z.literal(AUDIENCE), exp: z.number(), iat: z.number() })

/**
 * The signature is verified synchronously by node:crypto, not through the Web Crypto API as in jose, at three fifths of the
 * cost (docs/decisions/0004-dependencies.md).
 */
function verified(keys: SigningKeys, kid: string, token: string, now: Date): JWTPayload | null {
  const key = keys.verifying.get(kid)
  if (!key || !isSigned(key, token)) return null
  try {
    const payload = decodeJwt(token)
    const times = Times.safeParse(payload)
    if (!times.success || times.data.iat * 1_000 > now.getTime() + CLOCK_JUMP_MS) return null
    return times.data.exp > Math.floor(now.getTime() / 1_000) ? payload : null
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

function isSigned(key: KeyObject, token: string): boolean {
  const end = token.lastIndexOf('.')
  const signature = Buffer.from(token.slice(end + 1), 'base64url')
  return verify('sha256', Buffer.from(token.slice(0, end)), { key, dsaEncoding: 'ieee-p1363' }, signature)
}
