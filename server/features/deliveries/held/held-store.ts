import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { insightsView } from '../../insights/index.ts'
import { addCreated, pushable, reaches, type Threshold } from '../store.ts'

/**
 * Transactions that consider pushes share this lock until they end; one that changes what qualifies holds it exclusively. So an
 * insight that crosses the threshold at the same time is either committed before the change, and held by it, or is
 * considered after the change, and pushed.
 */
export async function lockConsidering(tx: Tx, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended('push:' || ${workspaceId}, 0))`.execute(tx)
}

/** The exclusive side of `lockConsidering`. */
export async function lockHolding(tx: Tx, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('push:' || ${workspaceId}, 0))`.execute(tx)
}

/**
 * Holds every insight that qualifies and has no first delivery to this destination yet; releases those that no longer
 * qualify, so that they are pushed when they do again. `offerAgain`: those that were declined are offered once more.
 */
export async function hold(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  { threshold, now, offerAgain }: { threshold: Threshold; now: Date; offerAgain: boolean },
): Promise<void> {
  await sql`
    delete from delivery using ${insightsView} insight
    where delivery.workspace_id = ${workspaceId} and delivery.connection_id = ${connectionId}
      and delivery.waits_for = 'held' and insight.workspace_id = ${workspaceId}
      and insight.issue_number = delivery.issue_number and not ${reaches(threshold)}`.execute(tx)
  if (offerAgain) {
    await sql`
      update delivery set declined_at = null
      where workspace_id = ${workspaceId} and connection_id = ${connectionId} and waits_for = 'held'
        and declined_at is not null`.execute(tx)
  }
  await addCreated(tx, workspaceId, connectionId, { threshold, now, held: true })
}

const offered = (workspaceId: string, connectionIds: readonly string[], threshold: Threshold) => sql`
  delivery.workspace_id = ${workspaceId} and delivery.connection_id = any(${[...connectionIds]}::uuid[])
    and delivery.waits_for = 'held' and delivery.declined_at is null and ${pushable} and ${reaches(threshold)}`

const largestFirst = sql`insight.mention_count desc, insight.people_count desc, insight.issue_number`

/** How many insights each of these destinations is offered. */
export async function countOffered(
  tx: Tx,
  workspaceId: string,
  connectionIds: readonly string[],
  threshold: Threshold,
): Promise<{ connectionId: string; count: number }[]> {
  const { rows } = await sql<{ connectionId: string; count: number }>`
    select delivery.connection_id as "connectionId", count(*)::int as count from delivery
    join ${insightsView} insight on insight.workspace_id = ${workspaceId} and insight.issue_number = delivery.issue_number
    where ${offered(workspaceId, connectionIds, threshold)}
    group by 1`.execute(tx)
  return rows
}

/** Makes the largest offered insights of one destination due now, all when `limit` is null. Returns how many. */
export async function releaseOffered(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  { threshold, limit, now }: { threshold: Threshold; limit: number | null; now: Date },
): Promise<number> {
  const { numAffectedRows } = await sql`
    update delivery set waits_for = null, next_attempt_at = ${now}
    where workspace_id = ${workspaceId} and id in (
      select delivery.id from delivery
      join ${insightsView} insight on insight.workspace_id = ${workspaceId} and insight.issue_number = delivery.issue_number
      where ${offered(workspaceId, [connectionId], threshold)}
      order by ${largestFirst} limit ${limit}::int)`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/** Records that the deliveries still held for this destination were offered and not chosen. It stays held. Returns how many. */
export async function declineOffered(tx: Tx, workspaceId: string, connectionId: string, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update delivery set declined_at = ${now}
    where workspace_id = ${workspaceId} and connection_id = ${connectionId} and waits_for = 'held'
      and declined_at is null`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}
