import type { FeedbackKind, KindCount } from '@groundswell/contract/feedback/feedback-kind.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { numberArray } from '../array-literal.ts'
import { raiseRevision } from '../revision.ts'
import { markInsights } from '../store.ts'

/** The places of mentions that are in no insight, and of those that carry no feedback, among the counts by insight. */
const UNGROUPED = 0
const COURTESIES = -1

const kindOrder = sql`array_position(array['problem', 'request', 'question', 'praise', 'small talk'], kind)`

/**
 * Adds what changed since the last time to the counts by kind, and returns the insights that it concerns, under `revision` or, if that is null,
 * one raised here. To be called under the lock on the version of the groups.
 */
export async function foldKinds(tx: Tx, workspaceId: string, revision: number | null): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    with gone as (
      delete from kind_change where workspace_id = ${workspaceId} returning issue_number, kind, mentions
    )
    insert into kind_count (workspace_id, issue_number, kind, mentions)
    select ${workspaceId}::uuid, issue_number, kind, sum(mentions)::int from gone
    group by issue_number, kind having sum(mentions) <> 0
    on conflict (workspace_id, issue_number, kind) do update set mentions = kind_count.mentions + excluded.mentions
    returning issue_number as number`.execute(tx)
  const touched = [...new Set(rows.map((row) => row.number))]
  if (touched.length === 0) return []
  await sql`
    delete from kind_count where workspace_id = ${workspaceId} and mentions = 0
      and issue_number = any(${numberArray(touched)}::int[])`.execute(tx)
  const insights = touched.filter((number) => number > UNGROUPED)
  if (insights.length === 0) return []
  await sql`
    update insight set chatter_count = coalesce(counted.chatter, 0), main_kind = counted.main
    from unnest(${numberArray(insights)}::int[]) as touched (number)
    cross join lateral (
      select sum(mentions) filter (where kind in ('praise', 'small talk')) as chatter,
        (array_agg(kind order by mentions desc, ${kindOrder}) filter (where kind <> 'agrees'))[1] as main
      from kind_count where workspace_id = ${workspaceId} and issue_number = touched.number
    ) counted
    where insight.workspace_id = ${workspaceId} and insight.issue_number = touched.number`.execute(tx)
  await markInsights(tx, workspaceId, insights, revision ?? (await raiseRevision(tx, workspaceId)))
  return insights
}

/** The mentions of an insight by kind, most first; those that only agree with another are left out. */
export function countKindsOf(tx: Tx, workspaceId: string, issueNumber: number): Promise<KindCount[]> {
  return readCounts(tx, workspaceId, [issueNumber])
}

/** The mentions in no insight by kind. `courtesies`: also those that carry no feedback. */
export function countUngroupedKinds(tx: Tx, workspaceId: string, courtesies: boolean): Promise<KindCount[]> {
  return readCounts(tx, workspaceId, courtesies ? [UNGROUPED, COURTESIES] : [UNGROUPED])
}

async function readCounts(tx: Tx, workspaceId: string, places: readonly number[]): Promise<KindCount[]> {
  const place = sql`workspace_id = ${workspaceId} and issue_number = any(${numberArray(places)}::int[]) and kind <> 'agrees'`
  const { rows } = await sql<{ kind: FeedbackKind; count: number }>`
    select kind, sum(mentions)::int as count from (
      select kind, mentions from kind_count where ${place}
      union all select kind, mentions from kind_change where ${place}
    ) counted group by kind having sum(mentions) > 0 order by ${kindOrder}`.execute(tx)
  return rows
}
