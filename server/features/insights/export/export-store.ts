import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { connectionsView } from '../../connections/index.ts'
import { feedbackItemsView } from '../../feedback/index.ts'
import { type EvidencePlace, type EvidenceRow, evidenceColumns, olderThan, withText } from '../evidence-store.ts'

/** The numbers of all shown insights, the latest updated first. */
export async function readShownNumbers(tx: Tx, workspaceId: string): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select issue_number as number from insight
    where workspace_id = ${workspaceId} and deleted_at is null and ended_at is null and not hidden
    order by last_updated desc, issue_number desc`.execute(tx)
  return rows.map((row) => row.number)
}

/** A page of the mentions of one insight, newest first, after the one given; each message is cut off after its mention. */
export async function readMentions(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  after: EvidencePlace | null,
  limit: number,
): Promise<EvidenceRow[]> {
  const { rows } = await sql<Omit<EvidenceRow, 'text'>>`
    select ${evidenceColumns}, left(item.text, s.end_offset) as message
    from statement s
    join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = s.item_id
    join ${connectionsView} connection on connection.workspace_id = ${workspaceId} and connection.id = item.connection_id
    where s.workspace_id = ${workspaceId} and s.issue_number = ${issueNumber} ${after ? olderThan(after) : sql``}
    order by s.said_at desc, s.item_id desc, s.number desc limit ${limit}`.execute(tx)
  return rows.map(withText)
}
