import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { numberArray } from '../array-literal.ts'
import { type Due, keptMentions, readDue, readWaiting } from './day-store.ts'
import type { Dimension, Sql } from './dimension-store.ts'
import { dayAfter, type Tally, tallyMentions } from './mention-store.ts'
import { dayIn, type ReportSpan, saidAround, saidIn } from './span-store.ts'

const DAY_MS = 86_400_000

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
 * Mentions by group of insights, as the text of its number: from the stored mentions of each day. While many days wait for that, from the counts of each insight,
 * which are those of UTC, else from the mentions themselves.
 */
export async function countGroups(tx: Tx, workspaceId: string, span: ReportSpan, groups: Groups): Promise<PartCount[]> {
  const due = await readDue(tx, workspaceId, span)
  if (due !== 'many') {
    const cells = await inCells(tx, workspaceId, span, due, { groups })
    return cells.map(({ group, ...one }) => ({ ...one, key: String(group) }))
  }
  const counted = isPlain(span) ? countedByInsight(workspaceId, span) : saidByInsight(workspaceId, span)
  return inPeriods(
    tx,
    span,
    sql`
    select part::text as key, day, sum(mentions) as mentions
    from (select ${groupIn(groups)} as part, day, mentions from (${counted}) by_insight) counted
    where part > 0 group by 1, 2`,
  )
}

/** Whether counts by UTC day answer a report: they do not in another zone, nor with a filter. */
const isPlain = ({ zone, values }: ReportSpan) => zone === 'UTC' && values.length === 0

/** The counts of each insight by UTC day, which are kept up to date, as a query of `issue_number`, `day` and `mentions`. */
function countedByInsight(workspaceId: string, span: ReportSpan): Sql {
  const counts = (table: Sql) => sql`
    select issue_number, day, mentions from ${table}
    where workspace_id = ${workspaceId} and day between ${span.previousFrom}::date and ${span.to}::date`
  return sql`${counts(sql`insight_day`)} union all ${counts(sql`mention_change`)}`
}

/** The same rows for each mention of the span, by its day in the zone. */
const saidByInsight = (workspaceId: string, span: ReportSpan) => sql`
  select issue_number, ${dayIn(span)} as day, 1 as mentions from statement
  where workspace_id = ${workspaceId} and issue_number is not null and ${saidAround(workspaceId, span)}`

/** The stored mentions of a span by group of insights, key and period. */
async function inCells(
  tx: Tx,
  workspaceId: string,
  span: ReportSpan,
  due: Due,
  tally: Pick<Tally, 'groups' | 'dimension'>,
): Promise<(PartCount & { group: number })[]> {
  const starts: (string | null)[] = [null]
  const places = new Map<string, number>()
  const days = (Date.parse(span.to) - Date.parse(span.from)) / DAY_MS + 1
  for (let at = 0; at < days; at += 1) {
    const start = startOf(dayAfter(span.from, at), span)
    if (!places.has(start)) places.set(start, starts.push(start) - 1)
  }
  const cells = await tallyMentions(tx, workspaceId, span, due, {
    ...tally,
    periods: starts.length,
    periodOf: (day) => (day < span.from ? 0 : (places.get(startOf(day, span)) ?? 0)),
  })
  return cells.map(({ group, key, period, mentions }) => ({ group, key, start: starts[period] ?? null, mentions }))
}

/** The first day of the period of a day of the span. A week or a month that began before the span counts from its first day. */
function startOf(day: string, { from, unit }: ReportSpan): string {
  const date = new Date(day)
  const back = unit === 'day' ? 0 : unit === 'week' ? (date.getUTCDay() + 6) % 7 : date.getUTCDate() - 1
  const start = dayAfter(day, -back)
  return start < from ? from : start
}

/**
 * Mentions of the shown insights by a dimension; `groups`: these insights. From the counts by day where they are up to date; in another zone than UTC, or filtered by
 * attributes, from the stored mentions of each day. While many days wait for that, from the mentions themselves.
 */
