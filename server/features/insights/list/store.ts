import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { raiseRevision } from '../revision.ts'
import { described } from '../shown-store.ts'
import { type InsightRow, insightColumns } from '../store.ts'

/** Insights that changed after a revision: a list made then has to update or remove them. */
export async function readChangedInsights(tx: Tx, workspaceId: string, since: number): Promise<InsightRow[]> {
  const { rows } = await sql<InsightRow>`
    select ${insightColumns} from insight ${described}
    where insight.workspace_id = ${workspaceId} and insight.revision > ${since}::bigint
    order by insight.issue_number`.execute(tx)
  return rows
}

/** Deletes a shown insight, or with null restores a deleted one. False when there is no such insight. */
export async function markDeleted(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  deletedAt: Date | null,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update insight set deleted_at = ${deletedAt}::timestamptz, revision = ${await raiseRevision(tx, workspaceId)}::bigint
    where workspace_id = ${workspaceId} and issue_number = ${issueNumber} and ended_at is null
      and ${deletedAt ? sql`deleted_at is null and not hidden` : sql`deleted_at is not null`}`.execute(tx)
  return numAffectedRows === 1n
}
