import type { SetAsideView } from '@groundswell/connectors/connector.ts'
import { MAX_ATTACHMENT_ONLY } from '@groundswell/contract/connections.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import { connectionsView, lockedConnection, noteConnectionError } from '../connections/index.ts'
import { countMessagesOf } from '../feedback/index.ts'

/**
 * The state of a connection's sync. `stopped`: the connection was disconnected or its sign-in ended (the database sets this
 * together with it), so that only live, signed-in connections are `syncing`.
 */
export type SyncState = {
  status: 'syncing' | 'idle' | 'stopped'
  cursor: unknown
  /** Increases with each stored page. */
  step: number
  waitingUntil: Date | null
  /** External ids that the last page lacked, if they were too many to remove at once: that page was not stored. */
  doubted: string[]
}

/** What a stored page changes of its sync. Fields left out stay. */
export type PageState = {
  cursor: unknown
  read: number
  total?: number | null
  incomplete?: string | null
  setAside?: SetAsideView | undefined
  attachmentOnly?: readonly string[] | undefined
}

type SyncRef = { workspaceId: string; id: string }

/** The state of a connection's sync; null when none was ever started. */
export async function readSync(tx: Tx, workspaceId: string, id: string): Promise<SyncState | null> {
  const { rows } = await sql<SyncState>`
    select status, cursor, step, waiting_until as "waitingUntil", doubted from sync_state
    where workspace_id = ${workspaceId} and connection_id = ${id}`.execute(tx)
  return rows[0] ?? null
}

/** Forgets how far a connection was read: its next sync starts from the beginning. */
export async function forgetSync(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await sql`delete from sync_state where workspace_id = ${workspaceId} and connection_id = ${id}`.execute(tx)
}

/** Starts a sync of a live, signed-in connection. False when one is already running, or when it cannot be read. */
export async function beginSync(tx: Tx, workspaceId: string, id: string, at: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into sync_state (workspace_id, connection_id, status, moved_at)
    select workspace_id, id, 'syncing', ${at}::timestamptz from ${lockedConnection(workspaceId, id)} connection
    on conflict (workspace_id, connection_id) do update
    set status = 'syncing', read_count = 0, total_count = null, incomplete = null, moved_at = excluded.moved_at
    where sync_state.status <> 'syncing'
    returning 1`.execute(tx)
  return rows.length > 0
}

/**
 * Records one step of a sync. Null when it was cancelled or ended, or when another reader has taken that step: then nothing
 * of the page may be stored.
 */
export async function stepSync(
  tx: Tx,
  { step, ...sync }: SyncRef & { step: number },
  page: PageState,
  at: Date,
): Promise<number | null> {
  const total = page.total === undefined ? sql`total_count` : sql`${page.total}`
  const incomplete = page.incomplete === undefined ? sql`incomplete` : sql`${page.incomplete}`
  const setAside = page.setAside === undefined ? sql`set_aside` : sql`${JSON.stringify(page.setAside)}::jsonb`
  const { attachmentOnly = [] } = page
  const attachments =
    attachmentOnly.length === 0
      ? sql`attachment_only`
      : sql`array(select id from unnest(attachment_only || ${[...attachmentOnly]}::text[]) id group by id limit ${MAX_ATTACHMENT_ONLY})`
  const change = sql`cursor = ${JSON.stringify(page.cursor ?? null)}::jsonb, step = step + 1,
    set_aside = ${setAside}, attachment_only = ${attachments}, read_count = read_count + ${page.read}, total_count = ${total}, incomplete = ${incomplete}, waiting_until = null,
    doubted = '{}', moved_at = ${at}`
  return changeSync(tx, sync, { change, where: sql`status = 'syncing' and step = ${step}`, error: null })
}

/** Notes what a page lacked that was too much to remove at once, for the next page that is read from here. */
export async function noteDoubted(
  tx: Tx,
  { workspaceId, id, step }: SyncRef & { step: number },
  doubted: readonly string[],
): Promise<void> {
  await sql`
    update sync_state set doubted = ${[...doubted]}::text[]
    where workspace_id = ${workspaceId} and connection_id = ${id} and status = 'syncing' and step = ${step}`.execute(tx)
}

/** Ends a sync; `error` is the text why it stopped early, null if it read everything. */
export async function endSync(
  tx: Tx,
  workspaceId: string,
  id: string,
  { error, at }: { error: string | null; at: Date },
): Promise<void> {
  const lastSync = error === null ? sql`${at}` : sql`last_sync_at`
  const messages = error === null ? sql`${await countMessagesOf(tx, workspaceId, id)}::int` : sql`message_count`
  const change = sql`status = 'idle', message_count = ${messages}, last_sync_at = ${lastSync}, waiting_until = null, moved_at = ${at}`
  await changeSync(tx, { workspaceId, id }, { change, where: sql`status = 'syncing'`, error })
}

/** Ends a sync after its current page, as its owner requested. False when none was running. */
export async function cancelSync(tx: Tx, workspaceId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    update sync_state set status = 'idle'
    where workspace_id = ${workspaceId} and connection_id = ${id} and status = 'syncing' returning 1`.execute(tx)
  return rows.length > 0
}

/** Stores the pause that the provider asked for. It outlives a cancellation: the next sync waits for it too. */
export async function pauseSync(tx: Tx, workspaceId: string, id: string, until: Date, at: Date): Promise<void> {
  const change = sql`waiting_until = ${until}, moved_at = ${at}`
  await changeSync(tx, { workspaceId, id }, { change, where: sql`true`, error: null })
}

/** Stores a temporary error of a sync for the tile; the sync keeps retrying. */
export async function holdSync(tx: Tx, workspaceId: string, id: string, error: string, at: Date): Promise<void> {
  await changeSync(tx, { workspaceId, id }, { change: sql`moved_at = ${at}`, where: sql`status = 'syncing'`, error })
}

/**
 * Changes the sync of a live, signed-in connection and the error that its tile shows; neither when `where` does not hold.
 * Returns the step of the sync then, or null.
 */
async function changeSync(
  tx: Tx,
  { workspaceId, id }: SyncRef,
  { change, where, error }: { change: RawBuilder<unknown>; where: RawBuilder<unknown>; error: string | null },
): Promise<number | null> {
  const { rows } = await sql<{ step: number; error: string | null }>`
    update sync_state sync set ${change} from ${lockedConnection(workspaceId, id)} connection
    where sync.workspace_id = ${workspaceId} and sync.connection_id = ${id} and ${where}
    returning sync.step, connection.error`.execute(tx)
  const [changed] = rows
  if (!changed) return null
  if (changed.error !== error) await noteConnectionError(tx, workspaceId, id, error)
  return changed.step
}

/** Syncs without progress that wait for nothing: their job was lost. */
export async function stalledSyncs(tx: Tx, workspaceId: string, stillSince: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select connection_id as id from sync_state
    where workspace_id = ${workspaceId} and status = 'syncing' and greatest(moved_at, waiting_until) < ${stillSince}`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

/** Signed-in connections of these connectors without a sync since then. */
export async function dueSyncs(
  tx: Tx,
  workspaceId: string,
  connectors: readonly string[],
  notSince: Date,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select connection.id from sync_state sync
    join ${connectionsView} connection
      on connection.workspace_id = sync.workspace_id and connection.id = sync.connection_id
    where sync.workspace_id = ${workspaceId} and sync.status = 'idle' and connection.connector = any(${[...connectors]}::text[])
      and greatest(sync.moved_at, sync.waiting_until) < ${notSince}`.execute(tx)
  return rows.map(({ id }) => id)
}
