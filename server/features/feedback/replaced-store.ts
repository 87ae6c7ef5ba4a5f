import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import type { StoredItem } from './imports/row-store.ts'

/**
 * Stores items as they are before an import replaces their text, once each. Items that this import added are left out:
 * they have no earlier text. Returns the ids of those stored now.
 */
export async function keepReplaced(
  tx: Tx,
  workspaceId: string,
  importId: string,
  ids: readonly number[],
): Promise<number[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    insert into replaced_text
      (workspace_id, import_id, item_id, external_id, text, author, link, thread, place, attributes, said_at, date_known, date_only, original)
    select workspace_id, ${importId}::uuid, id, external_id, text, author, link, thread, place, attributes, said_at, date_known, date_only,
      original
    from feedback_item item
    where workspace_id = ${workspaceId} and id = any(${[...ids]}::bigint[])
      and not exists (select from import_row own where own.workspace_id = ${workspaceId} and own.item_id = item.id
        and own.import_id = ${importId} and own.added)
    on conflict do nothing
    returning item_id as id`.execute(tx)
  return rows.map((row) => row.id)
}

/** Texts that an import replaced, with what took their place, by the item's id. Both cut to 2,000 characters. */
export async function readReplaced(
  tx: Tx,
  workspaceId: string,
  importId: string,
  after: number,
  limit: number,
): Promise<{ item_id: number; before: string; after: string }[]> {
  const { rows } = await sql<{ item_id: number; before: string; after: string }>`
    select kept.item_id, left(kept.text, 2000) as before, left(item.text, 2000) as after
    from replaced_text kept join feedback_item item on item.workspace_id = ${workspaceId} and item.id = kept.item_id
    where kept.workspace_id = ${workspaceId} and kept.import_id = ${importId} and kept.item_id > ${after}
    order by kept.item_id limit ${limit}`.execute(tx)
  return rows
}

/**
 * Removes what an import replaced from the store. Where a later import replaced the text again, that one now has the
 * earliest text and nothing else changes; the others are returned, as they were, to be written back.
 */
export async function takeReplaced(
  tx: Tx,
  workspaceId: string,
  importId: string,
  itemIds: readonly number[] | null,
): Promise<StoredItem[]> {
  const { rows } = await sql<StoredItem>`
    with taken as (
      delete from replaced_text
      where workspace_id = ${workspaceId} and import_id = ${importId}
        ${itemIds ? sql`and item_id = any(${[...itemIds]}::bigint[])` : sql``}
      returning *
    ), later as (
      select distinct on (next.item_id) next.import_id, next.item_id
      from replaced_text next join taken on next.item_id = taken.item_id and next.replaced_at > taken.replaced_at
      where next.workspace_id = ${workspaceId} and next.import_id <> ${importId}
      order by next.item_id, next.replaced_at
    ), handed as (
      update replaced_text next
      set external_id = taken.external_id, text = taken.text, author = taken.author, link = taken.link,
        thread = taken.thread, place = taken.place, attributes = taken.attributes, said_at = taken.said_at, date_known = taken.date_known,
        date_only = taken.date_only, original = taken.original
      from taken join later on later.item_id = taken.item_id
      where next.workspace_id = ${workspaceId} and next.import_id = later.import_id and next.item_id = later.item_id
      returning next.item_id
    )
    select item_id as id, external_id as "externalId", text, author, link, thread, place, attributes, said_at as "saidAt",
      date_known as "dateKnown", date_only as "dateOnly", original
    from taken
    where item_id not in (select item_id from later) and (select count(*) from handed) >= 0
    order by item_id`.execute(tx)
  return rows
}

/** Which of these items can have their id: no other item of their source has it. */
export async function freeIds(tx: Tx, workspaceId: string, items: readonly StoredItem[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select item.id from unnest(${items.map((one) => one.id)}::bigint[], ${items.map((one) => one.externalId)}::text[])
      as input (id, external_id)
    join feedback_item item on item.workspace_id = ${workspaceId} and item.id = input.id
    where not exists (select from feedback_item other where other.workspace_id = ${workspaceId}
      and other.connection_id = item.connection_id and other.external_id = input.external_id and other.id <> item.id)`.execute(
    tx,
  )
  return new Set(rows.map((row) => row.id))
}

/** The ids of the items that only this import has rows of, ascending: they are removed with it. */
export async function readOwnItems(tx: Tx, workspaceId: string, importId: string): Promise<number[]> {
  const { rows: all } = await sql<{ id: number }>`
    select distinct item_id as id from import_row
    where workspace_id = ${workspaceId} and import_id = ${importId} order by 1`.execute(tx)
  const { rows: shared } = await sql<{ id: number }>`
    select distinct item_id as id from import_row
    where workspace_id = ${workspaceId} and item_id = any(${all.map((row) => row.id)}::bigint[])
      and import_id <> ${importId}`.execute(tx)
  const others = new Set(shared.map((row) => row.id))
  return all.flatMap(({ id }) => (others.has(id) ? [] : [id]))
}

/** How many items an import has rows of. */
export async function countItemsOf(tx: Tx, workspaceId: string, importId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct item_id) as count from import_row
    where workspace_id = ${workspaceId} and import_id = ${importId}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Removes items by their ids, and returns how many there were. */
export async function removeItems(tx: Tx, workspaceId: string, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0
  const { numAffectedRows } = await sql`
    delete from feedback_item where workspace_id = ${workspaceId} and id = any(${[...ids]}::bigint[])`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** How many items get an earlier text back when this import and its items `itemIds` are deleted. */
export async function countRestorable(
  tx: Tx,
  workspaceId: string,
  importId: string,
  itemIds: readonly number[],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from replaced_text kept
    where kept.workspace_id = ${workspaceId} and kept.import_id = ${importId}
      and kept.item_id <> all(${[...itemIds]}::bigint[])
      and not exists (select from replaced_text next where next.workspace_id = ${workspaceId}
        and next.item_id = kept.item_id and next.replaced_at > kept.replaced_at)`.execute(tx)
  return rows[0]?.count ?? 0
}
