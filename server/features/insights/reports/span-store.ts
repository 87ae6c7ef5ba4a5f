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
