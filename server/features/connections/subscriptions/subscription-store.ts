import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'

/** A connection's subscription to its provider's events. `state` is null until it was created there. */
export type StoredSubscription = {
  keyHash: Buffer
  sealed: string | null
  state: Record<string, unknown> | null
  expiresAt: Date | null
}

const columns = sql`key_hash as "keyHash", sealed, state, expires_at as "expiresAt"`

/** The subscription of a connection; null when it has none. `lock`: locked until the transaction ends. */
export async function readSubscription(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  { lock = false } = {},
): Promise<StoredSubscription | null> {
  const { rows } = await sql<StoredSubscription>`
    select ${columns} from event_subscription
    where workspace_id = ${workspaceId} and connection_id = ${connectionId} ${lock ? sql`for update` : sql``}`.execute(
    tx,
  )
  return rows[0] ?? null
}

/** Stores a subscription that is still to be created, or makes the existing one due. */
export async function requireSubscription(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  { keyHash, sealed }: { keyHash: Buffer; sealed: string },
  dueAt: Date,
): Promise<void> {
  await sql`
    insert into event_subscription (workspace_id, connection_id, key_hash, sealed, due_at)
    values (${workspaceId}, ${connectionId}, ${keyHash}, ${sealed}, ${dueAt})
    on conflict (workspace_id, connection_id) do update set due_at = excluded.due_at`.execute(tx)
}

/** Gives a subscription another key and other secrets, as if it had not been created: its old ones cannot be opened. */
export async function replaceKey(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  { keyHash, sealed }: { keyHash: Buffer; sealed: string },
): Promise<void> {
  await sql`
    update event_subscription set key_hash = ${keyHash}, sealed = ${sealed}
    where workspace_id = ${workspaceId} and connection_id = ${connectionId}`.execute(tx)
}

/** Stores what the provider has created or renewed. */
export async function storeSubscription(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  made: { sealed: string; state: Record<string, unknown>; expiresAt: Date | null; dueAt: Date },
): Promise<void> {
  await sql`
    update event_subscription
    set sealed = ${made.sealed}, state = ${JSON.stringify(made.state)}::jsonb, expires_at = ${made.expiresAt},
      due_at = ${made.dueAt}, note = null
    where workspace_id = ${workspaceId} and connection_id = ${connectionId}`.execute(tx)
}

/** Stores why there is no working subscription, and when it is tried again. */
export async function noteSubscription(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  { note, dueAt }: { note: string; dueAt: Date },
): Promise<void> {
  await sql`
    update event_subscription set note = ${note}, due_at = ${dueAt}
    where workspace_id = ${workspaceId} and connection_id = ${connectionId}`.execute(tx)
}

/** Removes a subscription: from then on its key is unknown. */
export async function deleteSubscription(tx: Tx, workspaceId: string, connectionId: string): Promise<void> {
  await sql`
    delete from event_subscription where workspace_id = ${workspaceId} and connection_id = ${connectionId}`.execute(tx)
}

/** Connections whose subscription is to be checked, renewed or tried again. */
export async function dueSubscriptions(tx: Tx, workspaceId: string, at: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select s.connection_id as id
    from event_subscription s join connection c on c.workspace_id = s.workspace_id and c.id = s.connection_id
    where s.workspace_id = ${workspaceId} and s.due_at <= ${at} and c.disconnected_at is null and not c.signed_out`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

/** Workspaces with such connections. Run without a workspace. */
export async function workspacesToSubscribe(tx: Tx, at: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select workspaces_to_subscribe(${at}) as id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The live, signed-in connection whose subscription has this key; null when there is none. Run without a workspace. */
export async function subscribedConnection(
  tx: Tx,
  connector: string,
  keyHash: Buffer,
): Promise<{ workspaceId: string; id: string } | null> {
  const { rows } = await sql<{ workspaceId: string; id: string }>`
    select workspace_id as "workspaceId", id from subscribed_connection(${connector}, ${keyHash})`.execute(tx)
  return rows[0] ?? null
}
