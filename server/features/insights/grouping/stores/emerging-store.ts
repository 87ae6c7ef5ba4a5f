import { sql } from 'kysely'
import type { Tx } from '../../../../platform/db/tenant.ts'
import { feedbackItemsView } from '../../../feedback/index.ts'
import type { EmergingChanges } from '../protocol.ts'
import type { DeletionMark } from './work-store.ts'

/** Creates or renames the described emerging insights, and keeps their highest number. A new one is hidden until its mentions are counted. */
export async function describeEmerging(
  tx: Tx,
  workspaceId: string,
  descriptions: EmergingChanges['descriptions'],
  now: Date,
): Promise<void> {
  if (descriptions.length === 0) return
  const numbers = descriptions.map((one) => one.issueId)
  await sql`
    insert into emerging_insight (workspace_id, number, name, summary, described_hash, created_at)
    select ${workspaceId}::uuid, number, name, summary, hash, ${now}::timestamptz
    from unnest(${numbers}::int[], ${descriptions.map((one) => one.name)}::text[],
      ${descriptions.map((one) => one.summary)}::text[], ${descriptions.map((one) => one.hash)}::text[])
      as described (number, name, summary, hash)
    on conflict (workspace_id, number) do update
    set name = excluded.name, summary = excluded.summary, described_hash = excluded.described_hash`.execute(tx)
  await sql`
    update engine_state set last_emerging = greatest(last_emerging, ${Math.max(...numbers)}::int)
    where workspace_id = ${workspaceId}`.execute(tx)
}

/** Removes those that have ended. */
export async function endEmerging(tx: Tx, workspaceId: string, ended: readonly number[]): Promise<void> {
  if (ended.length === 0) return
  await sql`
    delete from emerging_insight where workspace_id = ${workspaceId} and number = any(${[...ended]}::int[])`.execute(tx)
}

/** Recounts the mentions of these emerging insights. */
export async function recountEmerging(tx: Tx, workspaceId: string, numbers: readonly number[]): Promise<void> {
  if (numbers.length === 0) return
  await sql`
    with counted as (
      select s.emerging_number, count(*)::int as mentions, count(distinct coalesce(item.author, item.id::text))::int as people,
        min(s.item_id) < max(s.item_id) as recurs, min(s.said_at) as first_seen, max(s.said_at) as last_seen
      from statement s
      join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = s.item_id
      where s.workspace_id = ${workspaceId} and s.emerging_number = any(${[...numbers]}::int[])
      group by s.emerging_number
    )
    update emerging_insight one
    set mention_count = coalesce(counted.mentions, 0), people_count = coalesce(counted.people, 0),
      first_seen = counted.first_seen, last_seen = counted.last_seen, hidden = not coalesce(counted.recurs, false)
    from unnest(${[...numbers]}::int[]) as touched (number)
    left join counted on counted.emerging_number = touched.number
    where one.workspace_id = ${workspaceId} and one.number = touched.number`.execute(tx)
}

/** Emerging insights that were dismissed or restored since the last step. */
export async function readEmergingMarks(tx: Tx, workspaceId: string): Promise<DeletionMark[]> {
  const { rows } = await sql<DeletionMark>`
    select number as "issueNumber", dismissed_at is not null as deleted from emerging_insight
    where workspace_id = ${workspaceId} and dismissed_in_engine <> (dismissed_at is not null)
    order by number`.execute(tx)
  return rows
}

/** Records that the group index knows of these. */
export async function confirmEmergingMarks(tx: Tx, workspaceId: string, marks: readonly DeletionMark[]): Promise<void> {
  if (marks.length === 0) return
  await sql`
    update emerging_insight set dismissed_in_engine = mark.deleted
    from unnest(${marks.map((mark) => mark.issueNumber)}::int[], ${marks.map((mark) => mark.deleted)}::boolean[])
      as mark (number, deleted)
    where workspace_id = ${workspaceId} and emerging_insight.number = mark.number`.execute(tx)
}

/** For a rebuilt state: the dismissed ones, and the highest number so far. */
export async function readEmergingConstraints(
  tx: Tx,
  workspaceId: string,
): Promise<{ dismissed: number[]; lastEmerging: number }> {
  const { rows } = await sql<{ dismissed: number[] | null; lastEmerging: number | null }>`
    select (select array_agg(number) from emerging_insight where workspace_id = ${workspaceId} and dismissed_in_engine) as dismissed,
      (select last_emerging from engine_state where workspace_id = ${workspaceId}) as "lastEmerging"`.execute(tx)
  return { dismissed: rows[0]?.dismissed ?? [], lastEmerging: rows[0]?.lastEmerging ?? 0 }
}
