import type { Tx } from '../../platform/db/tenant.ts'
import type { Caller, RequestFacts } from '../../platform/http/handle.ts'
import { isFresh } from '../sessions/freshness.ts'
import { findLiveSession } from '../sessions/store.ts'

/** The person at work on their own account, by the sign-in that asks. */
export type Actor = Pick<Caller, 'accountId' | 'workspaceId' | 'email' | 'session'>

/** Where it comes from. */
export type RequestOrigin = Pick<RequestFacts, 'address' | 'headers'>

/** What the audit log has in common for everything that a person does to their own account. */
export function auditFields(who: Actor, request: RequestOrigin) {
  return { actorId: who.accountId, accountId: who.accountId, workspaceId: who.workspaceId, request }
}

/** True when the sign-in that asks is live and was proved within the last ten minutes. */
export async function isFreshSession(tx: Tx, who: Actor, at: Date): Promise<boolean> {
  const session = await findLiveSession(tx, who.session.id, at)
  return session !== null && isFresh(session, at)
}
