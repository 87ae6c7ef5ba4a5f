import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'

/** An audit event as it is kept. */
export type AuditRow = {
  at: Date
  action: string
  actorId: string | null
  accountId: string | null
  workspaceId: string | null
  address: string | null
  userAgent: string | null
  detail: Record<string, unknown>
}

/** Keeps one event. There is no statement that changes one. */
export async function insertAuditEvent(tx: Tx, row: AuditRow): Promise<void> {
  await sql`
    insert into audit_event (at, action, actor_id, account_id, workspace_id, address, user_agent, detail)
    values (${row.at}, ${row.action}, ${row.actorId}, ${row.accountId}, ${row.workspaceId}, ${row.address},
      ${row.userAgent}, ${JSON.stringify(row.detail)}::jsonb)`.execute(tx)
}
