import { type Tx, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { RequestFacts } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { type AuditRecord, insertEvent } from './store.ts'

/** What was done, by whom, to what. See the store for what may be left out. */
export type AuditDeed = Omit<AuditRecord, 'at' | 'address' | 'agent'>

/** From where: a request has both; null for the command line. */
export type AuditOrigin = Pick<RequestFacts, 'address' | 'headers'> | null

const MAX_LENGTH = 300

/** Writes an entry within a transaction, so that it is kept exactly when what it tells of is. */
export async function recordIn(tx: Tx, at: Date, deed: AuditDeed, origin: AuditOrigin): Promise<void> {
  await insertEvent(tx, {
    ...deed,
    actor: typeof deed.actor === 'string' ? short(deed.actor) : deed.actor,
    target: typeof deed.target === 'string' ? short(deed.target) : deed.target,
    address: origin?.address ?? null,
    agent: agentOf(origin),
    at,
  })
}

/** The same in a transaction of its own, for what changes nothing else. */
export function record(services: Pick<Services, 'db' | 'now'>, deed: AuditDeed, origin: AuditOrigin): Promise<void> {
  return withoutWorkspace(services.db, (tx) => recordIn(tx, services.now(), deed, origin))
}

/** What an operator did at the command line, in a workspace or in none. */
export function recordOperator(
  services: Pick<Services, 'db' | 'now'>,
  deed: Pick<AuditRecord, 'action' | 'detail' | 'target'> & { workspaceId?: string | null },
): Promise<void> {
  const { workspaceId = null, ...rest } = deed
  return record(services, { ...rest, workspaceId, actor: 'operator', actorId: null, accountId: null }, null)
}

function agentOf(origin: AuditOrigin): string | null {
  const agent = origin?.headers['user-agent']
  return typeof agent === 'string' && agent !== '' ? short(agent) : null
}

/** What a stranger sends is kept short, and without what a row cannot hold. */
function short(text: string): string {
  return text.replaceAll('\0', '').slice(0, MAX_LENGTH).toWellFormed()
}
