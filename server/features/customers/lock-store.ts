import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** Keeps other transactions from writing customers of the workspace until this one ends: each writes many rows, and two would wait for each other. */
export async function lockCustomers(tx: Tx, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('customers:' || ${workspaceId}, 0))`.execute(tx)
}
