import { ContractError } from '@groundswell/contract/errors.ts'
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose'
import { z } from 'zod'
import type { Services } from '../../platform/services.ts'
import { type Keys, keySet } from './key-set.ts'
import { hostedProject } from './project.ts'

const ALGORITHMS = ['ES256', 'RS256']
const AUDIENCE = 'authenticated'
/** The tolerated difference between the hosted project's clock and ours. */
const CLOCK_TOLERANCE_SECONDS = 10
/** A token from further ahead is not explained by two clocks: it was made to be used later. */
const MAX_AHEAD_SECONDS = 60

const SHARED_SECRET =
  'The hosted project signs its tokens with a shared secret (HS256), which this server cannot verify. ' +
  'Turn on its asymmetric signing keys (ES256 or RS256)'

const Claims = z.object({
  sub: z.guid(),
  role: z.literal('authenticated'),
  session_id: z.guid(),
  aal: z.enum(['aal1', 'aal2']).default('aal1'),
  amr: z.array(z.object({ timestamp: z.number() })).catch([]),
  iat: z.number(),
  exp: z.number(),
  email: z.string().max(320).default(''),
  is_anonymous: z.literal(false).optional(),
  user_metadata: z.record(z.string(), z.unknown()).catch({}),
})

/** The claims of a hosted project's access token. Times are in unix seconds. */
export type HostedClaims = z.infer<typeof Claims>

/**
 * Verifies an access token of the hosted project: signature by its key set, algorithm, issuer, audience, time. Null for an
 * invalid one, and for one issued more than a minute ahead; when its key is the reason, throws `unauthorized` (401) with the cause. Throws `not_ready` (503) when the keys
 * cannot be fetched, since the token may be valid.
 */
export async function verifyHostedToken(services: Services, token: string): Promise<HostedClaims | null> {
  const header = headerOf(token)
  if (!header) return null
  const set = keySet(services)
  if (!ALGORITHMS.includes(header.alg)) {
    const isShared = header.alg.startsWith('HS') && (await set.current()).published.length === 0
    if (isShared) throw new ContractError('not_ready', SHARED_SECRET)
    return null
  }
  let keys = await set.current()
  if (!hasKey(keys, header)) keys = await set.newer()
  if (keys.published.length === 0) throw new ContractError('not_ready', 'JWKS is empty')
  if (!hasKey(keys, header)) throw new ContractError('unauthorized', 'No matching signing key found in JWKS')
  const payload = await verified(services, keys, header.alg, token)
  const claims = Claims.safeParse(payload)
  if (!claims.success || claims.data.iat > services.now().getTime() / 1_000 + MAX_AHEAD_SECONDS) return null
  return claims.data
}

/** Whether the key that a token names is still published, as far as is known; while the project cannot be reached, the last known keys count. */
export async function isKeyPublished(services: Services, token: string): Promise<boolean> {
  const header = headerOf(token)
  return header !== null && hasKey(await keySet(services).current(), header)
}

type Header = { alg: string; kid: string | undefined }

function headerOf(token: string): Header | null {
  try {
    const { alg, kid } = decodeProtectedHeader(token)
    return typeof alg === 'string' ? { alg, kid } : null
  } catch {
    return null
  }
}

function hasKey(keys: Keys, { kid }: Header): boolean {
  return kid !== undefined && keys.published.some((key) => key.kid === kid)
}

async function verified(services: Services, keys: Keys, alg: string, token: string): Promise<JWTPayload | null> {
  try {
    const { payload } = await jwtVerify(token, keys.find, {
      algorithms: [alg],
      issuer: hostedProject(services).issuer,
      audience: AUDIENCE,
      currentDate: services.now(),
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['exp', 'iat', 'sub'],
    })
    return payload
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed) {
      throw new ContractError('unauthorized', 'Invalid JWT signature')
    }
    // The key's type does not match the token's algorithm: the confusion that would let a public key serve as a shared secret.
    if (error instanceof errors.JWKSNoMatchingKey) {
      throw new ContractError('unauthorized', 'No matching signing key found in JWKS')
    }
    if (error instanceof errors.JOSEError || error instanceof TypeError) return null
    throw error
  }
}
