import type { FeedbackItem } from '@groundswell/connectors/connector.ts'
import { safeLink } from '@groundswell/contract/values/web-address.ts'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import { clean, cleanJson, cleanName } from './clean.ts'

/** One message of a conversation, a customer's or an agent's. `itemId` is null for an agent's. */
type ThreadMessage = {
  itemId: number | null
  text: string
  /** Null: not kept, as it is the text or at the source. */
  original: string | null
  author: string | null
  link: string | null
  attachments: string[]
  saidAt: Date
  dateKnown: boolean
  dateOnly: boolean
}

/** A conversation around one of its items. `attributes`: what the provider knows about the item. */
export type ThreadAround = {
  messages: ThreadMessage[]
  attributes: Record<string, string>
  /** There are more messages before or after those. */
  earlier: boolean
  later: boolean
}

/** Messages that are read before an item, and after it. */
const MAX_EACH_WAY = 10

/**
 * Stores what agents wrote, each message once by its external id. A message outside a thread belongs to no conversation and is not stored.
 * `importId`: the import that has them. Returns how many are stored for the first time or differ from what was stored.
 */
export async function storeContext(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  items: readonly FeedbackItem[],
  importId: string | null = null,
): Promise<number> {
  const byId = new Map(items.filter(({ thread }) => thread !== null).map((item) => [item.externalId, item]))
  const unique = [...byId.values()]
  if (unique.length === 0) return 0
  const { numAffectedRows } = await sql`
    insert into context_message as stored
      (workspace_id, connection_id, external_id, thread, text, author, link, attachments, said_at, date_only, import_id)
    select ${workspaceId}::uuid, ${connectionId}::uuid, input.*, ${importId}::uuid from unnest(
      ${unique.map((item) => item.externalId)}::text[], ${unique.map((item) => clean(item.thread))}::text[],
      ${unique.map((item) => clean(item.text))}::text[], ${unique.map((item) => cleanName(item.author))}::text[],
      ${unique.map((item) => safeLink(item.link))}::text[],
      ${unique.map((item) => cleanJson(item.attachments ?? []))}::jsonb[],
      ${unique.map((item) => item.at)}::timestamptz[], ${unique.map((item) => item.dateOnly === true)}::boolean[]) as input
    on conflict (workspace_id, connection_id, external_id) do update
    set thread = excluded.thread, text = excluded.text, author = excluded.author, link = excluded.link,
      attachments = excluded.attachments, said_at = excluded.said_at, date_only = excluded.date_only,
      import_id = excluded.import_id
    where (stored.thread, stored.text, stored.author, stored.link, stored.attachments, stored.import_id)
      is distinct from
      (excluded.thread, excluded.text, excluded.author, excluded.link, excluded.attachments, excluded.import_id)`.execute(
    tx,
  )
  return Number(numAffectedRows ?? 0)
}

/** Removes messages of agents by external id. */
export async function deleteContext(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  externalIds: readonly string[],
): Promise<void> {
  await sql`
    delete from context_message
    where workspace_id = ${workspaceId} and connection_id = ${connectionId}
      and external_id = any(${[...externalIds]}::text[])`.execute(tx)
}

/** Removes the messages of agents that an import was the last to have. */
export async function deleteContextOfImport(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  importId: string,
): Promise<void> {
  await sql`
    delete from context_message
    where workspace_id = ${workspaceId} and connection_id = ${connectionId} and import_id = ${importId}`.execute(tx)
}

/** Removes whole conversations. Returns the external ids of all that was removed, and how many of those were customers' messages. */
export async function deleteThreads(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  threads: readonly string[],
): Promise<{ ids: string[]; items: number }> {
  if (threads.length === 0) return { ids: [], items: 0 }
  const ofThreads = sql`workspace_id = ${workspaceId} and connection_id = ${connectionId}
    and thread = any(${[...threads]}::text[])`
  const agents = await sql<{ id: string }>`
    delete from context_message where ${ofThreads} returning external_id as id`.execute(tx)
  const customers = await sql<{ id: string }>`
    delete from feedback_item where ${ofThreads} returning external_id as id`.execute(tx)
  return { ids: [...customers.rows, ...agents.rows].map(({ id }) => id), items: customers.rows.length }
}

/**
 * The conversation around an item, oldest first and with it. Empty when the item does not exist; only the item where it is in no
 * thread.
 */
export async function readThread(tx: Tx, workspaceId: string, itemId: number): Promise<ThreadAround> {
  const { rows } = await sql<ThreadMessage & { attributes: Record<string, string> | null; position: number }>`
    with about as (
      select connection_id, thread, id from feedback_item where workspace_id = ${workspaceId} and id = ${itemId}
    ), thread as (
      select item.id as "itemId", item.text, item.original, item.author, item.link, item.attachments, item.said_at as "saidAt",
        item.date_known as "dateKnown", item.date_only as "dateOnly", item.attributes
      from about join feedback_item item on item.workspace_id = ${workspaceId}
        and (item.id = about.id or (item.connection_id = about.connection_id and item.thread = about.thread))
      union all
      select null, said.text, null, said.author, said.link, said.attachments, said.said_at, true, said.date_only, null
      from about join context_message said on said.workspace_id = ${workspaceId}
        and said.connection_id = about.connection_id and said.thread = about.thread
    ), ordered as (
      select *, row_number() over (order by "saidAt", "itemId" nulls last, text)::int as place from thread
    ), relative as (
      select *, place - (select place from ordered where "itemId" = ${itemId}) as position from ordered
    )
    select "itemId", text, original, author, link, attachments, "saidAt", "dateKnown", "dateOnly", attributes, position from relative
    where abs(position) <= ${MAX_EACH_WAY} + 1 order by position`.execute(tx)
  const near = rows.filter(({ position }) => Math.abs(position) <= MAX_EACH_WAY)
  return {
    messages: near.map(({ itemId: id, text, original, author, link, attachments, saidAt, dateKnown, dateOnly }) => ({
      itemId: id,
      text,
      original,
      author,
      link,
      attachments,
      saidAt,
      dateKnown,
      dateOnly,
    })),
    attributes: rows.find((row) => row.itemId === itemId)?.attributes ?? {},
    earlier: rows.some(({ position }) => position < -MAX_EACH_WAY),
    later: rows.some(({ position }) => position > MAX_EACH_WAY),
  }
}
