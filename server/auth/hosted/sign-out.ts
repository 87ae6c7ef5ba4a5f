import { withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Caller, RequestFacts } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { recordAudit } from '../record-audit.ts'
import { knownTokens } from '../sessions/known-tokens.ts'
import { announceEndedSessions } from '../sessions/notice-store.ts'
import { claimsOf } from './claims-of.ts'
import { callProject } from './project.ts'

/** Ends the caller's session here, and at the hosted project if it can be reached. */
export async function signOutOfProject(services: Services, caller: Caller, request: RequestFacts): Promise<void> {
  const { token, claims } = await claimsOf(services, request)
  const { accountId, workspaceId, session } = caller
  const at = services.now()
  // Stored until the token would have expired: the hosted project cannot revoke it.
  const until = new Date(claims.exp * 1_000)
  await withoutWorkspace(services.db.accounts, async (tx) => {
    await announceEndedSessions(tx, [session.id], until)
    await recordAudit(tx, { action: 'session.ended', at, actorId: accountId, accountId, workspaceId, request })
  })
  knownTokens(services).note('session', [session.id], until)
  // The session is over here in any case; `askProject` logs a failure.
  await callProject(services, '/logout?scope=local', { method: 'POST', token }).catch(() => undefined)
}
