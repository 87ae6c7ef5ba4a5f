import type { Tx } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { requestGrouping } from './jobs.ts'
import { addLateItems } from './stores/late-store.ts'
import type { VectorSource } from './vector-source.ts'

/**
 * Passes vectors that were stored after their messages were grouped to the next step of grouping, and requests it, in the transaction that
 * stored them. Does nothing in a workspace that groups with another model.
 */
export function vectorsStored(
  services: Services,
  vectors: VectorSource,
): (tx: Tx, workspaceId: string, itemIds: readonly number[]) => Promise<void> {
  return async (tx, workspaceId, itemIds) => {
    if (!(await vectors.model(tx, workspaceId))?.late) return
    await addLateItems(tx, workspaceId, itemIds)
    await requestGrouping(services)(tx, workspaceId)
  }
}
