import type { Caller } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import type { VerifiedCaller } from './caller-cache.ts'
import { knownTokens } from './known-tokens.ts'
import { hashToken } from './opaque-token.ts'

/**
 * The caller of a request's bearer token, of our own server or of a hosted project: from the cache, or from `verify` and then
 * cached until the token expires, its session ends, its account changes, or `holds` says that it is no longer to be trusted. Null for a token that
 * is not accepted.
 */
export async function verifyBearer(
  services: Services,
  token: string,
  verify: () => Promise<VerifiedCaller | null>,
  holds?: () => Promise<boolean>,
): Promise<Caller | null> {
  const known = knownTokens(services)
  await known.ready()
  const key = hashToken(token).toString('base64url')
  const cached = known.callers.get(key, services.now().getTime())
  if (cached && (!holds || (await holds()))) return cached
  const keep = known.callers.reading()
  const verified = await verify()
  if (!verified) return null
  keep(key, verified)
  return verified.caller
}
