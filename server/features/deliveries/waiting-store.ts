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
