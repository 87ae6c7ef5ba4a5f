import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** An insight and all that were merged into it, directly or through others. */
export async function readWithMerged(tx: Tx, workspaceId: string, issueNumber: number): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    with recursive merged (number) as (
      select ${issueNumber}::int
      union
      select one.issue_number from merged
      join insight one on one.workspace_id = ${workspaceId} and one.merged_into = merged.number and one.ended_at is not null
    )
    select number from merged order by number`.execute(tx)
  return rows.map(({ number }) => number)
}
