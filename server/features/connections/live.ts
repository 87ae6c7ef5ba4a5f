import type { Manifest } from '@groundswell/connectors/connector.ts'
import { connectorById, connectors } from '@groundswell/connectors/index.ts'
import type { Tx } from '../../platform/db/tenant.ts'
import { type Connection, ensureConnection, liveConnectionRows, lockConnecting } from './store.ts'

/** The live connections of a workspace, oldest first; only those of a side if it is given. */
export async function liveConnections(tx: Tx, workspaceId: string, side?: Manifest['side']): Promise<Connection[]> {
  const live = await liveConnectionRows(tx, workspaceId)
  if (side === undefined) return live
  return live.filter((connection) => connectorById(connection.connector)?.manifest.side === side)
}

/** The unnamed connection of the connector that reads files; created when it is first needed. */
export async function fileConnection(tx: Tx, workspaceId: string): Promise<Connection> {
  const { connection } = await ensureConnection(tx, workspaceId, fileConnectorId())
  return connection
}

/** The file sources of a workspace, oldest first. */
export async function fileSources(tx: Tx, workspaceId: string): Promise<Connection[]> {
  const live = await liveConnectionRows(tx, workspaceId)
  return live.filter(({ connector, name }) => connector === fileConnectorId() && name !== '')
}

/** Creates a file source. A name that is already taken gets a number: `tickets.csv (2)`. */
export async function addFileSource(tx: Tx, workspaceId: string, name: string): Promise<Connection> {
  await lockConnecting(tx, workspaceId)
  const taken = new Set((await fileSources(tx, workspaceId)).map((source) => source.name))
  let free = name
  for (let number = 2; taken.has(free); number += 1) free = `${name} (${number})`
  const { connection } = await ensureConnection(tx, workspaceId, fileConnectorId(), free)
  return connection
}

function fileConnectorId(): string {
  const connector = connectors.find((candidate) => candidate.file)
  if (!connector) throw new Error('no connector reads files')
  return connector.manifest.id
}
