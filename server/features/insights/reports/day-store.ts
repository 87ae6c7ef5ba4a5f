import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { customersView, feedbackCustomersView } from '../../customers/index.ts'
import { numberArray, textArray } from '../array-literal.ts'
import { type Dimension, kindDimension, type Sql, segmentKeys, sourceDimension } from './dimension-store.ts'
import { aroundStarts, dayIn, type ReportSpan, saidAround, startsOfPeriods, utcDay } from './span-store.ts'

const DAY_MS = 86_400_000
/** Customers whose days one transaction looks up. */
const MAX_CUSTOMERS = 200

const isDay = sql`day is not null`
const isCustomer = sql`customer_id is not null`

/** The days that the mentions of customers are on; `customers`: a query of `customer_id`. */
const daysOf = (workspaceId: string, customers: Sql) => sql`
  select ${utcDay} as day from (${customers}) wanted
  join ${feedbackCustomersView} said on said.workspace_id = ${workspaceId} and said.customer_id = wanted.customer_id
  join statement on statement.workspace_id = ${workspaceId} and statement.item_id = said.item_id
  where issue_number is not null`

/** Mentions on UTC days; `days`: a query of `day`. */
const saidOn = (days: Sql) => sql`
  statement.said_at <@ (
    select range_agg(tstzrange(day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC')) from (${days}) days
  )`

/**
 * Counts the days that wait for it in a workspace again, the latest `limit` of them. Whether there may be more. What triggers note meanwhile stays for the
 * next time. One at a time in a workspace: an older count would otherwise replace a newer one.
 */
