import type { FeedbackItem } from '@groundswell/connectors/connector.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { connectionsView } from '../../connections/index.ts'

/** What is erased, or expires, in one transaction. */
const BATCH = 500

/** Retention in days: for all sources (null: forever), and for sources with their own period. */
export type StoredRetention = { days: number | null; sources: ReadonlyMap<string, number> }

/** For how many days feedback is kept, in the workspace and by source; null: without an end. */
export async function readRetention(tx: Tx, workspaceId: string): Promise<StoredRetention> {
  const { rows } = await sql<{ connectionId: string | null; days: number }>`
    select connection_id as "connectionId", days from feedback_retention where workspace_id = ${workspaceId}`.execute(
    tx,
  )
  const own = rows.flatMap(({ connectionId, days }) => (connectionId === null ? [] : [[connectionId, days] as const]))
  return { days: rows.find(({ connectionId }) => connectionId === null)?.days ?? null, sources: new Map(own) }
}

/** Sets the days for one source, or for all without their own period (null); without days, removes the setting. */
export async function writeRetention(
  tx: Tx,
  workspaceId: string,
  connectionId: string | null,
  days: number | null,
): Promise<void> {
  if (days === null) {
    await sql`
      delete from feedback_retention
      where workspace_id = ${workspaceId} and connection_id is not distinct from ${connectionId}::uuid`.execute(tx)
    return
  }
  await sql`
    insert into feedback_retention (workspace_id, connection_id, days) values (${workspaceId}, ${connectionId}, ${days})
    on conflict (workspace_id, connection_id) do update set days = excluded.days`.execute(tx)
}

/** The workspaces with feedback past their retention period. */
export async function workspacesToExpire(tx: Tx, at: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select workspaces_to_expire(${at}) as id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Deletes up to 500 messages past their workspace's retention period, and as many of agents. Returns how many; 0: none is left. */
export async function deleteExpired(tx: Tx, workspaceId: string, at: Date): Promise<number> {
  const expired = (table: 'feedback_item' | 'context_message') => sql`
    select message.external_id, connection.id
    from ${connectionsView} connection
    cross join lateral (
      select days from feedback_retention kept where kept.workspace_id = ${workspaceId}
        and (kept.connection_id = connection.id or kept.connection_id is null)
      order by kept.connection_id nulls last limit 1
    ) kept
    cross join lateral (
      select external_id from ${sql.table(table)} message
      where message.workspace_id = ${workspaceId} and message.connection_id = connection.id
        and message.said_at < ${at}::timestamptz - kept.days * interval '1 day'
      order by message.said_at limit ${BATCH}
    ) message
    where connection.workspace_id = ${workspaceId} limit ${BATCH}`
  let removed = 0
  for (const table of ['feedback_item', 'context_message'] as const) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)}
      where workspace_id = ${workspaceId} and (external_id, connection_id) in (${expired(table)})`.execute(tx)
    removed += Number(numAffectedRows ?? 0)
  }
  return removed
}

/**
 * Transactions that store messages, or their earlier texts, share this lock until they end; one that erases a person holds it exclusively. So the erasure
 * sees everything that was being stored, and what is stored afterwards sees the erasure: a message that was being read again does not come back.
 */
export async function lockStoring(tx: Tx, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended('erase:' || ${workspaceId}, 0))`.execute(tx)
}

/** The exclusive side of `lockStoring`. */
export async function lockErasing(tx: Tx, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('erase:' || ${workspaceId}, 0))`.execute(tx)
}

/** What the authors of the stored messages are called, those of your own side too. */
export async function readAuthors(tx: Tx, workspaceId: string): Promise<string[]> {
  const { rows } = await sql<{ author: string }>`
    select author from feedback_item where workspace_id = ${workspaceId} and author is not null
    union select author from context_message where workspace_id = ${workspaceId} and author is not null`.execute(tx)
  return rows.map(({ author }) => author)
}

/** The items whose author has this name, ignoring case, in ascending order, and how many messages that person wrote as an agent. */
export async function readItemsByAuthor(
  tx: Tx,
  workspaceId: string,
  author: string,
): Promise<{ ids: number[]; context: number }> {
  const { rows } = await sql<{ id: number }>`
    select id from feedback_item
    where workspace_id = ${workspaceId} and lower(author) = lower(${author}::text) order by id`.execute(tx)
  const counted = await sql<{ count: number }>`
    select count(*)::int as count from context_message
    where workspace_id = ${workspaceId} and lower(author) = lower(${author}::text)`.execute(tx)
  return { ids: rows.map(({ id }) => id), context: counted.rows[0]?.count ?? 0 }
}

/**
 * Deletes all messages of a person, and the earlier texts of messages that carry their name, and remembers digests of their ids: see
 * `withoutUnwanted`. Returns how many messages there were.
 */
export async function eraseMessages(tx: Tx, workspaceId: string, author: string, at: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with items as (
      delete from feedback_item where workspace_id = ${workspaceId} and lower(author) = lower(${author}::text)
      returning connection_id, external_id
    ), answers as (
      delete from context_message where workspace_id = ${workspaceId} and lower(author) = lower(${author}::text)
      returning connection_id, external_id
    ), earlier as (
      delete from replaced_text where workspace_id = ${workspaceId} and lower(author) = lower(${author}::text)
    ), named as (
      update import set
        own_people = (select coalesce(jsonb_agg(person), '[]') from jsonb_array_elements_text(own_people) as known (person)
          where lower(person) <> lower(${author}::text)),
        own_side = case when own_side is not null then jsonb_set(own_side, '{authors}',
          (select coalesce(jsonb_agg(person), '[]') from jsonb_array_elements_text(own_side -> 'authors') as known (person)
            where lower(person) <> lower(${author}::text))) end
      where workspace_id = ${workspaceId} and exists (
        select from jsonb_array_elements_text(own_people || coalesce(own_side -> 'authors', '[]')) as known (person)
        where lower(person) = lower(${author}::text))
    ), messages as (select * from items union select * from answers), remembered as (
      insert into erased_message (workspace_id, connection_id, id_digest, erased_at)
      select ${workspaceId}::uuid, connection_id, sha256(convert_to(external_id, 'UTF8')), ${at}::timestamptz from messages
      on conflict do nothing
    )
    select count(*)::int as count from messages`.execute(tx)
  return rows[0]?.count ?? 0
}

/** A source's messages without those that were erased or are older than the retention period. */
export async function withoutUnwanted<Item extends Pick<FeedbackItem, 'externalId' | 'at'>>(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  items: readonly Item[],
): Promise<readonly Item[]> {
  if (items.length === 0) return items
  const { rows } = await sql<{ id: string }>`
    select input.id from unnest(${items.map(({ externalId }) => externalId)}::text[], ${items.map(({ at }) => at)}::timestamptz[])
      as input (id, said_at)
    where exists (
      select from erased_message erased where erased.workspace_id = ${workspaceId} and erased.connection_id = ${connectionId}
        and erased.id_digest = sha256(convert_to(input.id, 'UTF8'))
    ) or input.said_at < now() - interval '1 day' * (
      select days from feedback_retention kept where kept.workspace_id = ${workspaceId}
        and (kept.connection_id = ${connectionId} or kept.connection_id is null)
      order by kept.connection_id nulls last limit 1
    )`.execute(tx)
  if (rows.length === 0) return items
  const unwanted = new Set(rows.map(({ id }) => id))
  return items.filter(({ externalId }) => !unwanted.has(externalId))
}
