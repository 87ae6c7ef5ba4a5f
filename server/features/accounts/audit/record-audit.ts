import type { Tx } from '../../../platform/db/tenant.ts'
import type { RequestFacts } from '../../../platform/http/handle.ts'
import { recordIn } from '../../audit/index.ts'
import { emailOf } from '../account/store.ts'

/** Everything that is written down of accounts. */
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
  | 'service_token.made'

/** One thing that happened. `actorId`: who did it, null for nobody known or an operator; `accountId`: to whom. */
export type AuditEvent = {
  action: AuditAction
  at: Date
  actorId: string | null
  accountId: string | null
  workspaceId?: string | null
  /** Where it came from; left out for what the operator did at the command line. */
  request?: Pick<RequestFacts, 'address' | 'headers'>
  /** Ids and words of ours: never a secret. */
  detail?: Record<string, string | number | boolean | null>
}

/**
 * Records one thing that happened, in the transaction in which it happens, with the e-mail addresses of both accounts. Without a
 * workspace it belongs to the account's home workspace; without a request and an actor the operator did it.
 */
export async function recordAudit(tx: Tx, { at, request, ...event }: AuditEvent): Promise<void> {
  const { actorId, accountId } = event
  const isOperator = actorId === null && request === undefined
  const actor = isOperator ? 'operator' : actorId === null ? undefined : emailOf(actorId)
  const target = accountId === null || accountId === actorId ? undefined : emailOf(accountId)
  await recordIn(tx, at, { ...event, actor, target }, request ?? null)
}
