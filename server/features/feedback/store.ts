import type { CompleteSpan, FeedbackItem } from '@groundswell/connectors/connector.ts'
import { safeLink } from '@groundswell/contract/values/web-address.ts'
import { sql } from 'kysely'
import { discardStalePlans } from '../../platform/db/stale-plans.ts'
import type { Tx } from '../../platform/db/tenant.ts'
import { connectionsView } from '../connections/index.ts'
import { clean, cleanJson, cleanName } from './clean.ts'
import { deleteContext, storeContext } from './conversation-store.ts'
import { lockStoring, withoutUnwanted } from './retention/store.ts'

/** One stored piece of feedback, with the connector it came from. */
export type FeedbackRow = {
  id: number
  connectionId: string
  externalId: string
  text: string
  original: string | null
  author: string | null
  link: string | null
  thread: string | null
  place: string | null
  saidAt: Date
  dateKnown: boolean
  dateOnly: boolean
  source: string
  /** For a connector with several connections. */
  sourceName: string | null
}

/**
 * The outcome of storing items. `known` were already stored, `changed` are the ids of those whose text was different
 * before (they count as known too). `firstId` and `lastId` span the added ones; null when nothing was added.
 */
export type Stored = {
  added: number
  known: number
  changed: number[]
  firstId: number | null
  lastId: number | null
}

/**
 * Stores items of one connection, each once by its external id; if a call has several with the same id, the last counts.
 * A stored item takes over a changed text, original, author, link, thread or place, and with a changed text
 * it counts as ungrouped again. Its date stays: a source without dates would move it each time it is read. What agents wrote is stored
 * as context and counted as known; a message whose author turns out to be the other one changes sides. What was erased, or would have
 * expired, is counted as known and not stored.
 */
export async function storeItems(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  items: readonly FeedbackItem[],
): Promise<Stored> {
  await lockStoring(tx, workspaceId)
  const wanted = await withoutUnwanted(tx, workspaceId, connectionId, items)
  const byId = new Map(wanted.map((item) => [item.externalId, item]))
  const agents = [...byId.values()].filter(({ role }) => role === 'agent')
  const unique = [...byId.values()].filter(({ role }) => role !== 'agent')
  await discardStalePlans(tx, unique.length)
  await storeContext(tx, workspaceId, connectionId, agents)
  if (agents.length > 0) await deleteMentioned(tx, workspaceId, connectionId, idsOf(agents))
  if (unique.some(({ thread }) => thread !== null)) await deleteContext(tx, workspaceId, connectionId, idsOf(unique))
  if (unique.length === 0) return { added: 0, known: items.length, changed: [], firstId: null, lastId: null }
  const input = sql`select * from unnest(
    ${unique.map((item) => item.externalId)}::text[], ${unique.map((item) => clean(item.text))}::text[],
    ${unique.map((item) => cleanName(item.author))}::text[], ${unique.map((item) => safeLink(item.link))}::text[],
    ${unique.map((item) => clean(item.thread))}::text[], ${unique.map((item) => cleanName(item.place))}::text[],
    ${unique.map((item) => cleanJson(item.attributes ?? {}))}::jsonb[],
    ${unique.map((item) => cleanJson(item.attachments ?? []))}::jsonb[],
    ${unique.map((item) => item.at)}::timestamptz[], ${unique.map((item) => item.dateKnown !== false)}::boolean[],
    ${unique.map((item) => item.dateOnly === true)}::boolean[], ${unique.map((item) => clean(item.original ?? null))}::text[]
  ) with ordinality as input (external_id, text, author, link, thread, place, attributes, attachments, said_at, date_known, date_only,
    original, position)`
  const inserted = await sql<{ added: number; firstId: number | null; lastId: number | null }>`
    with input as (${input}), added as (
      insert into feedback_item
        (workspace_id, connection_id, external_id, text, author, link, thread, place, attributes, attachments, said_at, date_known, date_only,
          original)
      select ${workspaceId}::uuid, ${connectionId}::uuid, external_id, text, author, link, thread, place, attributes,
        attachments, said_at, date_known, date_only, original
      from input order by position
      on conflict (workspace_id, connection_id, external_id) do nothing
      returning id
    )
    select count(*) as added, min(id) as "firstId", max(id) as "lastId" from added`.execute(tx)
  const { added = 0, firstId = null, lastId = null } = inserted.rows[0] ?? {}
  const changed = added < unique.length ? await updateChanged(tx, workspaceId, connectionId, input) : []
  return { added, known: items.length - added, changed, firstId, lastId }
}

