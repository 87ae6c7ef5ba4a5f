import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/**
 * Mentions of each insight by week, counted back from its `until`: week 0 ends there. Weeks without mentions are left out. Whole UTC days
 * are read from the counts by day; mentions themselves only of the days in which a week begins or ends.
 */
export async function readWeeks(
  tx: Tx,
  workspaceId: string,
  wanted: readonly { issueNumber: number; until: Date }[],
  weeks: number,
): Promise<{ issueNumber: number; weeksAgo: number; mentions: number }[]> {
  const { rows } = await sql<{ issueNumber: number; weeksAgo: number; mentions: number }>`
    with wanted as (
      select number, until, last_day, until - ${weeks}::int * interval '7 days' as since,
        until > last_day::timestamp at time zone 'UTC' as splits_days
      from unnest(${wanted.map((one) => one.issueNumber)}::int[],
        ${wanted.map((one) => one.until.toISOString())}::timestamptz[]) as given (number, until)
      cross join lateral (select (until at time zone 'UTC')::date as last_day) days
    )
    select number as "issueNumber", ceil(extract(epoch from (until - said_at)) / 604800)::int - 1 as "weeksAgo",
      sum(mentions)::int as mentions
    from (
      select wanted.number, wanted.until, day::timestamp at time zone 'UTC' as said_at, mentions
      from wanted cross join lateral (
        select day, mentions from insight_day
        where workspace_id = ${workspaceId} and issue_number = wanted.number
          and day >= wanted.last_day - 7 * ${weeks}::int and day < wanted.last_day
        union all
        select day, mentions from mention_change
        where workspace_id = ${workspaceId} and issue_number = wanted.number
          and day >= wanted.last_day - 7 * ${weeks}::int and day < wanted.last_day
      ) whole
      where not (splits_days and (last_day - day) % 7 = 0)
      union all
      select wanted.number, wanted.until, s.said_at, 1
      from wanted
      cross join generate_series(0, ${weeks}::int) ago
      cross join lateral (
        select (last_day - 7 * ago)::timestamp at time zone 'UTC' as from_time,
          (last_day - 7 * ago + 1)::timestamp at time zone 'UTC' as to_time
      ) day
      join statement s on s.workspace_id = ${workspaceId} and s.issue_number = wanted.number
        and s.said_at >= greatest(day.from_time, wanted.since) and s.said_at < least(day.to_time, wanted.until)
      where splits_days
    ) counted
    group by 1, 2 having sum(mentions) <> 0`.execute(tx)
  return rows
}
