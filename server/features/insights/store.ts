import { INSIGHT_FIELDS, type InsightField, type InsightValues } from '@groundswell/contract/insight-fields.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import { described, shownName, shownSummary } from './shown-store.ts'

/**
 * A stored insight: its fields (`contract/insight-fields.ts`) by their names in replies, and what only the server knows of it. `shown`: not
 * deleted, not ended, and mentioned in at least two messages.
 */
export type InsightRow = InsightValues & {
  id: string
  heard: number
  /** How many mentions were ever lost because their messages were deleted. */
  lost: number
  locked: boolean
  name_by_person: boolean
  shown: boolean
  /** Not shown because its messages were deleted. */
  withdrawn: boolean
  /** The person who set the team status, or none; null: nobody or a tracker. */
  team_status_by: string | null
  team_status_at: Date | null
}

/** Where a field is read from, if not from the column with its name. */
const readFrom: { [K in InsightField]?: RawBuilder<unknown> } = {
  issue_name: shownName,
  summary: shownSummary,
  first_seen_date_only: sql`insight.first_date_only`,
  last_seen_date_only: sql`insight.last_date_only`,
}

const fieldColumns = INSIGHT_FIELDS.map(
  (name) => sql`${readFrom[name] ?? sql.ref(`insight.${name}`)} as ${sql.ref(name)}`,
)

/** What a query over `insight`, with `described`, selects for an `InsightRow`. */
export const insightColumns = sql`${sql.join(fieldColumns)}, insight.id, insight.heard, insight.lost, insight.locked,
  insight.name_by_person, (insight.deleted_at is null and insight.ended_at is null and not insight.hidden) as shown,
  (insight.deleted_at is null and insight.merged_into is null and insight.lost > 0
    and (insight.ended_at is not null or insight.hidden)) as withdrawn, insight.team_status_by, insight.team_status_at`

/** One insight, shown or not; null when there is none with this number. */
export async function readInsight(tx: Tx, workspaceId: string, issueNumber: number): Promise<InsightRow | null> {
  const { rows } = await sql<InsightRow>`
    select ${insightColumns} from insight ${described}
    where insight.workspace_id = ${workspaceId} and insight.issue_number = ${issueNumber}`.execute(tx)
  return rows[0] ?? null
}

/** The shown insights, those with the most mentions first. `numbers`: only these; `limit`: the most rows. */
export async function readShownInsights(
  tx: Tx,
  workspaceId: string,
  { numbers, limit }: { numbers?: readonly number[]; limit?: number },
): Promise<InsightRow[]> {
  const { rows } = await sql<InsightRow>`
    select ${insightColumns} from insight ${described}
    where insight.workspace_id = ${workspaceId} and insight.deleted_at is null and insight.ended_at is null
      and not insight.hidden ${numbers ? sql`and insight.issue_number = any(${[...numbers]}::int[])` : sql``}
    order by insight.mention_count desc, insight.issue_number limit ${limit ?? null}`.execute(tx)
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
