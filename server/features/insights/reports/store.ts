import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { numberArray } from '../array-literal.ts'
import { keptMentions, readDue } from './day-store.ts'
import { type Dimension, type Sql, segmentDimension, segmentKeys, sourceDimension } from './dimension-store.ts'
import {
  aroundStarts,
  dayIn,
  type ReportSpan,
  saidAround,
  saidIn,
  startsOfPeriods,
  startsOfSpan,
  utcDay,
} from './span-store.ts'

/** Mentions of a part; `start`: the day, week or month in which they were said, null: before the span. */
export type PartCount = { key: string | null; start: string | null; mentions: number }

/** The group of each insight by its number, from 1; 0: it is not counted. */
export type Groups = Uint32Array

/**
 * The group of the insight of a row. From an array and not by a join: a report reads up to a million counts, and this way PostgreSQL reads them in
 * parallel and in their order.
 */
const groupIn = (groups: Groups) => sql`coalesce((${numberArray([...groups.subarray(1)])}::int[])[issue_number], 0)`

/**
 * Mentions by group of insights, as the text of its number. From the counts by day, which are kept up to date, and in other zones than UTC from the mentions
 * around the first days of periods, which belong to another day there. Filtered by attributes, the mentions of the span are read.
 */
export function countGroups(tx: Tx, workspaceId: string, span: ReportSpan, groups: Groups): Promise<PartCount[]> {
  if (span.values.length > 0) {
    const said = sql`
      select ${groupIn(groups)} as part, ${dayIn(span)} as day from statement
      where workspace_id = ${workspaceId} and issue_number is not null and ${saidAround(workspaceId, span)}`
    return inPeriods(
      tx,
      span,
      sql`select part::text as key, day, count(*) as mentions from (${said}) said where part > 0 group by 1, 2`,
    )
  }
  const counts = (table: Sql) => sql`
    select ${groupIn(groups)} as part, day, sum(mentions) as mentions from ${table}
    where workspace_id = ${workspaceId} and day between ${span.previousFrom}::date and ${span.to}::date
    group by 1, 2`
  return inPeriods(
    tx,
    span,
    sql`
    select part::text as key, day, mentions
    from (
      ${counts(sql`insight_day`)} union all ${counts(sql`mention_change`)}
      union all ${counts(movedMentions(workspaceId, span, startsOfPeriods(span)))}
    ) counted where part > 0`,
  )
}

/** Mentions that are of another day in the zone than in UTC, as a table of what that changes: one less on the day in UTC, one more on the other. */
const movedMentions = (workspaceId: string, span: ReportSpan, starts: Sql) => sql`(
  select workspace_id, issue_number, moved.day, moved.mentions
  from statement cross join lateral (values (${utcDay}, -1), (${dayIn(span)}, 1)) moved (day, mentions)
  where workspace_id = ${workspaceId} and issue_number is not null and ${aroundStarts(span, starts)} and ${utcDay} <> ${dayIn(span)}
) moved_mention`

/**
 * Mentions of the shown insights by a dimension; `groups`: these insights. From the counts by day where they are up to date, else, and filtered by
 * attributes, from the mentions of the span.
 */
export async function countMentions(
  tx: Tx,
  workspaceId: string,
  span: ReportSpan,
  groups: Groups,
  dimension: Dimension,
): Promise<PartCount[]> {
  const isGrouped = sql`${groupIn(groups)} > 0`
  const due = span.values.length === 0 ? await readDue(tx, workspaceId, span) : 'many'
  if (due !== 'many') {
    const unshown = (await readUnshown(tx, workspaceId)).map(({ number }) => number)
    return inPeriods(tx, span, keptMentions(workspaceId, span, dimension, { isGrouped, unshown, due }))
  }
  const { key, joins } = dimension
  return inPeriods(
    tx,
    span,
    sql`
    select ${key} as key, ${dayIn(span)} as day, count(*) as mentions
    from statement ${joins}
    where statement.workspace_id = ${workspaceId} and issue_number is not null and ${saidAround(workspaceId, span)} and ${isGrouped}
    group by 1, 2`,
  )
}

/** Mentions of an insight in the span, and before it. */
export type InsightCount = { number: number; total: number; previous: number }

