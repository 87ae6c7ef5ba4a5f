import { withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Authenticate, Caller } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { type PersonClaims, verifyAccessToken } from './access-token.ts'
import { findStanding } from './store.ts'
import { verifyBearer } from './verify-bearer.ts'

/**
 * Authenticates an access token. It makes one query, the first time that a process sees the token: what the session may do, and where, is
 * what the database says and not the token. A session that ends anywhere, a role or an account that changes, takes effect as soon as the
 * database announces it.
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

/** The caller that claims describe, as the account and its role are now; null when it may no longer call. */
export async function callerOf(services: Services, claims: PersonClaims): Promise<Caller | null> {
  const { sub, aal, session_id: id, groundswell } = claims
  const standing = await withoutWorkspace(services.db, (tx) => findStanding(tx, id, services.now()))
  if (!standing) return null
  const { role, workspaceId, name, email, isAdmin, hasSecondFactor } = standing
  if (role === null) return null
  const level = aal === 'aal2' && standing.aal === 'aal2' ? 'aal2' : 'aal1'
  const session = {
    id,
    aal: level,
    isFirst: groundswell.first,
    needsSecondFactor: level === 'aal1' && hasSecondFactor,
  } as const
  return { accountId: sub, workspaceId, role, isAdmin, name, email, session }
}
