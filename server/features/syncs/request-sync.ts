import type { Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { syncJob } from './sync-job.ts'
import { beginSync } from './sync-state-store.ts'

/** Starts a sync in the caller's transaction. False when one is already running. */
export function requestSync(
  services: Services,
): (tx: Tx, workspaceId: string, connectionId: string) => Promise<boolean> {
  return async (tx, workspaceId, connectionId) => {
    const started = await beginSync(tx, workspaceId, connectionId, services.now())
    if (started)
      await services.queue.send(syncJob, { workspaceId, connectionId }, { tx, key: connectionId, once: true })
    return started
  }
}
