import type { EventType } from '@groundswell/contract/receivers/event-types.ts'
import type { Receiver } from '@groundswell/contract/receivers.ts'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

type DisabledBecause = NonNullable<Receiver['disabled']>['reason']

/** A stored receiver. `sealed`: null: a backup without secrets left them out. `events`: null: all. */
export type ReceiverRow = {
  id: string
  sealed: string | null
  description: string
  events: string[] | null
  disabledBecause: DisabledBecause | null
  disabledAt: Date | null
  failingSince: Date | null
  createdAt: Date
}

const columns = sql`id, sealed, description, events, disabled_because as "disabledBecause", disabled_at as "disabledAt",
  failing_since as "failingSince", created_at as "createdAt"`

/** The receivers of a workspace, the oldest first. */
export async function readReceivers(tx: Tx, workspaceId: string): Promise<ReceiverRow[]> {
  const { rows } = await sql<ReceiverRow>`
    select ${columns} from receiver where workspace_id = ${workspaceId} order by created_at, id`.execute(tx)
  return rows
}

/** One receiver; null: there is none. `lock`: until the transaction ends. */
export async function readReceiver(
  tx: Tx,
  workspaceId: string,
  id: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<ReceiverRow | null> {
  const { rows } = await sql<ReceiverRow>`
    select ${columns} from receiver where workspace_id = ${workspaceId} and id = ${id} ${lock ? sql`for update` : sql``}`.execute(
    tx,
  )
  return rows[0] ?? null
}

/** How many receivers a workspace has. One transaction at a time counts and adds. */
export async function countReceivers(tx: Tx, workspaceId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`receivers ${workspaceId}`}, 0))`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from receiver where workspace_id = ${workspaceId}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** What a person enters. */
export type ReceiverFields = { description: string; events: readonly EventType[] | null }

/** Adds a receiver, enabled. */
export async function addReceiver(
  tx: Tx,
  workspaceId: string,
  { id, sealed, description, events, at }: ReceiverFields & { id: string; sealed: string; at: Date },
): Promise<void> {
  await sql`
    insert into receiver (workspace_id, id, sealed, description, events, created_at)
    values (${workspaceId}, ${id}, ${sealed}, ${description}, ${events as string[] | null}::text[], ${at})`.execute(tx)
}

/** Replaces the fields of a receiver that are given. */
export async function writeReceiver(
  tx: Tx,
  workspaceId: string,
  id: string,
  { sealed, description, events }: Partial<ReceiverFields> & { sealed?: string },
): Promise<void> {
  await sql`
    update receiver set sealed = coalesce(${sealed ?? null}::text, sealed), description = coalesce(${description ?? null}::text, description),
      events = ${events === undefined ? sql`events` : sql`${events as string[] | null}::text[]`}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
}

/** Enables a receiver, as if no attempt had failed, or disables it. */
export async function setDisabled(
  tx: Tx,
  workspaceId: string,
  id: string,
  because: DisabledBecause | null,
  at: Date,
): Promise<void> {
  await sql`
    update receiver set disabled_because = ${because}::text, disabled_at = ${because === null ? null : at}::timestamptz,
      failing_since = case when ${because}::text is null then null else failing_since end
    where workspace_id = ${workspaceId} and id = ${id} and disabled_because is distinct from ${because}::text`.execute(
    tx,
  )
}

/** Records whether the last attempt failed, and returns since when every attempt has; null: it did not. */
export async function noteAttempt(
  tx: Tx,
  workspaceId: string,
  id: string,
  { failed, at }: { failed: boolean; at: Date },
): Promise<Date | null> {
  const { rows } = await sql<{ since: Date | null }>`
    update receiver set failing_since = case when ${failed}::boolean then coalesce(failing_since, ${at}::timestamptz) end
    where workspace_id = ${workspaceId} and id = ${id} returning failing_since as since`.execute(tx)
  return rows[0]?.since ?? null
}

/** Deletes a receiver with its deliveries. False: there is none. */
export async function removeReceiver(tx: Tx, workspaceId: string, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from receiver where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
  return numAffectedRows === 1n
}
