import { type Tx, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { RequestFacts } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { type AuditRecord, insertEvent } from './store.ts'

/** What was done, by whom, to what. See the store for what may be left out. */
export type AuditFields = Omit<AuditRecord, 'at' | 'address' | 'agent'>

/** Where it came from: a request has both; null for the command line. */
export type AuditOrigin = Pick<RequestFacts, 'address' | 'headers'> | null

const MAX_LENGTH = 300

/** Writes an entry within a transaction, so that it is committed together with the change. */
export async function recordIn(tx: Tx, at: Date, fields: AuditFields, origin: AuditOrigin): Promise<void> {
  await insertEvent(tx, {
    ...fields,
    actor: typeof fields.actor === 'string' ? short(fields.actor) : fields.actor,
    target: typeof fields.target === 'string' ? short(fields.target) : fields.target,
    address: origin?.address ?? null,
    agent: agentOf(origin),
    at,
  })
}

/** The same in its own transaction, for what changes nothing else. */
export function record(
  services: Pick<Services, 'db' | 'now'>,
  fields: AuditFields,
  origin: AuditOrigin,
): Promise<void> {
  return withoutWorkspace(services.db, (tx) => recordIn(tx, services.now(), fields, origin))
}

/** Records what an operator did at the command line, in a workspace or in none. */
export function recordOperator(
  services: Pick<Services, 'db' | 'now'>,
  fields: Pick<AuditRecord, 'action' | 'detail' | 'target'> & { workspaceId?: string | null },
): Promise<void> {
  const { workspaceId = null, ...rest } = fields
  return record(services, { ...rest, workspaceId, actor: 'operator', actorId: null, accountId: null }, null)
}

function agentOf(origin: AuditOrigin): string | null {
  const agent = origin?.headers['user-agent']
  return typeof agent === 'string' && agent !== '' ? short(agent) : null
}

/** Text from strangers is shortened, and characters that a row cannot store are removed. */
function short(text: string): string {
  return text.replaceAll('\0', '').slice(0, MAX_LENGTH).toWellFormed()
}
