import type { Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { beginSync } from '../connections/index.ts'
import { syncJob } from './sync-job.ts'

/** Begins a sync as part of the caller's transaction. False when one is under way already. */
export function requestSync(
  services: Services,
): (tx: Tx, workspaceId: string, connectionId: string) => Promise<boolean> {
  return async (tx, workspaceId, connectionId) => {
    const begun = await beginSync(tx, workspaceId, connectionId, services.now())
    if (begun) await services.queue.send(syncJob, { workspaceId, connectionId }, { tx, key: connectionId, once: true })
    return begun
  }
}
