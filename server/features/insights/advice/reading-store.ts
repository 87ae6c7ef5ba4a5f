import type { ReadingReach } from '@groundswell/contract/feedback/reading.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { feedbackItemsView, ungroupItem } from '../../feedback/index.ts'
import type { StoredPoint } from '../grouping/stores/point-store.ts'
import { MAX_TEXT_CHARACTERS } from '../grouping/stores/work-store.ts'
import { type AskedWith, holdGroups } from './answer-store.ts'

/** A message that a language model has not read. `before`: the first message of its conversation, if that is another one. */
export type UnreadMessage = { itemId: number; text: string; hash: string; before: string | null }

/** Why a message is not read: it addresses a model, it is too long, or no reply about it was acceptable. */
type NotRead = 'withheld' | 'length' | 'reply'

/** What was read in a message, in the order of the reply, or why nothing could be. */
export type Reading = { itemId: number; hash: string } & ({ points: StoredPoint[] } | { unread: NotRead })

/**
 * Which messages are to be read: those grouped after the version `after` of the groups that were stored after message `since`, those
 * up to message `before`, and those that a person wants read again.
 */
export type UnreadScope = { after: number; since: number; before: number }

/** How many messages there are of each state of reading. `left`: those that are to be read still. */
export type ReadingCounts = Record<'read' | 'empty' | 'unread' | 'left', number>

/** Characters of an earlier message, enough to know what a reply is about. */
const MAX_BEFORE = 600

const hashOf = (text: RawBuilder<unknown>) => sql`encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`

/** Whether people have corrected the message `item` or what was read in it, or locked an insight that it is in: it keeps its mentions. */
const isKept = (workspaceId: string) => sql`(
  exists (select from statement_rule where workspace_id = ${workspaceId} and item_id = item.id)
  or exists (select from model_reading where workspace_id = ${workspaceId} and item_id = item.id and corrected)
  or exists (
    select from statement s join insight on insight.workspace_id = ${workspaceId} and insight.issue_number = s.issue_number
    where s.workspace_id = ${workspaceId} and s.item_id = item.id and insight.locked))`

/** A person may have asked for a message to be read that has not been yet. */
const isRead = sql`(points is not null or unread is not null)`

const isUnread = (workspaceId: string) => sql`
  not exists (select from model_reading where workspace_id = ${workspaceId} and item_id = item.id)
  and not ${isKept(workspaceId)}`

/**
 * The newest messages that are to be read, without those that people have corrected, which keep their mentions. `version`: of the groups
 * now. `before`: the newest of the stored messages that is still to be read; 0 if none is.
 */
export async function readUnread(
  tx: Tx,
  workspaceId: string,
  { after, since, before }: UnreadScope,
  limit: number,
): Promise<{ version: number; before: number; messages: UnreadMessage[] }> {
  const groups = await sql<{ version: number }>`
    select head as version from engine_state where workspace_id = ${workspaceId}`.execute(tx)
  const { version = 0 } = groups.rows[0] ?? {}
  const stored = sql`${feedbackItemsView} item where item.workspace_id = ${workspaceId}`
  const earlier = await sql<{ id: number }>`
    select id from ${stored} and id <= ${before}::bigint and grouped_seq is not null and ${isUnread(workspaceId)}
    order by id desc limit ${limit}`.execute(tx)
  const fresh = await sql<{ id: number }>`
    select id from ${stored} and id > ${since}::bigint and grouped_seq > ${after}::bigint and grouped_seq <= ${version}::bigint
      and ${isUnread(workspaceId)}
    order by id desc limit ${limit}`.execute(tx)
  const again = await sql<{ id: number }>`
    select item_id as id from model_reading
    where workspace_id = ${workspaceId} and again order by item_id desc limit ${limit}`.execute(tx)
  const ids = [...new Set([...fresh.rows, ...again.rows, ...earlier.rows].map(({ id }) => id))].slice(0, limit)
  const { rows } = await sql<UnreadMessage>`
    select item.id as "itemId", left(item.text, ${MAX_TEXT_CHARACTERS}::int) as text, ${hashOf(sql`item.text`)} as hash,
      case when first.id <> item.id then first.text end as before
    from unnest(${ids}::bigint[]) with ordinality as wanted (id, place)
    join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = wanted.id
    left join lateral (
      select id, left(text, ${MAX_BEFORE}::int) as text from ${feedbackItemsView} earliest
      where workspace_id = ${workspaceId} and connection_id = item.connection_id and thread = item.thread
      order by said_at, id limit 1
    ) first on true
    order by wanted.place`.execute(tx)
  return { version, before: earlier.rows[0]?.id ?? 0, messages: rows }
}

/**
 * Stores readings of messages whose text is still the same, and has those messages grouped again, except for those that a person has
 * corrected meanwhile. True when any is.
 */
