import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import { insightsView } from '../insights/index.ts'
import { reaches, type Threshold } from './store.ts'

/**
 * Removes first deliveries that nobody asked for, that were never sent, and whose insights no longer reach the threshold: they are added again
 * when they do. `id`: only this one. Returns how many.
 */
export async function takeBack(tx: Tx, workspaceId: string, threshold: Threshold, id?: string): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from delivery using ${insightsView} insight
    where delivery.workspace_id = ${workspaceId} ${id === undefined ? sql`` : sql`and delivery.id = ${id}`}
      and delivery.automatic and delivery.state = 'waiting' and delivery.payload is null
      and insight.workspace_id = ${workspaceId} and insight.issue_number = delivery.issue_number
      and not ${reaches(threshold)}`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}
