import { sql } from 'kysely'
import { hasValues } from '../attributes/list-store.ts'
import type { Sql } from './dimension-store.ts'

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

/** The day of a mention in the zone of the report; a day without a time is that day in every zone. */
export const dayIn = ({ zone }: ReportSpan) => sql`
  (statement.said_at at time zone case when statement.date_only then 'UTC' else ${zone}::text end)::date`

/**
 * The mentions whose day can be in the span: no zone is a day or more away from UTC. `inPeriods` leaves out the others, by the day that they are counted
 * by: as a condition on each mention, PostgreSQL takes it for one that hardly any fulfils, and looks up their attributes one by one.
 */
export const saidAround = (workspaceId: string, span: ReportSpan) => sql`
  statement.said_at >= (${span.previousFrom}::date - 1)::timestamp at time zone 'UTC'
  and statement.said_at < (${span.to}::date + 2)::timestamp at time zone 'UTC'
  and ${hasValues(workspaceId, span.values)}`

/** The mentions of the span. */
export const saidIn = (workspaceId: string, span: ReportSpan) => sql`
  ${saidAround(workspaceId, span)} and ${dayIn(span)} between ${span.previousFrom}::date and ${span.to}::date`

/** The UTC day of a mention, by which it is counted. */
export const utcDay: Sql = sql`(statement.said_at at time zone 'UTC')::date`

/**
 * A condition on the mentions that may be of another UTC day than of the day in the zone where that makes a difference: those around the first days of
 * `starts`. Around: no zone repeats or leaves out more than an hour at midnight, except days that it leaves out as a whole, which are between two starts.
 */
export function aroundStarts({ zone }: ReportSpan, starts: Sql): Sql {
  if (zone === 'UTC') return sql`false`
  return sql`
    (not statement.date_only and statement.said_at <@ (
      select range_agg(tstzrange(least(utc, own - interval '1 hour'), greatest(utc, own + interval '1 hour')))
      from (
        select day::timestamp at time zone 'UTC' as utc, day::timestamp at time zone ${zone}::text as own from (${starts}) starts (day)
      ) midnight
    ))`
}

/** The first days of the periods of a span, of the time before it and of the time after it. */
export const startsOfPeriods = ({ previousFrom, from, to, unit }: ReportSpan): Sql => sql`
  select ${previousFrom}::date
  union select ${to}::date + 1
  union select greatest(date_trunc(${unit}, day)::date, ${from}::date)
  from generate_series(${from}::date::timestamp, ${to}::date::timestamp, interval '1 day') day`

/** The first days of a span, of the time before it and of the time after it. */
export const startsOfSpan = ({ previousFrom, from, to }: ReportSpan): Sql => sql`
  values (${previousFrom}::date), (${from}::date), (${to}::date + 1)`
