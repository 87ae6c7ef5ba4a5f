import { connectorById } from '@groundswell/connectors/index.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import type { Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { connectionById, disconnectedRows, liveConnectionRows, lockConnection } from './store.ts'
import { describeConnection } from './view.ts'

/** A source that was disconnected. `name`: what it was connected to, as its tile showed it. */
type DisconnectedSource = { id: string; tile: string; label: string; name: string; disconnectedAt: Date }

/** The disconnected sources of a workspace, the latest first. */
export async function disconnectedSources(
  services: Pick<Services, 'key'>,
  tx: Tx,
  workspaceId: string,
): Promise<DisconnectedSource[]> {
  const rows = await disconnectedRows(tx, workspaceId)
  return rows.flatMap((row) => {
    const manifest = connectorById(row.connector)?.manifest
    if (manifest?.side !== 'source' || row.disconnectedAt === null) return []
    const name = row.name || describeConnection(services, row).name
    return [{ id: row.id, tile: manifest.id, label: manifest.label, name, disconnectedAt: row.disconnectedAt }]
  })
}

/** A source, connected or not. `name`: what it is connected to, or the file's name; may be empty. */
type NamedSource = { id: string; label: string; name: string }

/** Every source of a workspace that has or had a name, file sources included: the connected ones first. */
export async function namedSources(
  services: Pick<Services, 'key'>,
  tx: Tx,
  workspaceId: string,
): Promise<NamedSource[]> {
  const rows = [...(await liveConnectionRows(tx, workspaceId)), ...(await disconnectedRows(tx, workspaceId))]
  return rows.flatMap((row) => {
    const manifest = connectorById(row.connector)?.manifest
    if (manifest?.side !== 'source') return []
    return [{ id: row.id, label: manifest.label, name: row.name || describeConnection(services, row).name }]
  })
}

/** Locks a disconnected source, so that it is not connected again meanwhile. Throws `not_found` for any other. */
export async function lockDisconnected(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await lockConnection(tx, workspaceId, id)
  await requireDisconnected(tx, workspaceId, id)
}

/** Throws `not_found` unless this is a disconnected source. */
export async function requireDisconnected(tx: Tx, workspaceId: string, id: string): Promise<void> {
  const found = await connectionById(tx, workspaceId, id)
  const isSource = found && connectorById(found.connector)?.manifest.side === 'source'
  if (!isSource || found.disconnectedAt === null) {
    throw new ContractError('not_found', 'There is no such disconnected source')
  }
}
