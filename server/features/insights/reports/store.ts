import { REVENUE_BANDS } from '@groundswell/contract/reports.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { connectionsView } from '../../connections/index.ts'
import { customersView, feedbackCustomersView } from '../../customers/index.ts'
import { feedbackItemsView } from '../../feedback/index.ts'
import { numberArray } from '../array-literal.ts'
import { hasValues } from '../attributes/list-store.ts'

/**
 * Days in `zone` as YYYY-MM-DD: mentions before `from` are counted together. `values`: only those whose message has one of each of these sets of values
 * of attributes.
 */
export type ReportSpan = {
  zone: string
  previousFrom: string
  from: string
  to: string
  unit: 'day' | 'week' | 'month'
  values: readonly (readonly number[])[]
}

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
 * Mentions by group of insights, as the text of its number. From the counts by day, which are kept up to date. Their days are those of UTC, which do not
 * tell how many mentions belong to the day before or after in another zone, and they do not tell the values of attributes: for these the mentions of the
 * span are read.
 */
export function countGroups(tx: Tx, workspaceId: string, span: ReportSpan, groups: Groups): Promise<PartCount[]> {
  if (!isCounted(span)) {
    const said = sql`
      select ${groupIn(groups)} as part, ${dayIn(span)} as day from statement
      where workspace_id = ${workspaceId} and issue_number is not null and ${saidAround(workspaceId, span)}`
    return inPeriods(
      tx,
      span,
      sql`select part::text as key, day, count(*) as mentions from (${said}) said where part > 0 group by 1, 2`,
    )
  }
  const counts = (table: ReturnType<typeof sql>) => sql`
    select ${groupIn(groups)} as part, day, sum(mentions) as mentions from ${table}
    where workspace_id = ${workspaceId} and day between ${span.previousFrom}::date and ${span.to}::date
    group by 1, 2`
  return inPeriods(
    tx,
    span,
    sql`
    select part::text as key, day, mentions
    from (${counts(sql`insight_day`)} union all ${counts(sql`mention_change`)}) counted where part > 0`,
  )
}

/** What mentions are divided by where that is not a matter of their insights: `key` of a row of `statement` with these joins; null: not known. */
export type Dimension = { key: Sql; joins: Sql }
type Sql = ReturnType<typeof sql>

/** By kind; mentions that only agree with what they reply to have no kind of their own. */
export const kindDimension: Dimension = {
  key: sql`nullif(counted_kind(feedback_kind, issue_number, reason), 'agrees')`,
  joins: sql``,
}

/** By the connector that each mention came from. */
export const sourceDimension = (workspaceId: string): Dimension => ({
  key: sql`connection.connector`,
  joins: sql`
    join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = statement.item_id
    join ${connectionsView} connection on connection.workspace_id = ${workspaceId} and connection.id = item.connection_id`,
})

/** The attributes by which customers are grouped. */
export type Segment = 'plan' | 'region' | 'revenue'

const bands = numberArray([...REVENUE_BANDS])
const segmentKeys: Readonly<Record<Segment, Sql>> = {
  plan: sql`nullif(btrim(customer.plan), '')`,
  region: sql`nullif(btrim(customer.region), '')`,
  revenue: sql`(${bands}::int[])[width_bucket(customer.revenue, ${bands}::float8[])]::text`,
}

/** By an attribute that the customers behind the mentions have now. */
export const segmentDimension = (workspaceId: string, segment: Segment): Dimension => ({
  key: segmentKeys[segment],
  joins: sql`
    left join ${feedbackCustomersView} said on said.workspace_id = ${workspaceId} and said.item_id = statement.item_id
    left join ${customersView} customer on customer.workspace_id = ${workspaceId} and customer.id = said.customer_id`,
})

/** By the value that the messages of the mentions have of an attribute, as the text of its id. `ids`: of its values. */
export const attributeDimension = (workspaceId: string, ids: readonly number[]): Dimension => ({
  key: sql`(select value_id from unnest(own.value_ids) value_id where value_id = any(${numberArray(ids)}::int[]) limit 1)::text`,
  joins: sql`left join feedback_attribute own on own.workspace_id = ${workspaceId} and own.item_id = statement.item_id`,
})

/** Mentions of the insights in any group by a dimension. Only sources are counted by day: the others read the mentions of the span. */
export function countMentions(
  tx: Tx,
  workspaceId: string,
  span: ReportSpan,
  groups: Groups,
  { key, joins }: Dimension,
): Promise<PartCount[]> {
  return inPeriods(
    tx,
    span,
    sql`
    select ${key} as key, ${dayIn(span)} as day, count(*) as mentions
    from statement ${joins}
    where statement.workspace_id = ${workspaceId} and issue_number is not null and ${saidAround(workspaceId, span)} and ${groupIn(groups)} > 0
    group by 1, 2`,
  )
}

/** Mentions by the connector that each came from: from the counts by day where these tell it. */
export function countBySource(tx: Tx, workspaceId: string, span: ReportSpan, groups: Groups): Promise<PartCount[]> {
  if (!isCounted(span)) return countMentions(tx, workspaceId, span, groups, sourceDimension(workspaceId))
  const counts = (table: Sql) => sql`
    select connection_id, ${groupIn(groups)} as part, day, sum(mentions) as mentions from ${table}
    where workspace_id = ${workspaceId} and day between ${span.previousFrom}::date and ${span.to}::date
      and connection_id is not null
    group by 1, 2, 3`
  return inPeriods(
    tx,
    span,
    sql`
    select connection.connector as key, counted.day, counted.mentions
    from (${counts(sql`insight_source_day`)} union all ${counts(sql`mention_change`)}) counted
    join ${connectionsView} connection on connection.workspace_id = ${workspaceId} and connection.id = counted.connection_id
    where counted.part > 0`,
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
    part === undefined && isCounted(span)
      ? sql`${counts(sql`insight_day`)} union all ${counts(sql`mention_change`)}`
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

/** Whether the counts by day tell a report: their days are those of UTC, and they do not know attributes. */
const isCounted = ({ zone, values }: ReportSpan) => zone === 'UTC' && values.length === 0

/** The day of a mention in the zone of the report; a day without a time is that day in every zone. */
const dayIn = ({ zone }: ReportSpan) => sql`
  (statement.said_at at time zone case when statement.date_only then 'UTC' else ${zone}::text end)::date`

/**
 * The mentions whose day can be in the span: no zone is a day or more away from UTC. `inPeriods` leaves out the others, by the day that they are counted
 * by: as a condition on each mention, PostgreSQL takes it for one that hardly any fulfils, and looks up their attributes one by one.
 */
const saidAround = (workspaceId: string, span: ReportSpan) => sql`
  statement.said_at >= (${span.previousFrom}::date - 1)::timestamp at time zone 'UTC'
  and statement.said_at < (${span.to}::date + 2)::timestamp at time zone 'UTC'
  and ${hasValues(workspaceId, span.values)}`

/** The mentions of the span. */
const saidIn = (workspaceId: string, span: ReportSpan) => sql`
  ${saidAround(workspaceId, span)} and ${dayIn(span)} between ${span.previousFrom}::date and ${span.to}::date`

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
