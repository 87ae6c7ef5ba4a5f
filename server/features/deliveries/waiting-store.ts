import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import { insightsView } from '../insights/index.ts'
import { reaches, type Threshold } from './store.ts'

/** Insights that have reached the threshold and were not pushed, or regressed since: those that wait for a decision. */
export async function readWaiting(tx: Tx, workspaceId: string, threshold: Threshold): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select issue_number as number from ${insightsView} insight
    where workspace_id = ${workspaceId} and insight.shown and insight.status in ('created', 'regressed') and ${reaches(threshold)}
    order by insight.mention_count desc, issue_number`.execute(tx)
  return rows.map((row) => row.number)
}

/** How many deliveries wait or are being sent for the first time, how many a person has to send, and how many have failed. */
export async function countUnsent(
  tx: Tx,
  workspaceId: string,
): Promise<{ waiting: number; held: number; failed: number }> {
  const isHeld = sql`waits_for is not distinct from 'held'`
  const { rows } = await sql<{ waiting: number; held: number; failed: number }>`
    select
      (count(*) filter (where state in ('waiting', 'sending') and delivered_at is null and not ${isHeld}))::int as waiting,
      (count(*) filter (where state = 'waiting' and ${isHeld}))::int as held,
      (count(*) filter (where state = 'failed'))::int as failed
    from delivery where workspace_id = ${workspaceId}`.execute(tx)
  return rows[0] ?? { waiting: 0, held: 0, failed: 0 }
}

/** Workspaces with deliveries that could be sent now, or that wait for a destination that was disconnected. */
export async function workspacesToDeliver(tx: Tx, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select workspaces_to_deliver(${now}) as id`.execute(tx)
  return rows.map((row) => row.id)
}
