import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import { endConnection, liveConnectionRows } from './store.ts'

/**
 * Ends everything by which data enters or leaves a workspace: its connections, its own apps at providers and sign-ins at
 * providers that were started. What was collected stays. The transaction must be of that workspace.
 */
export async function cutOffWorkspace(tx: Tx, workspaceId: string, at: Date): Promise<void> {
  for (const { id } of await liveConnectionRows(tx, workspaceId)) await endConnection(tx, workspaceId, id, at)
  await sql`delete from provider_app where workspace_id = ${workspaceId}`.execute(tx)
  await sql`delete from oauth_state where workspace_id = ${workspaceId}`.execute(tx)
}
