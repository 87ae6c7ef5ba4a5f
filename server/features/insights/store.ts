import type { InsightStatus } from '@groundswell/contract/insights.ts'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import { raiseRevision } from './revision.ts'
import { described, shownName, shownSummary } from './shown-store.ts'

/** One insight as it is stored. `shown`: neither deleted nor ended nor below two mentions. */
export type InsightRow = {
  issueNumber: number
  id: string
  name: string
  summary: string
  status: InsightStatus
  mentionCount: number
  peopleCount: number
  heard: number
  /** Mentions whose messages were deleted, ever. */
  lost: number
  firstSeen: Date | null
  lastSeen: Date | null
  lastUpdated: Date
  sources: string[]
  locked: boolean
  nameByPerson: boolean
  shown: boolean
  /** It is not shown because its messages were deleted. */
  withdrawn: boolean
}

/** One mention. `text` are its own words: exactly `message.slice(start, end)`. */
export type EvidenceRow = {
  issueNumber: number
  itemId: number
  number: number
  start: number
  end: number
  text: string
  /** The stored message; where a query says so, only as far as the mention needs it. */
  message: string
  author: string | null
  link: string | null
  place: string | null
  saidAt: Date
  source: string
}

/** Where a page of evidence ended. */
export type EvidencePlace = { saidAt: Date; itemId: number; number: number }

const insightColumns = sql`insight.issue_number as "issueNumber", insight.id, ${shownName} as name,
  ${shownSummary} as summary, insight.status, insight.mention_count as "mentionCount",
  insight.people_count as "peopleCount", insight.heard, insight.lost, insight.first_seen as "firstSeen",
  insight.last_seen as "lastSeen", insight.last_updated as "lastUpdated", insight.sources, insight.locked,
  insight.name_by_person as "nameByPerson",
  (insight.deleted_at is null and insight.ended_at is null and not insight.hidden) as shown,
  (insight.deleted_at is null and insight.merged_into is null and insight.lost > 0
    and (insight.ended_at is not null or insight.hidden)) as withdrawn`

export const evidenceColumns = sql`s.issue_number as "issueNumber", s.item_id as "itemId", s.number, s.start_offset as start,
  s.end_offset as end, item.author, item.link, item.place, s.said_at as "saidAt", connection.connector as source`

/** Insights by number, shown or not; of all numbers when none are given. */
async function readInsights(tx: Tx, workspaceId: string, numbers?: readonly number[]): Promise<InsightRow[]> {
  const { rows } = await sql<InsightRow>`
    select ${insightColumns} from insight ${described}
    where insight.workspace_id = ${workspaceId}
      ${numbers ? sql`and insight.issue_number = any(${[...numbers]}::int[])` : sql``}
    order by insight.issue_number`.execute(tx)
  return rows
}

/** One insight, shown or not; null when there is none of this number. */
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

/** Insights that a list made at an earlier revision has to show anew or to leave out. */
export async function readChangedInsights(tx: Tx, workspaceId: string, since: number): Promise<InsightRow[]> {
  const { rows } = await sql<InsightRow>`
    select ${insightColumns} from insight ${described}
    where insight.workspace_id = ${workspaceId} and insight.revision > ${since}::bigint
    order by insight.issue_number`.execute(tx)
  return rows
}

/** The newest mentions of each of these issues, newest first, each message cut behind its mention. */
export async function readNewestEvidence(
  tx: Tx,
  workspaceId: string,
  numbers: readonly number[],
  limit: number,
): Promise<EvidenceRow[]> {
  const { rows } = await sql<Omit<EvidenceRow, 'text'>>`
    select ${evidenceColumns}, left(item.text, s.end_offset) as message
    from unnest(${[...numbers]}::int[]) as wanted (number)
    cross join lateral (
      select * from statement
      where workspace_id = ${workspaceId} and issue_number = wanted.number
      order by said_at desc, item_id desc, number desc limit ${limit}
    ) s
    join feedback_item item on item.workspace_id = ${workspaceId} and item.id = s.item_id
    join connection on connection.workspace_id = ${workspaceId} and connection.id = item.connection_id
    order by s.issue_number, s.said_at desc, s.item_id desc, s.number desc`.execute(tx)
  return rows.map(withText)
}