export async function countDueDays(tx: Tx, workspaceId: string, limit: number): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended('report days of ' || ${workspaceId}::text, 0))`.execute(tx)
  await sql`
    with all_days as (
      delete from report_day_due where workspace_id = ${workspaceId} and not (${isDay}) and not (${isCustomer}) returning workspace_id
    )
    insert into report_day_due (workspace_id, day)
    select distinct workspace_id, day from (
      select workspace_id, ${utcDay} as day from statement where workspace_id = ${workspaceId} and issue_number is not null
      union all
      select workspace_id, day from report_day where workspace_id = ${workspaceId}
    ) known where exists (select from all_days)`.execute(tx)
  await sql`
    with taken as (
      delete from report_day_due where workspace_id = ${workspaceId} and ${isCustomer} and customer_id in (
        select customer_id from report_day_due where workspace_id = ${workspaceId} and ${isCustomer} limit ${MAX_CUSTOMERS})
      returning customer_id
    )
    insert into report_day_due (workspace_id, day)
    select distinct ${workspaceId}::uuid, day from (${daysOf(workspaceId, sql`select distinct customer_id from taken`)}) due`.execute(
    tx,
  )
  const { rows } = await sql<{ day: string }>`
    select distinct to_char(day, 'YYYY-MM-DD') as day from report_day_due
    where workspace_id = ${workspaceId} and ${isDay} order by 1 desc limit ${limit}`.execute(tx)
  if (rows.length > 0) {
    const days = textArray(rows.map(({ day }) => day))
    // In this order, each statement with a snapshot of its own: what is counted includes everything that the deleted rows were noted for.
    await sql`delete from report_day_due where workspace_id = ${workspaceId} and day = any(${days}::date[])`.execute(tx)
    await sql`delete from report_day where workspace_id = ${workspaceId} and day = any(${days}::date[])`.execute(tx)
    await insertCounts(tx, workspaceId, days)
  }
  const left = await sql`select from report_day_due where workspace_id = ${workspaceId} limit 1`.execute(tx)
  return left.rows.length > 0
}

/** Counts the mentions of all insights on some UTC days by every dimension. */
async function insertCounts(tx: Tx, workspaceId: string, days: string): Promise<void> {
  const source = sourceDimension(workspaceId)
  await sql`
    with mention as materialized (
      select ${utcDay} as day, ${kindDimension.key} as kind, ${source.key} as source, ${segmentKeys.plan} as plan,
        ${segmentKeys.region} as region, ${segmentKeys.revenue} as revenue, own.value_ids
      from statement ${source.joins}
      left join ${feedbackCustomersView} said on said.workspace_id = ${workspaceId} and said.item_id = statement.item_id
      left join ${customersView} customer on customer.workspace_id = ${workspaceId} and customer.id = said.customer_id
      left join feedback_attribute own on own.workspace_id = ${workspaceId} and own.item_id = statement.item_id
      where statement.workspace_id = ${workspaceId} and issue_number is not null
        and ${saidOn(sql`select unnest(${days}::date[]) as day`)}
    )
    insert into report_day (workspace_id, dimension, day, key, mentions)
    select ${workspaceId}::uuid, dimension, day, coalesce(key, ''), count(*)
    from mention cross join lateral (
      values ('all', null), ('kind', kind), ('source', source), ('plan', plan), ('region', region), ('revenue', revenue)
    ) counted (dimension, key)
    group by 2, 3, 4
    union all
    select ${workspaceId}::uuid, 'attribute', day, value_id::text, count(*)
    from mention, unnest(value_ids) value_id group by 3, 4`.execute(tx)
}

/** How much of a span waits to be counted; `many`: so much that reading its mentions is less work. */
type Due = 'none' | 'few' | 'many'

export async function readDue(tx: Tx, workspaceId: string, { previousFrom, to }: ReportSpan): Promise<Due> {
  const { rows } = await sql<{ all: boolean; days: number; customers: number }>`
    select coalesce(bool_or(not (${isDay}) and not (${isCustomer})), false) as all, count(distinct customer_id)::int as customers,
      (count(distinct day) filter (where day between ${previousFrom}::date and ${to}::date))::int as days
    from report_day_due where workspace_id = ${workspaceId}`.execute(tx)
  const { all, days, customers } = rows[0] ?? { all: true, days: 0, customers: 0 }
  const length = (Date.parse(to) - Date.parse(previousFrom)) / DAY_MS + 1
  if (all || customers > MAX_CUSTOMERS || days > length / 3) return 'many'
  return days > 0 || customers > 0 ? 'few' : 'none'
}

/**
 * Mentions of the shown insights by a dimension and day, as a query of `key`, `day` and `mentions`: the stored counts, without those of insights that are
 * not shown, and the mentions themselves of days that wait to be counted and, in other zones than UTC, around the first days of periods. `due`: what
 * `readDue` says; if that is none, nothing is looked up that is noted from then on.
 */
export function keptMentions(
  workspaceId: string,
  span: ReportSpan,
  dimension: Dimension,
  { isGrouped, unshown, due }: { isGrouped: Sql; unshown: readonly number[]; due: Due },
): Sql {
  const { key, joins } = dimension
  const inSpan = sql`day between ${span.previousFrom}::date and ${span.to}::date`
  const noted = sql`
    select day from report_day_due where workspace_id = ${workspaceId} and ${inSpan}
    union
    select day from (
      ${daysOf(workspaceId, sql`select distinct customer_id from report_day_due where workspace_id = ${workspaceId} and ${isCustomer}`)}
    ) of_customers where ${inSpan}`
  const days = sql`select day from due`
  const isDue = due === 'none' ? sql`false` : sql`${utcDay} in (${days})`
  const isRead = due === 'none' ? sql`false` : saidOn(days)
  return sql`
    with due as materialized (${due === 'none' ? sql`select null::date as day where false` : noted})
    select key, day, mentions from (${storedCounts(workspaceId, dimension)}) stored
    where ${inSpan} and day not in (${days})
    union all
    select ${key} as key, ${utcDay} as day, -1
    from statement ${joins}
    where statement.workspace_id = ${workspaceId} and issue_number = any(${numberArray(unshown)}::int[])
      and ${saidAround(workspaceId, span)} and not ${isDue}
    union all
    select key, counted.day, sum(counted.mentions)
    from (
      select ${key} as key, ${utcDay} as utc, ${dayIn(span)} as own, (${isDue})::int as due
      from statement ${joins}
      where statement.workspace_id = ${workspaceId} and issue_number is not null and ${isGrouped}
        and (${isRead} or ${aroundStarts(span, startsOfPeriods(span))})
    ) said
    cross join lateral (values (utc, due - (utc <> own)::int), (own, (utc <> own)::int)) counted (day, mentions)
    where counted.mentions <> 0
    group by 1, 2`
}

/** The stored counts of a dimension, as a query of `key`, `day` and `mentions`. Messages have one value of an attribute; all others have none. */
function storedCounts(workspaceId: string, { name, values }: Dimension): Sql {
  const of = (dimension: string) =>
    sql`from report_day where workspace_id = ${workspaceId} and dimension = ${dimension}`
  if (values === undefined) return sql`select nullif(key, '') as key, day, mentions ${of(name)}`
  const isValue = sql`key = any(${numberArray(values)}::text[])`
  return sql`
    select key, day, mentions ${of(name)} and ${isValue}
    union all select null, day, -mentions ${of(name)} and ${isValue}
    union all select null, day, mentions ${of('all')}`
}

/** Workspaces with days that wait to be counted. Run without a workspace. */
export async function workspacesToCountDays(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select workspaces_to_count_days() as id`.execute(tx)
  return rows.map(({ id }) => id)
}
