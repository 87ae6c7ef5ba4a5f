import type { Connector } from '@groundswell/connectors/connector.ts'
import type { Tx } from '../../platform/db/tenant.ts'
import type { Connection } from './store.ts'

type ReadyConnection = { workspaceId: string; connectionId: string }

/** What other features do when a connection changes, in the transaction that changed it. */
export type ConnectionHooks = {
  /** A source can be read: it was connected, or its choice of what to read was saved again. */
  sourceReady?: (tx: Tx, connection: ReadyConnection) => Promise<void>
  /** A destination accepts pushes from now on: it was connected, or set to push automatically. */
  destinationReady?: (tx: Tx, connection: ReadyConnection) => Promise<void>
  /** A destination accepts pushes again: its pause ended, or its lost sign-in was renewed. What waited for that can be sent. */
  destinationResumed?: (tx: Tx, connection: ReadyConnection) => Promise<void>
}

/**
 * Calls the hook for a source or destination that was connected, given its connection before that: a destination that was
 * paused or signed out resumes.
 */
export async function callConnected(
  hooks: ConnectionHooks,
  tx: Tx,
  { pull }: Pick<Connector, 'pull'>,
  { workspaceId, id, paused, signedOut }: Pick<Connection, 'workspaceId' | 'id' | 'paused' | 'signedOut'>,
): Promise<void> {
  const destinationHook = paused || signedOut ? hooks.destinationResumed : hooks.destinationReady
  const hook = pull ? hooks.sourceReady : destinationHook
  await hook?.(tx, { workspaceId, connectionId: id })
}
