import { withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Authenticate, Caller } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { ssoLink } from '../sso/link.ts'
import { type PersonClaims, verifyAccessToken } from './access-token.ts'
import { knownTokens } from './known-tokens.ts'
import { findStanding } from './store.ts'
import { verifyBearer } from './verify-bearer.ts'

/**
 * Authenticates an access token. It makes no query unless the account, or what it is in a workspace, changed after the token was issued. A
 * session that ends anywhere, a role or an account that changes, takes effect as soon as the database announces it.
 */
export function authenticate(services: Services): Authenticate {
  return (token) =>
    verifyBearer(services, token, async () => {
      const verified = await verifyAccessToken(services, token)
      if (verified.kind !== 'person') return null
      const caller = await callerOf(services, verified.claims)
      const { iat, exp } = verified.claims
      return caller && { caller, issuedAt: iat * 1_000, expiresAt: exp * 1_000 }
    })
}

/** The caller that claims describe, updated when the account has changed since; null when it may no longer call. */
export async function callerOf(services: Services, claims: PersonClaims): Promise<Caller | null> {
  const { sub: accountId, email, session_id: id, aal, iat, groundswell } = claims
  const { workspace_id: workspaceId, name, is_admin: isAdmin, second_factor: hasFactor, first: isFirst } = groundswell
  // A token of an earlier version names no role.
  const role = groundswell.role
  if (role !== undefined && !knownTokens(services).mayHaveChanged(accountId, iat * 1_000)) {
    const needsSecondFactor = aal === 'aal1' && hasFactor
    const session = { id, aal, isFirst, needsSecondFactor, ...ssoOf(services, groundswell.sso, workspaceId) }
    return { accountId, workspaceId, role, isAdmin: isAdmin && !session.bySso, name, email, session }
  }
  const standing = await withoutWorkspace(services.db.accounts, (tx) => findStanding(tx, id, services.now()))
  if (!standing) return null
  const { hasSecondFactor, aal: aalNow, role: roleNow, sso, ...now } = standing
  if (roleNow === null) return null
  const level = aal === 'aal2' && aalNow === 'aal2' ? 'aal2' : 'aal1'
  const needsSecondFactor = level === 'aal1' && hasSecondFactor
  const session = { id, aal: level, isFirst, needsSecondFactor, ...ssoOf(services, sso, now.workspaceId) } as const
  // An admin of the installation is more than a workspace can vouch for.
  return { accountId, ...now, role: roleNow, isAdmin: now.isAdmin && !session.bySso, session }
}

function ssoOf(
  services: Services,
  sso: 'made' | 'required' | null | undefined,
  workspaceId: string,
): Pick<Caller['session'], 'bySso' | 'ssoLink'> {
  if (sso === 'required') return { ssoLink: ssoLink(services, workspaceId) }
  return sso === 'made' ? { bySso: true } : {}
}
