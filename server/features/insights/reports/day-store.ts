import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { feedbackCustomersView } from '../../customers/index.ts'
import { numberArray, textArray } from '../array-literal.ts'
import {
  attributeJoin,
  type Dimension,
  kindDimension,
  type Sql,
  segmentJoins,
  segmentKeys,
  sourceDimension,
} from './dimension-store.ts'
import { type ReportSpan, saidAround, utcDay } from './span-store.ts'
import {
  insightsOnDeleted,
  isFew,
  isKnown,
  mentionsOn,
  mentionsOnWaiting,
  type NotedDay,
  type StoredDay,
  type WaitingDay,
} from './waiting-store.ts'

const DAY_MS = 86_400_000
/** Customers whose days one transaction looks up. */
const MAX_CUSTOMERS = 200

const isDay = sql`day is not null`
const isCustomer = sql`customer_id is not null`

/** Days that a version before 0123 counted, which stored no mentions. */
const isWithoutMentions = (workspaceId: string) =>
  sql`workspace_id = ${workspaceId} and dimension = 'all' and insights is null`

/** The days that the mentions of customers are on, with the insights of these; `customers`: a query of `customer_id`. */
const daysOf = (workspaceId: string, customers: Sql) => sql`
  select ${utcDay} as day, issue_number from (${customers}) wanted
  join ${feedbackCustomersView} said on said.workspace_id = ${workspaceId} and said.customer_id = wanted.customer_id
  join statement on statement.workspace_id = ${workspaceId} and statement.item_id = said.item_id
  where issue_number is not null`

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
    ) known where exists (select from all_days)
    union
    select workspace_id, day from report_day where ${isWithoutMentions(workspaceId)}
      and not exists (select from report_day_due due where due.workspace_id = ${workspaceId} and due.day = report_day.day)`.execute(
    tx,
  )
  await sql`
    with taken as (
      delete from report_day_due where workspace_id = ${workspaceId} and ${isCustomer} and customer_id in (
        select customer_id from report_day_due where workspace_id = ${workspaceId} and ${isCustomer} limit ${MAX_CUSTOMERS})
      returning customer_id
    )
    insert into report_day_due (workspace_id, day, issue_number)
    select distinct ${workspaceId}::uuid, day, issue_number from (${daysOf(workspaceId, sql`select distinct customer_id from taken`)}) due`.execute(
    tx,
  )
  const { rows } = await sql<WaitingDay>`
    select to_char(day, 'YYYY-MM-DD') as day, ${isKnown} as known from report_day_due
    where workspace_id = ${workspaceId} and ${isDay} group by report_day_due.day order by 1 desc limit ${limit}`.execute(
    tx,
  )
  if (rows.length > 0) {
    const counted = rows.map(({ day }) => day)
    const days = textArray(counted)
    // In this order, each statement with a snapshot of its own: what is counted includes everything that the deleted rows were noted for.
    const noted = await sql<NotedDay>`
      delete from report_day_due where workspace_id = ${workspaceId} and day = any(${days}::date[])
      returning to_char(day, 'YYYY-MM-DD') as day, issue_number as "issueNumber"`.execute(tx)
    const stored = await sql<StoredDay>`
      with earlier as (
        delete from report_day where workspace_id = ${workspaceId} and day = any(${days}::date[]) returning dimension, day, insights
      )
      select to_char(day, 'YYYY-MM-DD') as day, insights from earlier where dimension = 'all'`.execute(tx)
    const insights = isFew(rows) ? insightsOnDeleted(workspaceId, noted.rows, stored.rows) : null
    await insertCounts(tx, workspaceId, counted, insights)
  }
  const left = await sql`select from report_day_due where workspace_id = ${workspaceId} limit 1`.execute(tx)
  return left.rows.length > 0
}

/** Counts the mentions of all insights on some UTC days by every dimension. `insights`: as `mentionsOn` takes them. */
async function insertCounts(tx: Tx, workspaceId: string, days: readonly string[], insights: Sql | null): Promise<void> {
  await sql`
    insert into report_day (workspace_id, dimension, day, key, mentions, places, insights, minutes)
    select ${workspaceId}::uuid, dimension, day, key, mentions, places, insights, minutes
    from (${countsOn(workspaceId, mentionsOn(workspaceId, days, insights))}) counted`.execute(tx)
}

const SEGMENTS = ['plan', 'region', 'revenue'] as const

/**
 * The counts of UTC days, as rows of `report_day` without the workspace. `mentions`: those of the days, as a query of rows of `statement`. `of`: only these dimensions
 * besides all mentions.
 */
function countsOn(workspaceId: string, mentions: Sql, of?: readonly string[]): Sql {
  const isAsked = (dimension: string) => of === undefined || of.includes(dimension)
  const source = sourceDimension(workspaceId)
  const segments = SEGMENTS.filter(isAsked)
  const keys = [
    ...(isAsked('kind') ? [{ name: 'kind', key: kindDimension.key }] : []),
    ...(isAsked('source') ? [{ name: 'source', key: source.key }] : []),
    ...segments.map((name) => ({ name, key: segmentKeys[name] })),
  ]
  const joins = [
    ...(isAsked('source') ? [source.joins] : []),
    ...(segments.length > 0 ? [segmentJoins(workspaceId)] : []),
    ...(isAsked('attribute') ? [attributeJoin(workspaceId)] : []),
  ]
  const parts = [
    sql`
    select 'all' as dimension, day, '' as key, count(*)::int as mentions, null::bytea as places,
      string_agg(int4send(issue_number), '' order by place) as insights, string_agg(int2send(minute::smallint), '' order by place) as minutes
    from mention group by day`,
    ...keys.map(
      ({ name }) => sql`
    select ${name}::text, day, coalesce(${sql.ref(name)}, ''), count(*), string_agg(int4send(place), ''), null, null
    from mention group by 2, 3`,
    ),
    ...(isAsked('attribute')
      ? [
          sql`
    select 'attribute', day, value_id::text, count(*), string_agg(int4send(place), ''), null, null
    from mention, unnest(value_ids) value_id group by 2, 3`,
        ]
      : []),
  ]
  const columns = [
    sql`issue_number`,
    ...keys.map(({ name, key }) => sql`${key} as ${sql.ref(name)}`),
    ...(isAsked('attribute') ? [sql`own.value_ids`] : []),
  ]
  return sql`
    with mention as materialized (
      select ${utcDay} as day,
        (row_number() over (partition by ${utcDay} order by statement.item_id, statement.number) - 1)::int as place,
        case when statement.date_only then 1440 else floor(extract(epoch from statement.said_at - ${utcDay}::timestamp at time zone 'UTC') / 60)::int end as minute,
        ${sql.join(columns)}
      from (${mentions}) statement ${sql.join(joins, sql` `)}
    )
    ${sql.join(parts, sql` union all `)}`
}

/** How much of a span waits to be counted; `many`: so much that reading its mentions is less work. */
export type Due = 'none' | 'few' | 'many'

/** How much of a span, with the period before it, waits to be counted. */
export async function readDue(tx: Tx, workspaceId: string, { previousFrom, to }: ReportSpan): Promise<Due> {
  const { rows } = await sql<{ all: boolean; days: number; customers: number }>`
    select coalesce(bool_or(not (${isDay}) and not (${isCustomer})), false) as all, count(distinct customer_id)::int as customers,
      (count(distinct day) filter (where day between ${previousFrom}::date and ${to}::date))::int as days
    from (
      select day, customer_id from report_day_due where workspace_id = ${workspaceId}
      union all select day, null from report_day where ${isWithoutMentions(workspaceId)}
    ) due`.execute(tx)
  const { all, days, customers } = rows[0] ?? { all: true, days: 0, customers: 0 }
  const length = (Date.parse(to) - Date.parse(previousFrom)) / DAY_MS + 1
  if (all || customers > MAX_CUSTOMERS || days > length / 3) return 'many'
  return days > 0 || customers > 0 ? 'few' : 'none'
}

/**
 * Mentions of the shown insights by a dimension and UTC day, as a query of `key`, `day` and `mentions`: the stored counts, without those of insights that are
 * not shown, and the mentions themselves of `waiting` days.
 */
export function keptMentions(
  workspaceId: string,
  span: ReportSpan,
  dimension: Dimension,
  { isGrouped, unshown, waiting }: { isGrouped: Sql; unshown: readonly number[]; waiting: readonly WaitingDay[] },
): Sql {
  const { key, joins } = dimension
  const days = sql`any(${textArray(waiting.map(({ day }) => day))}::date[])`
  const counted = sql`
    select key, day, mentions from (${storedCounts(workspaceId, dimension)}) stored
    where day between ${span.previousFrom}::date and ${span.to}::date and not day = ${days}
    union all
    select ${key} as key, ${utcDay} as day, -1
    from statement ${joins}
    where statement.workspace_id = ${workspaceId} and issue_number = any(${numberArray(unshown)}::int[])
      and ${saidAround(workspaceId, span)} and not ${utcDay} = ${days}`
  if (waiting.length === 0) return counted
  return sql`${counted}
    union all
    select ${key}, ${utcDay}, count(*)
    from (${mentionsOnWaiting(workspaceId, waiting)}) statement ${joins}
    where ${isGrouped}
    group by 1, 2`
}

/** The UTC days from `first` to `last` that wait to be counted. `due`: what `readDue` says; if that is `none`, days that are noted from then on are not looked up. */
export async function readWaiting(
  tx: Tx,
  workspaceId: string,
  due: Due,
  { first, last }: { first: string; last: string },
): Promise<WaitingDay[]> {
  if (due === 'none') return []
  const { rows } = await sql<WaitingDay>`
    select to_char(day, 'YYYY-MM-DD') as day, ${isKnown} as known from (
      select day, issue_number from report_day_due where workspace_id = ${workspaceId}
      union all
      ${daysOf(workspaceId, sql`select distinct customer_id from report_day_due where workspace_id = ${workspaceId} and ${isCustomer}`)}
      union all
      select day, null from report_day where ${isWithoutMentions(workspaceId)}
    ) due
    where day between ${first}::date and ${last}::date
    group by due.day`.execute(tx)
  return rows
}

/** A row of the counts of a UTC day, with its mentions: see migration 0123. */
export type DayRow = {
  dimension: string
  day: string
  key: string
  places: Buffer | null
  insights: Buffer | null
  minutes: Buffer | null
}

/**
 * The mentions of the UTC days from `first` to `last`: for each day one row with the total, and one for each key of the dimensions in `parts`, limited to `keys` unless that is null.
 * Days that wait to be counted are read from the mentions themselves. `due`: the result of `readDue`.
 */
export async function readDayRows(
  tx: Tx,
  workspaceId: string,
  {
    first,
    last,
    due,
    parts,
    minutes,
  }: {
    first: string
    last: string
    due: Due
    parts: readonly { name: string; keys: readonly string[] | null }[]
    minutes: boolean
  },
): Promise<DayRow[]> {
  const inSpan = sql`day between ${first}::date and ${last}::date`
  const waiting = await readWaiting(tx, workspaceId, due, { first, last })
  const isRead = [
    sql`dimension = 'all'`,
    ...parts.map(
      ({ name, keys }) =>
        sql`(dimension = ${name} ${keys === null ? sql`` : sql`and key = any(${textArray(keys)}::text[])`})`,
    ),
  ]
  const columns = sql`dimension, to_char(day, 'YYYY-MM-DD') as day, key, places, insights, ${minutes ? sql`minutes` : sql`null::bytea as minutes`}`
  const stored = await sql<DayRow>`
    select ${columns} from report_day
    where workspace_id = ${workspaceId} and ${inSpan} and not day = any(${textArray(waiting.map(({ day }) => day))}::date[]) and (${sql.join(isRead, sql` or `)})`.execute(
    tx,
  )
  if (waiting.length === 0) return stored.rows
  const counted = await sql<DayRow>`
    select ${columns} from (${countsOn(
      workspaceId,
      mentionsOnWaiting(workspaceId, waiting),
      parts.map(({ name }) => name),
    )}) counted
    where ${sql.join(isRead, sql` or `)}`.execute(tx)
  return [...stored.rows, ...counted.rows]
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
