import type { Connector, Manifest } from '@groundswell/connectors/connector.ts'
import { connectorById } from '@groundswell/connectors/index.ts'
import type { ConnectionView, ConnectorView, TrackedItems } from '@groundswell/contract/connections.ts'
import type { Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { openSecrets, UnreadableSecrets } from './sealing/secrets.ts'
import type { Connection } from './store.ts'
import { isComingSoon } from './tile.ts'
import type { TileConnection } from './tile-store.ts'

/** The items of each tracker, which the feature that owns them passes in: it imports this one. */
export type ItemsOf = (tx: Tx, workspaceId: string) => Promise<(TrackedItems & { connectionId: string })[]>

/** What the screen shows of a connector. `isConnected`: one that the operator has declared coming soon keeps its menu. */
export function viewConnector(
  { config }: Pick<Services, 'config'>,
  connector: Connector,
  isConnected: boolean,
): ConnectorView {
  const { manifest } = connector
  return {
    id: manifest.id,
    label: manifest.label,
    side: manifest.side === 'source' ? 'source' : 'destination',
    info: manifest.info,
    logo: manifest.logo,
    coming_soon: !isConnected && isComingSoon(config, manifest),
    tile: manifest.tile,
    form_title: manifest.formTitle,
    fields: [...manifest.fields],
    signs: manifest.signs,
    signs_in: connector.oauth !== undefined,
    sign_in_fields: [...(connector.oauth?.fields ?? [])],
    has_app: connector.app !== undefined,
    has_choices: connector.choices !== undefined,
    syncs: connector.pull !== undefined,
    tracks: connector.tracker !== undefined,
  }
}

/** How many chosen values of a field are sent with each list of connectors. */
const SHOWN_VALUES = 5

/** What the screen shows of a connection. */
export function viewConnection(
  services: Pick<Services, 'key'>,
  connection: TileConnection,
  items?: TrackedItems,
): ConnectionView {
  const connector = connectorById(connection.connector)
  const source = connector?.manifest.side === 'source'
  return {
    id: connection.id,
    status: connection.signedOut ? 'na' : connection.syncStatus === 'syncing' ? 'syncing' : 'connected',
    name: describeConnection(services, connection).name,
    paused: connection.paused,
    push_automatically: connection.pushAutomatically,
    error: connection.error,
    progress: source ? viewProgress(connection) : null,
    last_sync: connection.lastSyncAt?.toISOString() ?? null,
    incomplete: connection.incomplete,
    ...(source ? viewCounts(connection) : {}),
    waiting_until: connection.waitingUntil?.toISOString() ?? null,
    last_test: connection.lastTest,
    ...(connector?.tracker ? { reopen_items: connection.reopenItems, items: viewItems(items) } : {}),
    ready: connection.ready,
    chosen: connection.chosen
      .filter(({ values }) => values.length > 0)
      .map(({ label, values }) => ({
        label,
        values: values.slice(0, SHOWN_VALUES).map((one) => one.label),
        more: Math.max(0, values.length - SHOWN_VALUES),
      })),
    note: connection.note,
  }
}

function viewProgress({ connector, readCount, totalCount, firstCursor }: TileConnection): ConnectionView['progress'] {
  const of = firstCursor === null ? null : (connectorById(connector)?.progress?.(firstCursor) ?? null)
  return { read: readCount ?? 0, total: totalCount, of }
}

function viewCounts({ messageCount, attachmentCount, setAside }: TileConnection) {
  return { messages: messageCount, attachment_only: attachmentCount ?? 0, set_aside: setAside }
}

function viewItems(items: TrackedItems | undefined): TrackedItems | null {
  if (!items) return null
  const { open, closed, gone, latest } = items
  return { open, closed, gone, latest }
}

/** What a connection is connected to, in the words of its connector. */
export function nameOfConnection(services: Pick<Services, 'key'>, connection: Connection): string {
  return describeConnection(services, connection).name
}

/** How the connector describes a connection. If settings or secrets cannot be read, only the name is missing. */
export function describeConnection(
  services: Pick<Services, 'key'>,
  connection: Connection,
): ReturnType<Manifest['describe']> {
  const manifest = connectorById(connection.connector)?.manifest
  try {
    const { fields } = readableOrNone(services, connection)
    return manifest?.describe(connection.settings, fields) ?? { name: connection.connector, userData: {} }
  } catch {
    return { name: manifest?.label ?? connection.connector, userData: {} }
  }
}

function readableOrNone(services: Pick<Services, 'key'>, connection: Connection): ReturnType<typeof openSecrets> {
  try {
    return openSecrets(services, connection)
  } catch (error) {
    if (error instanceof UnreadableSecrets) return { fields: {} }
    throw error
  }
}
