import type { Connector, Manifest } from '@groundswell/connectors/connector.ts'
import { connectorById, posterOf } from '@groundswell/connectors/index.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { type Connection, lockLiveConnection } from './store.ts'

/** The connector of a tile, or `not_found`. */
export function tileConnector(tile: string): Connector {
  const connector = connectorById(tile)
  if (!connector?.manifest.tile) throw new ContractError('not_found', 'There is no such tile')
  return connector
}

/** The second sign-in of a tile's connector, by which messages are posted, or `not_found`. */
export function tilePoster(tile: string): Connector {
  const poster = posterOf(tile)
  if (!poster) throw new ContractError('not_found', 'Nothing can be posted there')
  return poster
}

/** Whether a tile cannot be connected: its connector is not built yet, or the operator has declared it coming soon. */
export function isComingSoon({ comingSoon }: Pick<Config, 'comingSoon'>, manifest: Manifest): boolean {
  return manifest.comingSoon || comingSoon.includes(manifest.id)
}

/** Throws `not_configured` where a tile cannot be connected yet. */
export function refuseComingSoon({ config }: Pick<Services, 'config'>, { manifest }: Connector): void {
  if (isComingSoon(config, manifest)) throw new ContractError('not_configured', `${manifest.label} is coming soon`)
}

/** A part that the tile's connector must have for a call, or `not_configured` with this message. */
export function requirePart<P extends keyof Connector>(
  connector: Connector,
  part: P,
  lack: string,
): NonNullable<Connector[P]> {
  const found = connector[part]
  const { label, comingSoon } = connector.manifest
  if (comingSoon) throw new ContractError('not_configured', `${label} is coming soon`)
  if (!found) throw new ContractError('not_configured', `${label} ${lack}`)
  return found
}

/** The tile's live connection, locked until the transaction ends, or `not_configured`. */
export async function requireLive(tx: Tx, workspaceId: string, { manifest }: Connector): Promise<Connection> {
  const connection = await lockLiveConnection(tx, workspaceId, manifest.id)
  if (connection) return connection
  throw new ContractError('not_configured', `${manifest.label} is not connected`)
}

/** Why a connection that is not ready cannot be used yet. */
export function lackOfChoices({ manifest }: Connector): string {
  const what = manifest.side === 'source' ? 'what to read' : 'where insights go'
  return `Choose ${what} first, in the details of ${manifest.label}`
}
