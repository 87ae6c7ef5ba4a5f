import type { MoveCause } from '@groundswell/contract/insights/insight-detail.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { feedbackItemsView } from '../../feedback/index.ts'

const shown = sql`insight.deleted_at is null and insight.ended_at is null and not insight.hidden`

/** What of an insight changed since a time: see `MemberChange`. `isNew`: it was made after it. */
export type MemberCounts = { issueNumber: number; arrived: number; came: number; left: number; isNew: boolean }

/**
 * The shown insights that changed since a time. Messages that arrived since are in the statements; for earlier ones, the moves
 * show which came and left. A message that left and returned counts as neither.
 */
export async function readMemberCounts(tx: Tx, workspaceId: string, since: Date): Promise<MemberCounts[]> {
  const { rows } = await sql<MemberCounts>`
    select insight.issue_number as "issueNumber", coalesce(arrived.mentions, 0)::int as arrived,
      coalesce(moved.came, 0)::int as came, coalesce(moved."left", 0)::int as "left",
      insight.created_at > ${since}::timestamptz as "isNew"
    from (
      select s.issue_number, count(*) as mentions
      from ${feedbackItemsView} item join statement s on s.workspace_id = ${workspaceId} and s.item_id = item.id
      where item.workspace_id = ${workspaceId} and item.stored_at > ${since}::timestamptz and s.issue_number is not null
      group by 1
    ) arrived
    full join (
      select issue_number, sum(greatest(mentions, 0)) as came, sum(greatest(-mentions, 0)) as "left"
      from (
        select issue_number, item_id, sum(mentions) as mentions from mention_move
        where workspace_id = ${workspaceId} and at > ${since}::timestamptz and arrived_at <= ${since}::timestamptz
        group by 1, 2 having sum(mentions) <> 0
      ) by_message group by 1
    ) moved on moved.issue_number = arrived.issue_number
    join insight on insight.workspace_id = ${workspaceId}
      and insight.issue_number = coalesce(arrived.issue_number, moved.issue_number) and ${shown}
    order by coalesce(arrived.mentions, 0) desc, insight.issue_number`.execute(tx)
  return rows
}

/** How many mentions of an insight arrived on a UTC day, `day`, that were in it at the end of that day. `at`: the last of them. */
export type Arrivals = { day: Date; at: Date; mentions: number }

/** What arrived on each UTC day, newest first. Moves on the day of the arrival are no moves: the insight had not been without them the day before. */
export async function readArrivals(tx: Tx, workspaceId: string, issueNumber: number): Promise<Arrivals[]> {
  const { rows } = await sql<Arrivals>`
    select date_trunc('day', at, 'UTC') as day, max(at) as at, sum(mentions)::int as mentions
    from (
      select item.stored_at as at, 1 as mentions
      from statement s join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = s.item_id
      where s.workspace_id = ${workspaceId} and s.issue_number = ${issueNumber}
      union all
      select arrived_at, -mentions from ${laterMoves(workspaceId, issueNumber)} move
    ) arrived
    group by 1 having sum(mentions) <> 0 order by 1 desc`.execute(tx)
  return rows
}

const laterMoves = (workspaceId: string, issueNumber: number) => sql`(
  select * from mention_move where workspace_id = ${workspaceId} and issue_number = ${issueNumber}
    and date_trunc('day', at, 'UTC') > date_trunc('day', arrived_at, 'UTC'))`

/** What an insight got, or with `mentions` below 0 lost, of one message on a UTC day, by the last cause of that day. */
export type Moved = { day: Date; at: Date; itemId: number; mentions: number; cause: MoveCause }

/** Which messages came and left on each UTC day that had arrived before it, newest first. */
export async function readMoved(tx: Tx, workspaceId: string, issueNumber: number): Promise<Moved[]> {
  const { rows } = await sql<Moved>`
    select date_trunc('day', at, 'UTC') as day, max(at) as at, item_id as "itemId", sum(mentions)::int as mentions,
      (array_agg(cause order by at desc))[1] as cause
    from ${laterMoves(workspaceId, issueNumber)} move
    group by 1, 3 having sum(mentions) <> 0 order by 1 desc, 3 desc`.execute(tx)
  return rows
}

/** The beginnings of messages, and an insight that each is in now; those that were deleted are left out. */
export async function readMovedMessages(
  tx: Tx,
  workspaceId: string,
  itemIds: readonly number[],
): Promise<Map<number, { text: string; issueNumber: number | null }>> {
  const { rows } = await sql<{ id: number; text: string; issueNumber: number | null }>`
    select item.id, left(item.text, 200) as text,
      (select min(issue_number) from statement where workspace_id = ${workspaceId} and item_id = item.id) as "issueNumber"
    from ${feedbackItemsView} item
    where item.workspace_id = ${workspaceId} and item.id = any(${[...itemIds]}::bigint[])`.execute(tx)
  return new Map(rows.map(({ id, ...message }) => [id, message]))
}
