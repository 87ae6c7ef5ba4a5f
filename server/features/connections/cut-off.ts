import type { Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { deleteStates } from './sign-in/oauth-state-store.ts'
import { deleteApps } from './sign-in/provider-app-store.ts'
import { disconnectConnection, revokeJob } from './sign-in/revoke.ts'
import { endConnection, liveConnectionRows } from './store.ts'
import { releaseSubscription } from './subscriptions/request-subscription.ts'
import { removeSubscriptionJob } from './subscriptions/subscription-jobs.ts'

/**
 * Ends everything by which data enters or leaves a workspace: its connections, its own apps at providers and sign-ins at
 * providers that were started. What was collected stays. The transaction must be of that workspace.
 */
export async function cutOffWorkspace(tx: Tx, workspaceId: string, at: Date): Promise<void> {
  for (const { id } of await liveConnectionRows(tx, workspaceId)) await endConnection(tx, workspaceId, id, at)
  await deleteApps(tx, workspaceId)
  await deleteStates(tx, workspaceId)
}

/** What ends at providers after `disconnectAll`: these kinds of jobs, which read these tables. */
export const endings = { jobs: [revokeJob, removeSubscriptionJob], tables: ['connection', 'provider_app'] } as const

/**
 * Disconnects every connection of a workspace as its owner would. True: sign-ins or subscriptions are still to be ended at their
 * providers, by jobs. The transaction must be of that workspace.
 */
export async function disconnectAll(services: Services, tx: Tx, workspaceId: string): Promise<boolean> {
  let ending = false
  for (const connection of await liveConnectionRows(tx, workspaceId)) {
    const released = await releaseSubscription(services, tx, connection)
    const revoking = await disconnectConnection(services, tx, connection)
    ending ||= released || revoking
  }
  return ending
}
