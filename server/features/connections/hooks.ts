import type { Connector } from '@groundswell/connectors/connector.ts'
import type { Tx } from '../../platform/db/tenant.ts'
import type { Connection } from './store.ts'

type ReadyConnection = { workspaceId: string; connectionId: string }

/** What other features do when a connection changes, in the transaction that changed it. */
export type ConnectionHooks = {
  /** A source can be read: it was connected, or its choice of what to read was saved again. */
  sourceReady?: (tx: Tx, connection: ReadyConnection) => Promise<void>
  /** A destination accepts pushes from now on: it was connected, its required choices were made, or it was set to push automatically. */
  destinationReady?: (tx: Tx, connection: ReadyConnection) => Promise<void>
  /** A destination accepts pushes again: its pause ended, or its lost sign-in was renewed. What waited for that can be sent. */
  destinationResumed?: (tx: Tx, connection: ReadyConnection) => Promise<void>
}

/**
 * Calls the hook for a source or destination that was connected, given its connection before that: a destination that was
 * paused or signed out resumes. Nothing begins before the required choices are made.
 */
export async function callConnected(
  hooks: ConnectionHooks,
  tx: Tx,
  { pull }: Pick<Connector, 'pull'>,
  {
    workspaceId,
    id,
    paused,
    signedOut,
    ready,
  }: Pick<Connection, 'workspaceId' | 'id' | 'paused' | 'signedOut' | 'ready'>,
): Promise<void> {
  if (!ready) return
  const destinationHook = paused || signedOut ? hooks.destinationResumed : hooks.destinationReady
  const hook = pull ? hooks.sourceReady : destinationHook
  await hook?.(tx, { workspaceId, connectionId: id })
}

/**
 * Calls the hook for a connection whose choices were saved, given the connection before that. A source reads what was added; a
 * destination begins once its first choices are made.
 */
export async function callChosen(
  hooks: ConnectionHooks,
  tx: Tx,
  connector: Pick<Connector, 'pull'>,
  before: Connection,
): Promise<void> {
  if (before.signedOut) return
  if (connector.pull || !before.ready) await callConnected(hooks, tx, connector, { ...before, ready: true })
}
