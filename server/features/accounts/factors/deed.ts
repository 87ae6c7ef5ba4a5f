import type { Caller, RequestFacts } from '../../../platform/http/handle.ts'

/** The person at work on their own account, by the sign-in that asks. */
export type Who = Pick<Caller, 'accountId' | 'workspaceId' | 'email' | 'session'>

/** Where it comes from. */
export type From = Pick<RequestFacts, 'address' | 'headers'>

/** What the audit log has in common for everything that a person does to their own account. */
export function deedOf(who: Who, request: From) {
  return { actorId: who.accountId, accountId: who.accountId, workspaceId: who.workspaceId, request }
}
