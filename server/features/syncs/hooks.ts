import type { Tx } from '../../platform/db/tenant.ts'

/** What other features do when feedback was stored or removed, in the transaction that did it. */
export type SyncHooks = { stored(tx: Tx, workspaceId: string): Promise<void> }
