import type { Tx } from '../../platform/db/tenant.ts'
import { deleteStates } from './sign-in/oauth-state-store.ts'
import { deleteApps } from './sign-in/provider-app-store.ts'
import { endConnection, liveConnectionRows } from './store.ts'

/**
 * Ends everything by which data enters or leaves a workspace: its connections, its own apps at providers and sign-ins at
 * providers that were started. What was collected stays. The transaction must be of that workspace.
 */
export async function cutOffWorkspace(tx: Tx, workspaceId: string, at: Date): Promise<void> {
  for (const { id } of await liveConnectionRows(tx, workspaceId)) await endConnection(tx, workspaceId, id, at)
  await deleteApps(tx, workspaceId)
  await deleteStates(tx, workspaceId)
}
