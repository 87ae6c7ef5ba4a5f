import { connectorById, connectors } from '@groundswell/connectors/index.ts'
import type { Tx } from '../../platform/db/tenant.ts'
import { type Connection, ensureConnection, liveConnectionRows } from './store.ts'

/** The live connections of a workspace, oldest first; of one side only when it is named. */
export async function liveConnections(
  tx: Tx,
  workspaceId: string,
  side?: 'source' | 'destination',
): Promise<Connection[]> {
  const live = await liveConnectionRows(tx, workspaceId)
  if (side === undefined) return live
  return live.filter((connection) => connectorById(connection.connector)?.manifest.side === side)
}

/** The connection that holds what was imported from files; made when it is first needed. */
export async function fileConnection(tx: Tx, workspaceId: string): Promise<Connection> {
  const connector = connectors.find((candidate) => candidate.file)
  if (!connector) throw new Error('no connector reads files')
  const { connection } = await ensureConnection(tx, workspaceId, connector.manifest.id)
  return connection
}
