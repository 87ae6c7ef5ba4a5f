import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'

/** The audit entries by or about a person in one workspace. The transaction must be of that workspace. */
export async function auditEntriesOf(tx: Tx, accountId: string): Promise<unknown[]> {
  const { rows } = await sql`
    select at, action, target, detail, address, user_agent from audit_event
    where actor_id = ${accountId} or account_id = ${accountId} order by id`.execute(tx)
  return rows
}
