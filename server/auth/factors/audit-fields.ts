import type { AccountTx } from '../../platform/db/tenant.ts'
import type { Caller, RequestFacts } from '../../platform/http/handle.ts'
import { isFresh } from '../sessions/freshness.ts'
import { findLiveSession } from '../sessions/store.ts'

/** The person who changes their own account, and the session of the request. */
export type Actor = Pick<Caller, 'accountId' | 'workspaceId' | 'email' | 'session'>

/** The origin of a request. */
export type RequestOrigin = Pick<RequestFacts, 'address' | 'headers'>

/** The fields of an audit entry that every action of a person on their own account has in common. */
export function auditFields(who: Actor, request: RequestOrigin) {
  return { actorId: who.accountId, accountId: who.accountId, workspaceId: who.workspaceId, request }
}

/** True when the session of the request is live and was authenticated within the last ten minutes. */
export async function isFreshSession(tx: AccountTx, who: Actor, at: Date): Promise<boolean> {
  const session = await findLiveSession(tx, who.session.id, at)
  return session !== null && isFresh(session, at)
}
