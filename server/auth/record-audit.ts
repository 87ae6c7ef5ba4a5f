import { recordIn } from '../features/audit/index.ts'
import type { AccountTx } from '../platform/db/tenant.ts'
import type { RequestFacts } from '../platform/http/handle.ts'
import { emailOf } from './account/store.ts'

/** The audit actions of accounts. */
type AuditAction =
  | 'account.created'
  | 'account.changed'
  | 'account.deleted'
  | 'account.exported'
  | 'account.banned'
  | 'account.claimed'
  | 'account.displaced'
  | 'account.signed_up_again'
  | 'admin.granted'
  | 'admin.revoked'
  | 'session.started'
  | 'session.refused'
  | 'session.ended'
  | 'session.reuse_detected'
  | 'session.moved'
  | 'password.changed'
  | 'password.recovery_asked'
  | 'email.confirmed'
  | 'email.change_asked'
  | 'email.changed'
  | 'factor.enrolled'
  | 'factor.verified'
  | 'factor.refused'
  | 'factor.removed'
  | 'recovery_codes.made'
  | 'recovery_code.used'
  | 'identity.linked'
  | 'keys.rotated'
  | 'api_key.created'
  | 'api_key.revoked'
  | 'shared_link.created'
  | 'shared_link.revoked'
  | 'service_token.made'
  | 'workspace.deleted'
  | 'workspace.made'
  | 'workspace.entered'
  | 'workspace.transferred'
  | 'invitation.made'
  | 'invitation.revoked'
  | 'invitation.accepted'
  | 'member.role_changed'
  | 'member.removed'
  | 'member.left'
  | 'member.joined_by_sso'
  | 'sso.saved'
  | 'sso.switched'
  | 'sso.removed'
  | 'sso.tested'

/** One event. `actorId`: who caused it, null for an operator or when no one is known; `accountId`: the account it concerns. */
export type AuditEvent = {
  action: AuditAction
  at: Date
  actorId: string | null
  accountId: string | null
  workspaceId?: string | null
  /** The origin; omitted for the operator's command line. */
  request?: Pick<RequestFacts, 'address' | 'headers'>
  /** Ids and fixed words: never a secret. */
  detail?: Record<string, string | number | boolean | null>
}

/**
 * Records an event in the transaction that causes it, with the e-mail addresses of both accounts. Without a workspace it is
 * recorded in the account's home workspace; without a request and an actor it is attributed to the operator.
 */
export async function recordAudit(tx: AccountTx, { at, request, ...event }: AuditEvent): Promise<void> {
  const { actorId, accountId } = event
  const isOperator = actorId === null && request === undefined
  const actor = isOperator ? 'operator' : actorId === null ? undefined : emailOf(actorId)
  const target = accountId === null || accountId === actorId ? undefined : emailOf(accountId)
  await recordIn(tx, at, { ...event, actor, target }, request ?? null)
}
