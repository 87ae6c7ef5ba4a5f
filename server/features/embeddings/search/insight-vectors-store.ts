import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { insightsView, statementsView } from '../../insights/index.ts'

/** The shown insights with the most mentions, and how many each has. */
export async function readLargest(
  tx: Tx,
  workspaceId: string,
  limit: number,
): Promise<{ issueNumber: number; mentions: number }[]> {
  const { rows } = await sql<{ issueNumber: number; mentions: number }>`
    select issue_number as "issueNumber", mention_count as mentions from ${insightsView} insight
    where workspace_id = ${workspaceId} and shown
    order by mention_count desc, issue_number limit ${limit}`.execute(tx)
  return rows
}

/** The vectors of the newest `limit` mentions of each of these insights, as far as they are stored. */
export async function readNewestVectors(
  tx: Tx,
  workspaceId: string,
  space: string,
  { issueNumbers, limit }: { issueNumbers: readonly number[]; limit: number },
): Promise<{ issueNumber: number; vector: Buffer }[]> {
  const { rows } = await sql<{ issueNumber: number; vector: Buffer }>`
    select wanted.number as "issueNumber", v.vector
    from unnest(${`{${issueNumbers.join(',')}}`}::int[]) as wanted (number)
    cross join lateral (
      select item_id, number from ${statementsView} one
      where workspace_id = ${workspaceId} and issue_number = wanted.number
      order by said_at desc, item_id desc, number desc limit ${limit}
    ) s
    cross join lateral (
      select vector from statement_vector one
      where workspace_id = ${workspaceId} and space = ${space} and item_id = s.item_id and number = s.number
        and vector is not null offset 0
    ) v`.execute(tx)
  return rows
}
