import { withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Authenticate, Caller } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { type PersonClaims, verifyAccessToken } from './access-token.ts'
import { knownTokens } from './known-tokens.ts'
import { findStanding } from './store.ts'
import { verifyBearer } from './verify-bearer.ts'

/**
 * Authenticates an access token. It makes no query unless the account changed after the token was issued. A session that ends
 * anywhere, or an account that changes, takes effect as soon as the database announces it.
 */
export function authenticate(services: Services): Authenticate {
  return (token) =>
    verifyBearer(services, token, async () => {
      const verified = await verifyAccessToken(services, token)
      if (verified.kind !== 'person') return null
      const caller = await callerOf(services, verified.claims)
      return caller && { caller, expiresAt: verified.claims.exp * 1_000 }
    })
}

/** The caller that claims describe, updated when the account has changed since; null when it may no longer call. */
export async function callerOf(services: Services, claims: PersonClaims): Promise<Caller | null> {
  const { sub, email, session_id, aal, iat, groundswell } = claims
  const caller: Caller = {
    accountId: sub,
    workspaceId: groundswell.workspace_id,
    isAdmin: groundswell.is_admin,
    name: groundswell.name,
    email,
    session: {
      id: session_id,
      aal,
      isFirst: groundswell.first,
      needsSecondFactor: aal === 'aal1' && groundswell.second_factor,
    },
  }
  if (!knownTokens(services).hasChanged(sub, iat * 1_000)) return caller
  const standing = await withoutWorkspace(services.db, (tx) => findStanding(tx, session_id, services.now()))
  if (!standing) return null
  const { hasSecondFactor, aal: aalNow, ...person } = standing
  const level = aal === 'aal2' && aalNow === 'aal2' ? 'aal2' : 'aal1'
  const needsSecondFactor = level === 'aal1' && hasSecondFactor
  return { ...caller, ...person, session: { ...caller.session, aal: level, needsSecondFactor } }
}
