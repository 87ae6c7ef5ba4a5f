import { sql } from 'kysely'
import { numberArray, textArray } from '../array-literal.ts'
import type { Sql } from './dimension-store.ts'

/** Mentions on UTC days; `days`: a query of `day`. */
const saidOn = (days: Sql) => sql`
  statement.said_at <@ (
    select range_agg(tstzrange(day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC')) from (${days}) days
  )`

/** A UTC day that waits to be counted. `known`: whether it can be told which insights have mentions on it. */
export type WaitingDay = { day: string; known: boolean }

/** A row of `report_day_due`: an insight whose mentions made a UTC day wait; null: it is not known which. */
export type NotedDay = { day: string; issueNumber: number | null }

/** A counted UTC day with the insights of its mentions, four bytes each; null: counted by a version that stored none. */
export type StoredDay = { day: string; insights: Buffer | null }

/** Whether each row of `report_day_due` of a day says which insight's mentions made it wait. */
export const isKnown = sql`bool_and(issue_number is not null)`

/** The most waiting days for which mentions are looked up by insight: in all, and those whose insights are unknown. For more, all are read once. */
const FEW_DAYS = { known: 20, unknown: 3 }

/** Whether looking up the insights of these days is less work than reading all mentions. */
export function isFew(days: readonly WaitingDay[]): boolean {
  return days.length <= FEW_DAYS.known && days.filter(({ known }) => !known).length <= FEW_DAYS.unknown
}

/**
 * The insights that may have mentions on waiting days, as a query of `day` and `issue_number`: those that had some when a day was last counted and those whose
 * mentions made it wait, or all where that is not known. In the order of the index in which they are looked up.
 * `noted`: a query of the rows of `report_day_due` of these days. `stored`: a query of `day` and `insights`, the list of each as it was counted.
 */
function insightsOn(workspaceId: string, noted: Sql, stored: Sql): Sql {
  return sql`
    with noted as materialized (${noted}), stored as materialized (${stored}), unknown as materialized (
      select day from noted where issue_number is null union select day from stored where insights is null
    )
    select day, issue_number from noted where issue_number is not null
    union
    select day, get_byte(insights, at) << 24 | get_byte(insights, at + 1) << 16 | get_byte(insights, at + 2) << 8 | get_byte(insights, at + 3)
    from stored, generate_series(0, length(insights) - 4, 4) at
    union
    select day, issue_number from unknown cross join insight where insight.workspace_id = ${workspaceId}
    order by issue_number, day`
}

/** `insightsOn` for days whose rows were deleted to count them again. */
export function insightsOnDeleted(workspaceId: string, noted: readonly NotedDay[], stored: readonly StoredDay[]): Sql {
  return insightsOn(
    workspaceId,
    sql`select * from unnest(${textArray(noted.map(({ day }) => day))}::date[], ${numberArray(noted.map(({ issueNumber }) => issueNumber))}::int[]) as noted (day, issue_number)`,
    sql`select * from unnest(${textArray(stored.map(({ day }) => day))}::date[], ${stored.map(({ insights }) => insights)}::bytea[]) as stored (day, insights)`,
  )
}

/** `insightsOn` for days that wait, `days`: a query of them. Read with the mentions in one statement: no change falls between. */
function insightsOnWaiting(workspaceId: string, days: Sql): Sql {
  return insightsOn(
    workspaceId,
    sql`select day, issue_number from report_day_due where workspace_id = ${workspaceId} and day in (${days})`,
    sql`select day, insights || ''::bytea as insights from report_day where workspace_id = ${workspaceId} and dimension = 'all' and day in (${days})`,
  )
}

/**
 * The mentions of UTC days, as a query of rows of `statement`. `insights`: those that may have mentions on them, as a query of `day` and `issue_number`, which
 * are looked up one by one; null: all mentions are read. `offset 0`: else the planner may read all mentions for one insight too.
 */
export function mentionsOn(workspaceId: string, days: readonly string[], insights: Sql | null): Sql {
  if (insights === null) {
    return sql`
      select * from statement
      where statement.workspace_id = ${workspaceId} and issue_number is not null
        and ${saidOn(sql`select unnest(${textArray(days)}::date[]) as day`)}`
  }
  return sql`
    select said.* from (${insights}) own cross join lateral (
      select * from statement one
      where one.workspace_id = ${workspaceId} and one.issue_number = own.issue_number
        and one.said_at >= own.day::timestamp at time zone 'UTC' and one.said_at < (own.day + 1)::timestamp at time zone 'UTC'
      offset 0
    ) said`
}

/** `mentionsOn` for days that wait. */
export function mentionsOnWaiting(workspaceId: string, waiting: readonly WaitingDay[]): Sql {
  const days = waiting.map(({ day }) => day)
  const wanted = sql`select unnest(${textArray(days)}::date[])`
  return mentionsOn(workspaceId, days, isFew(waiting) ? insightsOnWaiting(workspaceId, wanted) : null)
}
