import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** Switches the transaction to another workspace: a person may be in several. */
export async function switchWorkspace(tx: Tx, workspaceId: string): Promise<void> {
  await sql`select set_config('groundswell.workspace', ${workspaceId}, true)`.execute(tx)
}
