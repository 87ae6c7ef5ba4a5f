import type { RemoteStatus } from '@groundswell/connectors/tracker.ts'
import type { Tx } from '../../platform/db/tenant.ts'

/** What other features do when a source or an event changed something, in the transaction that did it. */
export type SyncHooks = {
  /** Feedback was stored or removed. */
  stored(tx: Tx, workspaceId: string): Promise<void>
  /** An event reported states of a tracker's items, also of ones that are not ours. */
  statusesChanged?(
    tx: Tx,
    connection: { workspaceId: string; connectionId: string },
    statuses: readonly RemoteStatus[],
  ): Promise<void>
}
