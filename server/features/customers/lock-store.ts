import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** Until the transaction ends, no other one writes customers of the workspace: each writes many, and would wait for rows of the other. */
export async function lockCustomers(tx: Tx, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('customers:' || ${workspaceId}, 0))`.execute(tx)
}
