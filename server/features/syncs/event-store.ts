import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** An event of a provider that waits to be handled, as it was sent. */
export type StoredEvent = { id: string; payload: Record<string, unknown> }

/** Stores an event of a connection; false when it is already stored. */
export async function storeEvent(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  { id, payload }: StoredEvent,
): Promise<boolean> {
  const { rows } = await sql`
    insert into provider_event (workspace_id, connection_id, event_id, kept)
    values (${workspaceId}, ${connectionId}, ${id}, ${JSON.stringify(payload)}::jsonb)
    on conflict do nothing returning 1`.execute(tx)
  return rows.length > 0
}

/** Removes all events of a connection. */
export async function forgetEvents(tx: Tx, workspaceId: string, connectionId: string): Promise<void> {
  await sql`
    delete from provider_event where workspace_id = ${workspaceId} and connection_id = ${connectionId}`.execute(tx)
}

/** The oldest event of a connection that was not handled yet, without those in `except`; null when there is none. */
export async function oldestEvent(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  except: readonly string[] = [],
): Promise<StoredEvent | null> {
  const { rows } = await sql<StoredEvent>`
    select event_id as id, kept as payload from provider_event
    where workspace_id = ${workspaceId} and connection_id = ${connectionId} and kept is not null
      and event_id <> all(${[...except]}::text[])
    order by received_at, event_id limit 1`.execute(tx)
  return rows[0] ?? null
}

/** An event that was not handled yet; null when it is handled or gone. */
export async function waitingEvent(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  eventId: string,
): Promise<StoredEvent | null> {
  const { rows } = await sql<StoredEvent>`
    select event_id as id, kept as payload from provider_event
    where workspace_id = ${workspaceId} and connection_id = ${connectionId} and event_id = ${eventId}
      and kept is not null`.execute(tx)
  return rows[0] ?? null
}

/** Locks an event that was not handled yet. False when another worker did so first. */
export async function isWaiting(tx: Tx, workspaceId: string, connectionId: string, eventId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from provider_event
    where workspace_id = ${workspaceId} and connection_id = ${connectionId} and event_id = ${eventId}
      and kept is not null
    for update`.execute(tx)
  return rows.length > 0
}

/** Marks an event as handled: only its id and what it touched stay. */
export async function markHandled(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  eventId: string,
  touched: readonly string[],
): Promise<void> {
  await sql`
    update provider_event set kept = null, followed_at = now(), touched = ${[...touched]}::text[]
    where workspace_id = ${workspaceId} and connection_id = ${connectionId} and event_id = ${eventId}`.execute(tx)
}

/** External ids that events have changed since then, by the database's clock. */
export async function touchedSince(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  since: Date,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select unnest(touched) as id from provider_event
    where workspace_id = ${workspaceId} and connection_id = ${connectionId} and followed_at >= ${since}`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** The database's clock, which all workers share. */
export async function databaseTime(tx: Tx): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(tx)
  if (!rows[0]) throw new Error('the database has no time')
  return rows[0].at
}

/** Connections with events that were received between two times and not handled. */
export async function connectionsWithUnhandledEvents(
  tx: Tx,
  workspaceId: string,
  from: Date,
  to: Date,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct connection_id as id from provider_event
    where workspace_id = ${workspaceId} and kept is not null and received_at between ${from} and ${to}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Deletes events so old that no provider sends them again. */
export async function deleteOldEvents(tx: Tx, workspaceId: string, before: Date): Promise<void> {
  await sql`delete from provider_event where workspace_id = ${workspaceId} and received_at < ${before}`.execute(tx)
}

/**
 * Workspaces with a stalled or due sync, events received between two times and not handled, old events, or expired
 * sign-ins. Run without a workspace.
 */
export async function workspacesToSync(
  tx: Tx,
  pulled: readonly string[],
  before: { stalled: Date; due: Date; events: Date; now: Date },
  unhandled: { from: Date; to: Date },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select workspaces_to_sync(${[...pulled]}::text[], ${before.stalled}, ${before.due}, ${unhandled.from}, ${unhandled.to},
      ${before.events}, ${before.now}) as id`.execute(tx)
  return rows.map(({ id }) => id)
}
