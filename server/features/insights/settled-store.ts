import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/**
 * Notes that a person opened an insight. Never waits: where a step of grouping is about to change the insight, the next time is noted instead.
 */
export async function noteOpened(tx: Tx, workspaceId: string, issueNumber: number, at: Date): Promise<void> {
  await sql`
    update insight set opened_at = ${at}::timestamptz
    where (workspace_id, issue_number) in (
      select workspace_id, issue_number from insight
      where workspace_id = ${workspaceId} and issue_number = ${issueNumber} and opened_at is null
      for update skip locked
    )`.execute(tx)
}

/** The numbers of the insights that people settled: somebody opened, named or corrected them, or they were pushed. */
export async function readSettled(tx: Tx, workspaceId: string): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select issue_number as number from insight
    where workspace_id = ${workspaceId} and ended_at is null
      and (opened_at is not null or person_changed_at is not null or name_by_person or status <> 'created')
    order by 1`.execute(tx)
  return rows.map(({ number }) => number)
}