/** A page of the mentions of one issue, newest first, with whole messages, after the place given. */
export async function readEvidencePage(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  after: EvidencePlace | null,
  limit: number,
): Promise<EvidenceRow[]> {
  const { rows } = await sql<Omit<EvidenceRow, 'text'>>`
    select ${evidenceColumns}, item.text as message
    from statement s
    join feedback_item item on item.workspace_id = ${workspaceId} and item.id = s.item_id
    join connection on connection.workspace_id = ${workspaceId} and connection.id = item.connection_id
    where s.workspace_id = ${workspaceId} and s.issue_number = ${issueNumber} ${after ? olderThan(after) : sql``}
    order by s.said_at desc, s.item_id desc, s.number desc limit ${limit}`.execute(tx)
  return rows.map(withText)
}

/** What comes behind that place in a list that begins with the newest. */
export const olderThan = ({ saidAt, itemId, number }: EvidencePlace) =>
  sql`and (s.said_at, s.item_id, s.number) < (${saidAt}::timestamptz, ${itemId}::bigint, ${number}::smallint)`

/** Mentions of each issue in weeks, counted back from the week that ends at its `until`: 0 is that week. */
export async function readWeeks(
  tx: Tx,
  workspaceId: string,
  wanted: readonly { issueNumber: number; until: Date }[],
  weeks: number,
): Promise<{ issueNumber: number; weeksAgo: number; mentions: number }[]> {
  const { rows } = await sql<{ issueNumber: number; weeksAgo: number; mentions: number }>`
    select wanted.number as "issueNumber",
      ceil(extract(epoch from (wanted.until - s.said_at)) / 604800)::int - 1 as "weeksAgo", count(*)::int as mentions
    from unnest(${wanted.map((one) => one.issueNumber)}::int[],
      ${wanted.map((one) => one.until.toISOString())}::timestamptz[]) as wanted (number, until)
    join statement s on s.workspace_id = ${workspaceId} and s.issue_number = wanted.number
      and s.said_at < wanted.until and s.said_at >= wanted.until - ${weeks}::int * interval '7 days'
    group by 1, 2`.execute(tx)
  return rows
}

/** Deletes a shown insight, or restores a deleted one. False when there is no such insight. */
export async function markDeleted(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  deletedAt: Date | null,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update insight set deleted_at = ${deletedAt}::timestamptz, revision = ${await raiseRevision(tx, workspaceId)}::bigint
    where workspace_id = ${workspaceId} and issue_number = ${issueNumber} and ended_at is null
      and ${deletedAt ? sql`deleted_at is null and not hidden` : sql`deleted_at is not null`}`.execute(tx)
  return numAffectedRows === 1n
}

/** Has lists of an earlier revision show these insights anew. */
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

/**
 * Has lists show an insight anew whose shown name or summary is another now, and notes a new name in its history.
 * `revision` was raised in this transaction.
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

/** Says that an insight has reached a destination. Only one that was new or a regression changes by that. */
export async function markPushed(tx: Tx, workspaceId: string, issueNumber: number): Promise<void> {
  const insight = await readInsight(tx, workspaceId, issueNumber)
  if (insight?.status !== 'created' && insight?.status !== 'regressed') return
  const revision = await raiseRevision(tx, workspaceId)
  await sql`
    update insight set status = 'pushed', revision = ${revision}::bigint
    where workspace_id = ${workspaceId} and issue_number = ${issueNumber}
      and status in ('created', 'regressed')`.execute(tx)
}

/** Offsets count UTF-16 units and SQL counts characters, so mentions are cut here and never in SQL. */
export function withText(row: Omit<EvidenceRow, 'text'>): EvidenceRow {
  return { ...row, text: row.message.slice(row.start, row.end) }
}
