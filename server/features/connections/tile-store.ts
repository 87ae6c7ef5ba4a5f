import type { SetAsideView } from '@groundswell/connectors/connector.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import { type Connection, connectionColumns } from './store.ts'

/**
 * The view of syncs (`workspace_id`, `connection_id`, and the columns selected below), which the feature that owns them passes
 * in: it imports this one.
 */
export type SyncsView = RawBuilder<unknown>

/** A connection with what its tile shows of its sync. A connection that was never synced has no `syncStatus`. */
export type TileConnection = Connection & {
  syncStatus: 'syncing' | 'idle' | 'stopped' | null
  /** Counts of the current sync, else of the last one. */
  readCount: number | null
  totalCount: number | null
  incomplete: string | null
  waitingUntil: Date | null
  lastSyncAt: Date | null
  setAside: SetAsideView | null
  /** Stored when a sync last read everything. */
  messageCount: number | null
  attachmentCount: number | null
  /** During a first sync: what its connector's `progress` reads. */
  firstCursor: unknown
  /** Why there is no working subscription. */
  note: string | null
}

/** Every live connection of a workspace with the state of its sync, oldest first; only that connection if `id` is given. */
export async function tileConnections(
  tx: Tx,
  workspaceId: string,
  syncs: SyncsView,
  id: string | null = null,
): Promise<TileConnection[]> {
  const { rows } = await sql<TileConnection>`
    select ${connectionColumns}, sync.status as "syncStatus", sync.read_count as "readCount",
      sync.total_count as "totalCount", sync.incomplete, sync.waiting_until as "waitingUntil",
      sync.last_sync_at as "lastSyncAt", sync.set_aside as "setAside", sync.message_count as "messageCount",
      sync.attachment_count as "attachmentCount", sync.first_cursor as "firstCursor", (
        select note from event_subscription s where s.workspace_id = connection.workspace_id and s.connection_id = connection.id) as note
    from connection
    left join ${syncs} sync on sync.workspace_id = connection.workspace_id and sync.connection_id = connection.id
    where connection.workspace_id = ${workspaceId} and disconnected_at is null and (${id}::uuid is null or id = ${id})
    order by created_at, id`.execute(tx)
  return rows
}
