import { type Tx, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { RequestFacts } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { type AuditDetail, insertEvent } from './store.ts'

/** Who did it: an account, or nobody that is known (`accountId` null, `email` what was typed). */
export type AuditActor = { workspaceId: string | null; accountId: string | null; email: string }

/** What was done. `target` is what it was done to; `accountId` whose account it is about, if not the actor's own. */
export type AuditDeed = { action: string; target?: string; accountId?: string; detail?: AuditDetail }

/** From where: a request has both. */
export type AuditOrigin = Pick<RequestFacts, 'address' | 'headers'> | null

const LONGEST = 300

/** Writes an entry within a transaction, so that it is kept exactly when what it tells of is. */
export async function recordIn(
  tx: Tx,
  services: Pick<Services, 'now'>,
  actor: AuditActor,
  deed: AuditDeed,
  origin: AuditOrigin,
): Promise<void> {
  await insertEvent(tx, {
    workspaceId: actor.workspaceId,
    actorId: actor.accountId,
    accountId: deed.accountId ?? actor.accountId,
    actor: short(actor.email),
    action: deed.action,
    target: deed.target === undefined ? null : short(deed.target),
    detail: deed.detail ?? {},
    address: origin?.address ?? null,
    agent: agentOf(origin),
    at: services.now(),
  })
}

/** The same in a transaction of its own, for what changed nothing, such as a refused sign-in. */
export function record(
  services: Pick<Services, 'db' | 'now'>,
  actor: AuditActor,
  deed: AuditDeed,
  origin: AuditOrigin,
): Promise<void> {
  return withoutWorkspace(services.db, (tx) => recordIn(tx, services, actor, deed, origin))
}

/** An entry of the command line, which no address stands behind. */
export function recordOperator(services: Pick<Services, 'db' | 'now'>, deed: AuditDeed): Promise<void> {
  return record(services, { workspaceId: null, accountId: null, email: 'operator' }, deed, null)
}

function agentOf(origin: AuditOrigin): string | null {
  const agent = origin?.headers['user-agent']
  return typeof agent === 'string' && agent !== '' ? short(agent) : null
}

/** What a stranger sends is kept short, and without what a row cannot hold. */
function short(text: string): string {
  return text.replaceAll('\0', '').slice(0, LONGEST).toWellFormed()
}