/** Mentions of each insight that is in a group and has any; `part`: only those with this key of a dimension. */
export async function countInsights(
  tx: Tx,
  workspaceId: string,
  span: ReportSpan,
  groups: Groups,
  part?: { dimension: Dimension; key: string | null },
): Promise<InsightCount[]> {
  const counts = (table: Sql) => sql`
    select issue_number, day >= ${span.from}::date as recent, mentions from ${table}
    where workspace_id = ${workspaceId} and day between ${span.previousFrom}::date and ${span.to}::date`
  const { key, joins } = part?.dimension ?? { key: sql`null`, joins: sql`` }
  const counted =
    part === undefined && span.values.length === 0
      ? sql`
        ${counts(sql`insight_day`)} union all ${counts(sql`mention_change`)}
        union all ${counts(movedMentions(workspaceId, span, startsOfSpan(span)))}`
      : sql`
        select issue_number, ${dayIn(span)} >= ${span.from}::date as recent, 1 as mentions from statement ${joins}
        where statement.workspace_id = ${workspaceId} and issue_number is not null and ${saidIn(workspaceId, span)}
          and ${key}::text is not distinct from ${part?.key ?? null}::text`
  const { rows } = await sql<InsightCount>`
    select issue_number as number, coalesce(sum(mentions) filter (where recent), 0)::int as total,
      coalesce(sum(mentions) filter (where not recent), 0)::int as previous
    from (${counted}) counted where ${groupIn(groups)} > 0 group by 1 having sum(mentions) > 0
    order by 2 desc, 3 desc, 1`.execute(tx)
  return rows
}

/** Mentions of these insights by what their customers and sources are. */
export type ShareCount = {
  plan: string | null
  region: string | null
  source: string | null
  total: number
  previous: number
}

export async function countShares(
  tx: Tx,
  workspaceId: string,
  span: ReportSpan,
  numbers: readonly number[],
): Promise<ShareCount[]> {
  const { rows } = await sql<ShareCount>`
    select ${segmentKeys.plan} as plan, ${segmentKeys.region} as region, connection.connector as source,
      count(*) filter (where ${dayIn(span)} >= ${span.from}::date)::int as total,
      count(*) filter (where ${dayIn(span)} < ${span.from}::date)::int as previous
    from statement ${sourceDimension(workspaceId).joins} ${segmentDimension(workspaceId, 'plan').joins}
    where statement.workspace_id = ${workspaceId} and issue_number = any(${numberArray(numbers)}::int[])
      and ${saidIn(workspaceId, span)}
    group by 1, 2, 3`.execute(tx)
  return rows
}

/** What was said in the span and is in no insight, by why. Mentions of insights that are not shown are not in it. */
export async function countOutside(
  tx: Tx,
  workspaceId: string,
  span: ReportSpan,
): Promise<{ ungrouped: number; emerging: number; smallTalk: number }> {
  const { rows } = await sql<{ ungrouped: number; emerging: number; smallTalk: number }>`
    select count(*) filter (where emerging_number is null and kind <> 'noise')::int as ungrouped,
      count(*) filter (where emerging_number is not null)::int as emerging,
      count(*) filter (where emerging_number is null and kind = 'noise')::int as "smallTalk"
    from statement
    where workspace_id = ${workspaceId} and issue_number is null and ${saidIn(workspaceId, { ...span, previousFrom: span.from })}`.execute(
    tx,
  )
  return rows[0] ?? { ungrouped: 0, emerging: 0, smallTalk: 0 }
}

/** The insights that are not shown and were not merged; `deleted`: by a person, else they have too few mentions. */
export async function readUnshown(tx: Tx, workspaceId: string): Promise<{ number: number; deleted: boolean }[]> {
  const { rows } = await sql<{ number: number; deleted: boolean }>`
    select issue_number as number, deleted_at is not null as deleted from insight
    where workspace_id = ${workspaceId} and (deleted_at is not null or hidden or ended_at is not null)`.execute(tx)
  return rows
}

/** The first and the last day of the mentions of all shown insights. */
export async function readDays(
  tx: Tx,
  workspaceId: string,
  zone: string,
): Promise<{ first: string | null; last: string | null }> {
  const day = (at: Sql, dateOnly: Sql) =>
    sql`(${at} at time zone case when ${dateOnly} then 'UTC' else ${zone}::text end)::date`
  const { rows } = await sql<{ first: string | null; last: string | null }>`
    select to_char(min(${day(sql`first_seen`, sql`first_date_only`)}), 'YYYY-MM-DD') as first,
      to_char(max(${day(sql`last_seen`, sql`last_date_only`)}), 'YYYY-MM-DD') as last
    from insight
    where workspace_id = ${workspaceId} and deleted_at is null and ended_at is null and not hidden`.execute(tx)
  return rows[0] ?? { first: null, last: null }
}

/** Counts by key and day as counts by key and period. A week or a month that began before the span counts from its first day. */
async function inPeriods(
  tx: Tx,
  { previousFrom, from, to, unit }: ReportSpan,
  byDay: ReturnType<typeof sql>,
): Promise<PartCount[]> {
  const { rows } = await sql<PartCount>`
    with by_day as materialized (${byDay})
    select key, case when day >= ${from}::date
        then to_char(greatest(date_trunc(${unit}, day::timestamp)::date, ${from}::date), 'YYYY-MM-DD') end as start,
      sum(mentions)::int as mentions
    from by_day where day between ${previousFrom}::date and ${to}::date
    group by 1, 2 having sum(mentions) <> 0`.execute(tx)
  return rows
}
