import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import type { Connection } from './store.ts'

/** What a stored page changes of its connection. Fields left out stay. */
export type PageState = {
  cursor: unknown
  read: number
  total?: number | null
  incomplete?: string | null
}

/** Begins a sync of a live, signed-in connection. False when one is under way already, or when it cannot be read. */
export async function beginSync(tx: Tx, workspaceId: string, id: string, at: Date): Promise<boolean> {
  const { rows } = await sql`
    update connection
    set status = 'syncing', read_count = 0, total_count = null, incomplete = null, sync_moved_at = ${at}
    where workspace_id = ${workspaceId} and id = ${id} and disconnected_at is null and not signed_out
      and status <> 'syncing'
    returning 1`.execute(tx)
  return rows.length > 0
}

/**
 * Takes a sync one step on. Null when it was cancelled or ended, or when another reader has taken that step: then nothing
 * of the page may be stored.
 */
export async function stepSync(
  tx: Tx,
  connection: Pick<Connection, 'workspaceId' | 'id' | 'syncStep'>,
  page: PageState,
  at: Date,
): Promise<number | null> {
  const total = page.total === undefined ? sql`total_count` : sql`${page.total}`
  const incomplete = page.incomplete === undefined ? sql`incomplete` : sql`${page.incomplete}`
  const { rows } = await sql<{ step: number }>`
    update connection
    set cursor = ${JSON.stringify(page.cursor ?? null)}::jsonb, sync_step = sync_step + 1,
      read_count = read_count + ${page.read}, total_count = ${total}, incomplete = ${incomplete}, error = null,
      waiting_until = null, sync_moved_at = ${at}
    where workspace_id = ${connection.workspaceId} and id = ${connection.id} and status = 'syncing'
      and disconnected_at is null and sync_step = ${connection.syncStep}
    returning sync_step as step`.execute(tx)
  return rows[0]?.step ?? null
}

/** Ends a sync; `error` says in words why it stopped before its end, null that it reached it. */
export async function endSync(
  tx: Tx,
  workspaceId: string,
  id: string,
  { error, at }: { error: string | null; at: Date },
): Promise<void> {
  const lastSync = error === null ? sql`${at}` : sql`last_sync_at`
  await sql`
    update connection
    set status = 'connected', error = ${error}, last_sync_at = ${lastSync}, waiting_until = null, sync_moved_at = ${at}
    where workspace_id = ${workspaceId} and id = ${id} and status = 'syncing'`.execute(tx)
}

/** Keeps that the provider asked for a pause. It outlives a cancel: the next sync waits for it too. */
export async function pauseSync(tx: Tx, workspaceId: string, id: string, until: Date, at: Date): Promise<void> {
  await sql`
    update connection set waiting_until = ${until}, error = null, sync_moved_at = ${at}
    where workspace_id = ${workspaceId} and id = ${id} and disconnected_at is null`.execute(tx)
}

/** Says on the tile that a sync met something that may pass; it goes on trying. */
export async function holdSync(tx: Tx, workspaceId: string, id: string, error: string, at: Date): Promise<void> {
  await sql`
    update connection set error = ${error}, sync_moved_at = ${at}
    where workspace_id = ${workspaceId} and id = ${id} and status = 'syncing'`.execute(tx)
}

/**
 * The sign-in ended at the provider: the tile says so and asks its owner to connect again. What was read stays. Nothing
 * happens when the owner has signed in anew since the connection was read.
 */
export async function signOut(
  tx: Tx,
  { workspaceId, id, sealedSecrets }: Pick<Connection, 'workspaceId' | 'id' | 'sealedSecrets'>,
  reason: string,
): Promise<void> {
  await sql`
    update connection set signed_out = true, status = 'connected', error = ${reason}, waiting_until = null
    where workspace_id = ${workspaceId} and id = ${id} and disconnected_at is null
      and sealed_secrets is not distinct from ${sealedSecrets}`.execute(tx)
}

/** Syncs that stand still although nobody waits for anything: their job was lost. */
export async function stalledSyncs(tx: Tx, workspaceId: string, stillSince: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from connection
    where workspace_id = ${workspaceId} and disconnected_at is null and status = 'syncing'
      and greatest(sync_moved_at, waiting_until) < ${stillSince}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Signed-in connections of these connectors that no sync has moved since then. */
export async function dueSyncs(
  tx: Tx,
  workspaceId: string,
  connectors: readonly string[],
  notSince: Date,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from connection
    where workspace_id = ${workspaceId} and disconnected_at is null and not signed_out and status = 'connected'
      and connector = any(${[...connectors]}::text[])
      and greatest(sync_moved_at, waiting_until, created_at) < ${notSince}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The live connections that a provider's event may be about; `ownApp`: their workspace has an app of its own there. */
export async function connectionsOfAccount(
  tx: Tx,
  connector: string,
  account: string,
): Promise<{ workspaceId: string; id: string; ownApp: boolean }[]> {
  const { rows } = await sql<{ workspaceId: string; id: string; ownApp: boolean }>`
    select workspace_id as "workspaceId", id, own_app as "ownApp"
    from provider_connections(${connector}, ${account})`.execute(tx)
  return rows
}
