import type { UserData } from '@groundswell/contract/accounts.ts'
import type { ConnectionView, ConnectorView, LastTest, TileStatus } from '@groundswell/contract/connections.ts'
import type { TileName } from '@groundswell/contract/tiles.ts'

export type ConnectorEntry = { manifest: ConnectorView; connection: ConnectionView | null }

export type TileState = {
  status: TileStatus
  infoText: string
  comingSoon: boolean
  error: string | null
  paused: boolean
  progress: ConnectionView['progress']
  incomplete: string | null
  waitingUntil: string | null
  lastTest: LastTest | null
}

/** What a tile says of itself where the server does not. */
const does: Record<TileName, string> = {
  slack: 'Reads the channels you choose',
  teams: 'Reads the channels you choose',
  intercom: 'Reads conversations',
  helpscout: 'Reads conversations',
  zendesk: 'Reads tickets and their comments',
  webhook: 'Sends each insight to your URL',
  azure: 'Creates a work item for each insight',
  linear: 'Creates an issue for each insight',
  github: 'Creates an issue for each insight',
  jira: 'Creates an issue for each insight',
  clickup: 'Creates a task for each insight',
}

/** Tiles that a server without `/api/connectors` can connect: the spec has their calls. */
const connectableAnywhere: ReadonlySet<TileName> = new Set(['slack', 'webhook'])

/** What the user data says a tile is connected to; null when it is not. */
export function connectedTo(tile: TileName, userData: UserData | null): string | null {
  if (tile === 'slack') return userData?.slack_data?.team?.name || null
  if (tile === 'azure') return userData?.azure_data ? (userData.azure_data.name ?? '') : null
  if (tile !== 'webhook') return null
  if (userData?.webhook_destination) return userData.webhook_destination.url ?? ''
  return userData?.destination_webhook ? '' : null
}

/** How a tile stands. `entry` is the server's own word on it; null where it says none, and the user data alone decides. */
export function tileState(tile: TileName, userData: UserData | null, entry: ConnectorEntry | null): TileState {
  const other = connectedTo(tile, userData)
  const connection = entry?.connection
  const status = connection?.status ?? (other === null ? 'na' : 'connected')
  const connectedText = connection?.name || other
  return {
    status,
    infoText: (status === 'na' ? entry?.manifest.info : connectedText) || does[tile],
    comingSoon: entry ? entry.manifest.coming_soon : status === 'na' && !connectableAnywhere.has(tile),
    error: connection?.error ?? null,
    paused: connection?.paused ?? false,
    progress: connection?.progress ?? null,
    incomplete: connection?.incomplete ?? null,
    waitingUntil: connection?.waiting_until ?? null,
    lastTest: connection?.last_test ?? null,
  }
}