export async function storeReadings(
  tx: Tx,
  workspaceId: string,
  readings: readonly Reading[],
  by: AskedWith & { now: Date },
): Promise<boolean> {
  await holdGroups(tx, workspaceId)
  const given = readings.map((one) => ({
    id: one.itemId,
    hash: one.hash,
    points: 'points' in one ? one.points : null,
    unread: 'unread' in one ? one.unread : null,
  }))
  const { rows } = await sql<{ itemId: number; grouped: boolean }>`
    with given as (
      select id, hash, nullif(points, 'null'::jsonb) as points, unread
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as one (id bigint, hash text, points jsonb, unread text)
    ), item as (
      select item.id, given.points, given.unread, ${isKept(workspaceId)} as kept
      from ${feedbackItemsView} item join given on given.id = item.id
      where item.workspace_id = ${workspaceId} and ${hashOf(sql`item.text`)} = given.hash
      order by item.id for update of item
    )
    insert into model_reading as stored (workspace_id, item_id, points, unread, state, model, prompt_version, read_at)
    select ${workspaceId}::uuid, id, points, unread, case when points is not null and not kept then 'waiting' end,
      ${by.model}, ${by.promptVersion}, ${by.now}::timestamptz
    from item order by id
    on conflict (workspace_id, item_id) do update
    set points = excluded.points, unread = excluded.unread, state = excluded.state, again = false, model = excluded.model,
      prompt_version = excluded.prompt_version, read_at = excluded.read_at
    where not stored.corrected
    returning item_id as "itemId", state is not null as grouped`.execute(tx)
  const changed = rows.filter((row) => row.grouped)
  for (const { itemId } of changed) await ungroupItem(tx, workspaceId, itemId)
  return changed.length > 0
}

/** Has a message read, again if it was read before. `kept`: people have corrected it. `missing`: there is no such message. */
export async function requestReading(
  tx: Tx,
  workspaceId: string,
  itemId: number,
  now: Date,
): Promise<'requested' | 'kept' | 'missing'> {
  const { rows } = await sql<{ kept: boolean }>`
    select ${isKept(workspaceId)} as kept from ${feedbackItemsView} item
    where item.workspace_id = ${workspaceId} and item.id = ${itemId}`.execute(tx)
  const [found] = rows
  if (!found) return 'missing'
  if (found.kept) return 'kept'
  await sql`
    insert into model_reading (workspace_id, item_id, again, model, prompt_version, read_at)
    values (${workspaceId}, ${itemId}, true, '', '', ${now}::timestamptz)
    on conflict (workspace_id, item_id) do update set again = true`.execute(tx)
  return 'requested'
}

/** Whether any message is to be read again. */
export async function isReadingRequested(tx: Tx, workspaceId: string): Promise<boolean> {
  const { rows } = await sql`select from model_reading where workspace_id = ${workspaceId} and again limit 1`.execute(
    tx,
  )
  return rows.length > 0
}

/** The last message that is stored; 0 if none is. */
export async function readLastItem(tx: Tx, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select coalesce(max(id), 0)::bigint as id from ${feedbackItemsView} item where workspace_id = ${workspaceId}`.execute(
    tx,
  )
  return rows[0]?.id ?? 0
}

/** How far the reading of a workspace is, with the messages of this scope that are left. */
export async function countReadings(
  tx: Tx,
  workspaceId: string,
  { since, before }: Pick<UnreadScope, 'since' | 'before'>,
): Promise<ReadingCounts> {
  const inScope = (id: RawBuilder<unknown>) => sql`(${id} > ${since}::bigint or ${id} <= ${before}::bigint)`
  const { rows } = await sql<ReadingCounts>`
    select count(*) filter (where jsonb_array_length(points) > 0)::int as read,
      count(*) filter (where jsonb_array_length(points) = 0)::int as empty,
      count(*) filter (where unread is not null)::int as unread,
      greatest(0, (select count(*) from ${feedbackItemsView} item where workspace_id = ${workspaceId} and ${inScope(sql`id`)})
        - count(*) filter (where ${isRead} and ${inScope(sql`item_id`)})
        - (select count(*) from (
            select item_id from statement_rule where workspace_id = ${workspaceId}
            union select s.item_id from insight join statement s
              on s.workspace_id = ${workspaceId} and s.issue_number = insight.issue_number
            where insight.workspace_id = ${workspaceId} and insight.locked
          ) kept
          where ${inScope(sql`kept.item_id`)} and not exists (
            select from model_reading where workspace_id = ${workspaceId} and item_id = kept.item_id and ${isRead}))
      )::int as left
    from model_reading where workspace_id = ${workspaceId}`.execute(tx)
  return rows[0] ?? { read: 0, empty: 0, unread: 0, left: 0 }
}

/** What is there that reading the stored messages may change. */
export async function countReach(tx: Tx, workspaceId: string): Promise<ReadingReach> {
  const readable = sql`
    exists (select from ${feedbackItemsView} item where item.workspace_id = ${workspaceId} and item.id = s.item_id and ${isUnread(workspaceId)})`
  const { rows } = await sql<ReadingReach>`
    select shown.insights, shown.insights_to_change, (
        select count(distinct s.item_id)::int from statement s
        where s.workspace_id = ${workspaceId} and s.issue_number is null and s.kind = 'pending'
          and s.feedback_kind is distinct from 'praise' and s.feedback_kind is distinct from 'small talk' and ${readable}
      ) as ungrouped, (
        select count(*)::int from ${feedbackItemsView} item where item.workspace_id = ${workspaceId} and ${isKept(workspaceId)}
      ) as kept
    from (
      select count(*)::int as insights, count(*) filter (where exists (
        select from statement s where s.workspace_id = ${workspaceId} and s.issue_number = insight.issue_number and ${readable}
      ))::int as insights_to_change
      from insight where insight.workspace_id = ${workspaceId} and insight.deleted_at is null and insight.ended_at is null and not insight.hidden
    ) shown`.execute(tx)
  return rows[0] ?? { insights: 0, insights_to_change: 0, ungrouped: 0, kept: 0 }
}
