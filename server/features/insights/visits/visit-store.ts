import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { feedbackItemsView } from '../../feedback/index.ts'

/** A visit ends after this time without a sign of it. */
const VISIT_ENDS = sql`interval '30 minutes'`
/** What arrived so recently may belong to a transaction that is not committed yet, and so not be on the screen. */
const IN_FLIGHT = sql`interval '1 minute'`
/** Longer absences are not caught up with. By whole days, so that the time does not move during a visit. */
const earliest = (now: Date) => sql`date_trunc('day', ${now}::timestamptz, 'UTC') - interval '30 days'`
/**
 * Until when messages have arrived that were grouped, so that insights show them. No later than the database's clock, which says when a message
 * arrived: if ours is ahead, what arrives in between was not shown.
 */
const shownUntil = (
  workspaceId: string,
  now: Date,
) => sql<Date>`least(${now}::timestamptz - ${IN_FLIGHT}, now() - ${IN_FLIGHT}, (
  select stored_at - interval '1 millisecond' from ${feedbackItemsView} item
  where workspace_id = ${workspaceId} and grouped_seq is null order by id limit 1))`

/** Until when the insights have all messages that arrived. */
export async function seenUntil(tx: Tx, workspaceId: string, now: Date): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select ${shownUntil(workspaceId, now)} as at`.execute(tx)
  return rows[0]?.at ?? now
}

/**
 * Notes that a person is looking at the insights. Returns when their previous visit ended, as far as messages were grouped then: those that
 * arrived but were not grouped could not be seen. Null during the first visit.
 */
export async function noteVisitOf(tx: Tx, workspaceId: string, accountId: string, now: Date): Promise<Date | null> {
  const at = sql`${now}::timestamptz`
  const { rows } = await sql<{ since: Date | null }>`
    insert into visit (workspace_id, account_id, seen_at, shown_until)
    select ${workspaceId}::uuid, ${accountId}::uuid, ${at}, ${shownUntil(workspaceId, now)}
    on conflict (workspace_id, account_id) do update
    set previous_until = case when ${at} > visit.seen_at + ${VISIT_ENDS} then visit.shown_until else visit.previous_until end,
      shown_until = greatest(visit.shown_until, excluded.shown_until), seen_at = greatest(visit.seen_at, excluded.seen_at)
    returning greatest(previous_until, case when previous_until is not null then ${earliest(now)} end) as since`.execute(
    tx,
  )
  return rows[0]?.since ?? null
}

/** When a person was last seen in a workspace; null: never. */
export async function readLastVisit(tx: Tx, workspaceId: string, accountId: string): Promise<Date | null> {
  const { rows } = await sql<{ at: Date }>`
    select seen_at as at from visit where workspace_id = ${workspaceId} and account_id = ${accountId}`.execute(tx)
  return rows[0]?.at ?? null
}

/** What `noteVisitOf` would return, without noting anything. */
export async function readSince(tx: Tx, workspaceId: string, accountId: string, now: Date): Promise<Date | null> {
  const at = sql`${now}::timestamptz`
  const { rows } = await sql<{ since: Date | null }>`
    select greatest(since, case when since is not null then ${earliest(now)} end) as since from (
      select case when ${at} > seen_at + ${VISIT_ENDS} then shown_until else previous_until end as since
      from visit where workspace_id = ${workspaceId} and account_id = ${accountId}
    ) one`.execute(tx)
  return rows[0]?.since ?? null
}