async function updateChanged(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  input: ReturnType<typeof sql>,
): Promise<number[]> {
  const { rows } = await sql<{ id: number; textChanged: boolean }>`
    with input as (${input}), different as (
      select item.id, input.text, input.author, input.link, input.thread, input.place, input.attributes,
        input.attachments, input.original, item.text <> input.text as text_changed
      from input join feedback_item item on item.workspace_id = ${workspaceId} and item.connection_id = ${connectionId}
        and item.external_id = input.external_id
      where (item.text, item.author, item.link, item.thread, item.place, item.attributes, item.attachments, item.original)
        is distinct from
        (input.text, input.author, input.link, input.thread, input.place, input.attributes, input.attachments, input.original)
    )
    update feedback_item item
    set text = different.text, author = different.author, link = different.link, thread = different.thread,
      place = different.place, attributes = different.attributes, attachments = different.attachments,
      original = different.original, grouped_seq = case when text_changed then null else item.grouped_seq end
    from different where item.workspace_id = ${workspaceId} and item.id = different.id
    returning item.id, text_changed as "textChanged"`.execute(tx)
  return rows.filter((row) => row.textChanged).map((row) => row.id)
}

const idsOf = (items: readonly FeedbackItem[]): string[] => items.map(({ externalId }) => externalId)

/** Removes what their source has deleted, agents' messages too, by external id, and returns how many items there were. */
export async function deleteItems(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  externalIds: readonly string[],
): Promise<number> {
  await deleteContext(tx, workspaceId, connectionId, externalIds)
  return deleteMentioned(tx, workspaceId, connectionId, externalIds)
}

async function deleteMentioned(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  externalIds: readonly string[],
): Promise<number> {
  const result = await sql`
    delete from feedback_item
    where workspace_id = ${workspaceId} and connection_id = ${connectionId}
      and external_id = any(${[...externalIds]}::text[])`.execute(tx)
  return Number(result.numAffectedRows ?? 0)
}

/**
 * External ids of the stored messages in a span of one place, agents' too: of the first messages of threads, or of the others of one
 * thread.
 */
export async function externalIdsIn(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  { prefix, thread, after, before }: Pick<CompleteSpan, 'prefix' | 'thread' | 'after' | 'before'>,
): Promise<string[]> {
  const inSpan = sql`workspace_id = ${workspaceId} and connection_id = ${connectionId} and starts_with(external_id, ${prefix})
      and ${thread === null ? sql`thread = external_id` : sql`thread = ${thread} and thread <> external_id`}
      and said_at > coalesce(${after}::timestamptz, '-infinity') and said_at < coalesce(${before}::timestamptz, 'infinity')`
  const { rows } = await sql<{ id: string }>`
    select external_id as id from feedback_item where ${inSpan}
    union all select external_id from context_message where ${inSpan}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** All items of a workspace with the connector each came from, a page at a time by id. */
export async function readItemsAfter(
  tx: Tx,
  workspaceId: string,
  afterId: number,
  limit: number,
): Promise<FeedbackRow[]> {
  const { rows } = await sql<FeedbackRow>`
    select item.id, connection_id as "connectionId", external_id as "externalId", text, original, author, link, thread, place,
      said_at as "saidAt", date_known as "dateKnown", date_only as "dateOnly", connection.connector as source,
      nullif(connection.name, '') as "sourceName"
    from feedback_item item
    join ${connectionsView} connection on connection.workspace_id = item.workspace_id and connection.id = item.connection_id
    where item.workspace_id = ${workspaceId} and item.id > ${afterId}
    order by item.id limit ${limit}`.execute(tx)
  return rows
}

/** How many items wait to be grouped. */
export async function countItemsToGroup(tx: Tx, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from feedback_item
    where workspace_id = ${workspaceId} and grouped_seq is null`.execute(tx)
  return rows[0]?.count ?? 0
}

/** How many items were stored on the UTC day of that time, or later. */
export async function countItemsSince(tx: Tx, workspaceId: string, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from feedback_item
    where workspace_id = ${workspaceId} and stored_at >= date_trunc('day', ${since}::timestamptz, 'UTC')`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Marks an item as not grouped yet, for example after a change of its text. */
export async function ungroupItem(tx: Tx, workspaceId: string, id: number): Promise<void> {
  await sql`
    update feedback_item set grouped_seq = null where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
}

/**
 * Records that items were grouped, in this order after the sequence number `after`. `version`: of the row as it was read. False
 * when one has been changed or deleted since.
 */
export async function markGrouped(
  tx: Tx,
  workspaceId: string,
  after: number,
  items: readonly { id: number; version: string }[],
): Promise<boolean> {
  if (items.length === 0) return true
  const { numAffectedRows } = await sql`
    update feedback_item item set grouped_seq = ${after}::bigint + place.position
    from unnest(${`{${items.map((item) => item.id).join(',')}}`}::bigint[],
      ${`{${items.map((item) => item.version).join(',')}}`}::text[])
      with ordinality as place (id, version, position)
    where item.workspace_id = ${workspaceId} and item.id = place.id and item.xmin::text = place.version`.execute(tx)
  return Number(numAffectedRows) === items.length
}
