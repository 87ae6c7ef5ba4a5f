import type { Tx } from '../../platform/db/tenant.ts'
import type { Connection } from './store.ts'

/** What others do, in the transaction that made the change. */
export type ConnectionHooks = {
  /** A destination starts to take pushes: it was connected or set to push automatically. */
  opened?: (tx: Tx, workspaceId: string, connectionId: string) => Promise<void>
  /** A destination is back: its pause ended, or its lost sign-in was renewed. What waited for that can go. */
  resumed?: (tx: Tx, workspaceId: string) => Promise<void>
  /** A source can be read: it was connected, or what is read of it was chosen anew. */
  signedIn?: (tx: Tx, workspaceId: string, connectionId: string) => Promise<void>
}

/** Tells that a destination was connected. `before` is how it was: one that was away is back, any other begins. */
export async function tellOpened(
  hooks: ConnectionHooks,
  tx: Tx,
  before: Pick<Connection, 'workspaceId' | 'id' | 'paused' | 'signedOut'>,
): Promise<void> {
  if (before.paused || before.signedOut) await hooks.resumed?.(tx, before.workspaceId)
  else await hooks.opened?.(tx, before.workspaceId, before.id)
}
