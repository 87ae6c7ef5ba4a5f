import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { feedbackItemsView } from '../../feedback/index.ts'
import { numberArray, textArray } from '../array-literal.ts'

/** What changed in one millisecond is one row, of the last cause. Rows are in one order, so that the index is written from left to right. */
const addRows = (rows: RawBuilder<unknown>) => sql`
  insert into mention_move as stored (workspace_id, issue_number, item_id, at, arrived_at, mentions, cause)
  ${rows}
  on conflict (workspace_id, issue_number, item_id, at) do update
  set mentions = stored.mentions + excluded.mentions, cause = excluded.cause`

/**
 * Runs an update of statements that returns `item_id`, `former` and `present` (the insight before and after it) and `cause`, and notes what the insights
 * got and lost by it. Nothing is noted of `fresh` items.
 */
export async function notingMoves(
  tx: Tx,
  workspaceId: string,
  update: RawBuilder<unknown>,
  fresh: readonly number[],
  at: Date,
): Promise<void> {
  await sql`
    with moved as (${update})
    ${addRows(sql`
      select ${workspaceId}::uuid, side.issue_number, moved.item_id, ${at}::timestamptz, item.stored_at, sum(side.mentions),
        max(moved.cause)
      from moved
      cross join lateral (values (moved.former, -1), (moved.present, 1)) side (issue_number, mentions)
      join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = moved.item_id
      where side.issue_number is not null and moved.item_id <> all(${numberArray(fresh)}::bigint[])
      group by side.issue_number, moved.item_id, item.stored_at having sum(side.mentions) <> 0
      order by side.issue_number, moved.item_id`)}`.execute(tx)
}

/** An item that is grouped again. `former`: the insight of each of its earlier mentions that was in one. */
export type Rereading = { itemId: number; former: readonly number[]; cause: 'edited' | 'read' | 'person' }

/** The greatest id of an item with statements; 0: there is none. */
export async function readLastGrouped(tx: Tx, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`
    select max(item_id) as last from statement where workspace_id = ${workspaceId}`.execute(tx)
  return rows[0]?.last ?? 0
}

/** Notes what insights got and lost because items were grouped again. To be called after their new mentions are stored. */
export async function noteRereadings(
  tx: Tx,
  workspaceId: string,
  rereadings: readonly Rereading[],
  at: Date,
): Promise<void> {
  if (rereadings.length === 0) return
  const former = rereadings.flatMap((one) => one.former.map((issueNumber) => ({ ...one, issueNumber })))
  await sql`
    with reread as (
      select item_id, cause from unnest(${numberArray(rereadings.map((one) => one.itemId))}::bigint[],
        ${textArray(rereadings.map((one) => one.cause))}::text[]) as reread (item_id, cause)
    ), side as (
      select item_id, issue_number, -1 as mentions from unnest(${numberArray(former.map((one) => one.itemId))}::bigint[],
        ${numberArray(former.map((one) => one.issueNumber))}::int[]) as former (item_id, issue_number)
      union all
      select item_id, issue_number, 1 from statement
      where workspace_id = ${workspaceId} and issue_number is not null
        and item_id = any(${numberArray(rereadings.map((one) => one.itemId))}::bigint[])
    )
    ${addRows(sql`
      select ${workspaceId}::uuid, side.issue_number, side.item_id, ${at}::timestamptz, item.stored_at, sum(side.mentions),
        max(reread.cause)
      from side join reread on reread.item_id = side.item_id
      join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = side.item_id
      group by side.issue_number, side.item_id, item.stored_at having sum(side.mentions) <> 0
      order by side.issue_number, side.item_id`)}`.execute(tx)
}

/** Notes what insights lost because messages were deleted, where it is known when these had arrived. */
export async function noteDeletions(
  tx: Tx,
  workspaceId: string,
  deleted: readonly { itemId: number; issueNumbers: readonly number[]; arrivedAt: Date | null }[],
  at: Date,
): Promise<void> {
  const lost = deleted.flatMap(({ itemId, issueNumbers, arrivedAt }) =>
    arrivedAt === null ? [] : issueNumbers.map((issueNumber) => ({ itemId, issueNumber, arrivedAt })),
  )
  if (lost.length === 0) return
  await addRows(sql`
    select ${workspaceId}::uuid, issue_number, item_id, ${at}::timestamptz, arrived_at, -count(*), 'deleted'
    from unnest(${numberArray(lost.map((one) => one.itemId))}::bigint[], ${numberArray(lost.map((one) => one.issueNumber))}::int[],
      ${textArray(lost.map((one) => one.arrivedAt.toISOString()))}::timestamptz[]) as lost (item_id, issue_number, arrived_at)
    group by issue_number, item_id, arrived_at order by issue_number, item_id`).execute(tx)
}
