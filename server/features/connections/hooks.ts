import type { Tx } from '../../platform/db/tenant.ts'

/** What others do, in the transaction that made the change. */
export type ConnectionHooks = {
  /** A destination starts to take pushes: it was connected, resumed or set to push by itself. */
  opened?: (tx: Tx, workspaceId: string) => Promise<void>
  /** A source can be read: it was connected, or what is read of it was chosen anew. */
  signedIn?: (tx: Tx, workspaceId: string, connectionId: string) => Promise<void>
}