export async function countMentions(
  tx: Tx,
  workspaceId: string,
  span: ReportSpan,
  groups: Groups,
  dimension: Dimension,
): Promise<PartCount[]> {
  const isGrouped = sql`${groupIn(groups)} > 0`
  const due = await readDue(tx, workspaceId, span)
  if (due !== 'many' && isPlain(span)) {
    const unshown = (await readUnshown(tx, workspaceId)).map(({ number }) => number)
    const waiting = await readWaiting(tx, workspaceId, due, { first: span.previousFrom, last: span.to })
    return inPeriods(tx, span, keptMentions(workspaceId, span, dimension, { isGrouped, unshown, waiting }))
  }
  if (due !== 'many') {
    const cells = await inCells(tx, workspaceId, span, due, { groups, dimension })
    return cells.map(({ key, start, mentions }) => ({ key, start, mentions }))
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
  const due = await readDue(tx, workspaceId, span)
  if (due !== 'many') return tallyInsights(tx, workspaceId, span, due, groups, part)
  const { key, joins } = part?.dimension ?? { key: sql`null`, joins: sql`` }
  const counted =
    part === undefined
      ? isPlain(span)
        ? countedByInsight(workspaceId, span)
        : saidByInsight(workspaceId, span)
      : sql`
        select issue_number, ${dayIn(span)} as day, 1 as mentions from statement ${joins}
        where statement.workspace_id = ${workspaceId} and issue_number is not null and ${saidIn(workspaceId, span)}
          and ${key}::text is not distinct from ${part.key}::text`
  const { rows } = await sql<InsightCount>`
    select issue_number as number, coalesce(sum(mentions) filter (where day >= ${span.from}::date), 0)::int as total,
      coalesce(sum(mentions) filter (where day < ${span.from}::date), 0)::int as previous
    from (${counted}) counted
    where ${groupIn(groups)} > 0 and day between ${span.previousFrom}::date and ${span.to}::date
    group by 1 having sum(mentions) > 0
    order by 2 desc, 3 desc, 1`.execute(tx)
  return rows
}

/** The span, and the time before it. */
const twoPeriods = ({ from }: ReportSpan) => ({ periods: 2, periodOf: (day: string) => (day < from ? 0 : 1) })

/** The same from the stored mentions of each day. */
async function tallyInsights(
  tx: Tx,
  workspaceId: string,
  span: ReportSpan,
  due: Due,
  groups: Groups,
  part?: { dimension: Dimension; key: string | null },
): Promise<InsightCount[]> {
  const cells = await tallyMentions(tx, workspaceId, span, due, {
    groups: groups.map((group, number) => (group > 0 ? number : 0)),
    ...twoPeriods(span),
    ...part,
  })
  const counts = new Map<number, InsightCount>()
  for (const { group: number, period, mentions } of cells) {
    const one = counts.get(number) ?? { number, total: 0, previous: 0 }
    counts.set(number, period === 1 ? { ...one, total: mentions } : { ...one, previous: mentions })
  }
  return [...counts.values()].sort((a, b) => b.total - a.total || b.previous - a.previous || a.number - b.number)
}

/** Mentions of a group of insights with a key of a dimension, in the span and before it. */
export type ShareCount = { group: number; key: string | null; total: number; previous: number }

/** Mentions of groups of insights by the keys of a dimension. */
export async function countShares(
  tx: Tx,
  workspaceId: string,
  span: ReportSpan,
  groups: Groups,
  dimension: Dimension,
): Promise<ShareCount[]> {
  const due = await readDue(tx, workspaceId, span)
  if (due !== 'many') {
    const cells = await tallyMentions(tx, workspaceId, span, due, { groups, dimension, ...twoPeriods(span) })
    return cells.map(({ group, key, period, mentions }) => ({
      group,
      key,
      total: period === 1 ? mentions : 0,
      previous: period === 1 ? 0 : mentions,
    }))
  }
  const { key, joins } = dimension
  const numbers = [...groups.keys()].filter((number) => (groups[number] ?? 0) > 0)
  const { rows } = await sql<ShareCount>`
    select ${groupIn(groups)} as group, ${key}::text as key,
      count(*) filter (where ${dayIn(span)} >= ${span.from}::date)::int as total,
      count(*) filter (where ${dayIn(span)} < ${span.from}::date)::int as previous
    from statement ${joins}
    where statement.workspace_id = ${workspaceId} and issue_number = any(${numberArray(numbers)}::int[])
      and ${saidIn(workspaceId, span)}
    group by 1, 2`.execute(tx)
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
