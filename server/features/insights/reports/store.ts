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
  if (span.zone !== 'UTC' || span.values.length > 0) {
    const said = sql`
      select ${groupIn(groups)} as part, ${dayIn(span)} as day from statement
      where workspace_id = ${workspaceId} and issue_number is not null and ${saidIn(workspaceId, span)}`
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

/** The same by the connector that each mention came from. */
export function countBySource(tx: Tx, workspaceId: string, span: ReportSpan, groups: Groups): Promise<PartCount[]> {
  if (span.zone !== 'UTC' || span.values.length > 0) {
    const bySource = sql`
      select item.connection_id, ${dayIn(span)} as day, count(*) as mentions
      from statement
      join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = statement.item_id
      where statement.workspace_id = ${workspaceId} and issue_number is not null and ${saidIn(workspaceId, span)} and ${groupIn(groups)} > 0
      group by 1, 2`
    return inPeriods(
      tx,
      span,
      sql`
      select connection.connector as key, counted.day, counted.mentions
      from (${bySource}) counted
      join ${connectionsView} connection on connection.workspace_id = ${workspaceId} and connection.id = counted.connection_id`,
    )
  }
  const counts = (table: ReturnType<typeof sql>) => sql`
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

/**
 * The same by the kind of each mention; those that only agree with what they reply to have no kind of their own. Kinds are not counted by day: this
 * reads the mentions of the span.
 */
export function countByKind(tx: Tx, workspaceId: string, span: ReportSpan, groups: Groups): Promise<PartCount[]> {
  return inPeriods(
    tx,
    span,
    sql`
    select nullif(counted_kind(feedback_kind, issue_number, reason), 'agrees') as key, ${dayIn(span)} as day,
      count(*) as mentions
    from statement
    where workspace_id = ${workspaceId} and issue_number is not null and ${saidIn(workspaceId, span)} and ${groupIn(groups)} > 0
    group by 1, 2`,
  )
}

/** The attributes by which customers are grouped. */
export type Segment = 'plan' | 'region' | 'revenue'

const segmentKeys: Readonly<Record<Segment, ReturnType<typeof sql>>> = {
  plan: sql`nullif(btrim(customer.plan), '')`,
  region: sql`nullif(btrim(customer.region), '')`,
  revenue: sql`(${numberArray([...REVENUE_BANDS])}::int[])[width_bucket(customer.revenue, ${numberArray([...REVENUE_BANDS])}::float8[])]::text`,
}

/**
 * The same by an attribute that the customers behind the mentions have now. Customers are not counted by day: this reads the mentions of the
 * span.
 */
export function countBySegment(
  tx: Tx,
  workspaceId: string,
  span: ReportSpan,
  groups: Groups,
  segment: Segment,
): Promise<PartCount[]> {
  return inPeriods(
    tx,
    span,
    sql`
    select ${segmentKeys[segment]} as key, ${dayIn(span)} as day, count(*) as mentions
    from statement
    left join ${feedbackCustomersView} said on said.workspace_id = ${workspaceId} and said.item_id = statement.item_id
    left join ${customersView} customer on customer.workspace_id = ${workspaceId} and customer.id = said.customer_id
    where statement.workspace_id = ${workspaceId} and issue_number is not null and ${saidIn(workspaceId, span)} and ${groupIn(groups)} > 0
    group by 1, 2`,
  )
}

/** The same by the value that the messages of the mentions have of an attribute, as the text of its id. `ids`: of its values. */
export function countByAttribute(
  tx: Tx,
  workspaceId: string,
  span: ReportSpan,
  groups: Groups,
  ids: readonly number[],
): Promise<PartCount[]> {
  return inPeriods(
    tx,
    span,
    sql`
    select (
        select value_id from unnest(own.value_ids) value_id where value_id = any(${numberArray(ids)}::int[]) limit 1
      )::text as key, ${dayIn(span)} as day, count(*) as mentions
    from statement
    left join feedback_attribute own on own.workspace_id = ${workspaceId} and own.item_id = statement.item_id
    where statement.workspace_id = ${workspaceId} and issue_number is not null and ${saidIn(workspaceId, span)} and ${groupIn(groups)} > 0
    group by 1, 2`,
  )
}

/** The day of a mention in the zone of the report; a day without a time is that day in every zone. */
const dayIn = ({ zone }: ReportSpan) => sql`
  (statement.said_at at time zone case when statement.date_only then 'UTC' else ${zone}::text end)::date`

/**
 * The mentions whose day can be in the span: no zone is a day or more away from UTC. `inPeriods` leaves out the others, by the day that they are counted
 * by: as a condition on each mention, PostgreSQL takes it for one that hardly any fulfils, and looks up their attributes one by one.
 */
const saidIn = (workspaceId: string, span: ReportSpan) => sql`
  statement.said_at >= (${span.previousFrom}::date - 1)::timestamp at time zone 'UTC'
  and statement.said_at < (${span.to}::date + 2)::timestamp at time zone 'UTC'
  and ${hasValues(workspaceId, span.values)}`

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
