import type { FeedbackKind } from '@groundswell/contract/feedback/feedback-kind.ts'
import type { TeamStatus } from '@groundswell/contract/insights/team-status-value.ts'
import type { InsightStatus } from '@groundswell/contract/insights.ts'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import { described, shownName, shownSummary } from './shown-store.ts'

/** A stored insight. `shown`: not deleted, not ended, and mentioned in at least two messages. */
export type InsightRow = {
  issueNumber: number
  id: string
  name: string
  summary: string
  status: InsightStatus
  mentionCount: number
  peopleCount: number
  customerCount: number
  /** Different texts among its mentions; null: not counted yet. */
  textCount: number | null
  /** Known authors of its mentions; null: not counted yet. */
  authorCount: number | null
  /** Of its customers together; null: of none it is known. */
  revenue: number | null
  heard: number
  /** How many mentions were ever lost because their messages were deleted. */
  lost: number
  firstSeen: Date | null
  lastSeen: Date | null
  /** The first mention's date is a day without a time; the same of the last. */
  firstDateOnly: boolean
  lastDateOnly: boolean
  lastUpdated: Date
  /** The workspace's revision when a list last had to show a change of it. */
  revision: number
  sources: string[]
  locked: boolean
  nameByPerson: boolean
  shown: boolean
  /** Not shown because its messages were deleted. */
  withdrawn: boolean
  /** Of most of its mentions; null: of none it is known. */
  mainKind: FeedbackKind | null
  teamStatus: TeamStatus | null
  /** The person who set it, or none; null: nobody or a tracker. */
  teamStatusBy: string | null
  teamStatusAt: Date | null
  /** The account of the person who works on it. */
  assignedTo: string | null
}

export const insightColumns = sql`insight.issue_number as "issueNumber", insight.id, ${shownName} as name,
  ${shownSummary} as summary, insight.status, insight.mention_count as "mentionCount",
  insight.people_count as "peopleCount", insight.customer_count as "customerCount",
  insight.text_count as "textCount", insight.author_count as "authorCount", insight.revenue, insight.heard, insight.lost, insight.first_seen as "firstSeen",
  insight.first_date_only as "firstDateOnly", insight.last_seen as "lastSeen",
  insight.last_date_only as "lastDateOnly", insight.last_updated as "lastUpdated", insight.revision, insight.sources, insight.locked,
  insight.name_by_person as "nameByPerson",
  (insight.deleted_at is null and insight.ended_at is null and not insight.hidden) as shown,
  (insight.deleted_at is null and insight.merged_into is null and insight.lost > 0
    and (insight.ended_at is not null or insight.hidden)) as withdrawn, insight.main_kind as "mainKind", insight.team_status as "teamStatus",
  insight.team_status_by as "teamStatusBy", insight.team_status_at as "teamStatusAt", insight.assigned_to as "assignedTo"`

/** Insights by number, shown or not; all insights without `numbers`. */
async function readInsights(tx: Tx, workspaceId: string, numbers?: readonly number[]): Promise<InsightRow[]> {
  const { rows } = await sql<InsightRow>`
    select ${insightColumns} from insight ${described}
    where insight.workspace_id = ${workspaceId}
      ${numbers ? sql`and insight.issue_number = any(${[...numbers]}::int[])` : sql``}
    order by insight.issue_number`.execute(tx)
  return rows
}

/** One insight, shown or not; null when there is none with this number. */
export async function readInsight(tx: Tx, workspaceId: string, issueNumber: number): Promise<InsightRow | null> {
  const [row] = await readInsights(tx, workspaceId, [issueNumber])
  return row ?? null
}

/** The shown insights with the most mentions, largest first. */
export async function readLargestInsights(tx: Tx, workspaceId: string, limit: number): Promise<InsightRow[]> {
  const { rows } = await sql<InsightRow>`
    select ${insightColumns} from insight ${described}
    where insight.workspace_id = ${workspaceId} and insight.deleted_at is null and insight.ended_at is null
      and not insight.hidden
    order by insight.mention_count desc, insight.issue_number limit ${limit}`.execute(tx)
  return rows
}

/** Gives these insights a new revision, so that lists show them again. */
export async function markInsights(
  tx: Tx,
  workspaceId: string,
  numbers: readonly number[],
  revision: number,
): Promise<void> {
  await sql`
    update insight set revision = ${revision}::bigint
    where workspace_id = ${workspaceId} and issue_number = any(${[...numbers]}::int[])`.execute(tx)
}

/** Records that a person changed these insights: it counts as an update of each. */
export async function notePersonChange(
  tx: Tx,
  workspaceId: string,
  numbers: readonly number[],
  now: Date,
): Promise<void> {
  await sql`
    update insight set person_changed_at = ${now}::timestamptz, last_updated = greatest(last_updated, ${now}::timestamptz)
    where workspace_id = ${workspaceId} and issue_number = any(${[...numbers]}::int[])`.execute(tx)
}

/**
 * Records that the shown name or summary of an insight changed: lists show it again, and a new name is added to its history.
 * `revision`: the one raised in this transaction.
 */
export async function noteRenamed(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  names: { from: string; to: string },
  { revision, at }: { revision: number; at: Date },
): Promise<void> {
  await markInsights(tx, workspaceId, [issueNumber], revision)
  if (names.from === names.to) return
  await sql`
    insert into insight_event (workspace_id, issue_number, at, event, detail)
    values (${workspaceId}, ${issueNumber}, ${at}::timestamptz, 'renamed', ${JSON.stringify(names)}::jsonb)`.execute(tx)
}
