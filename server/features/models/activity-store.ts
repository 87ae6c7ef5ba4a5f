import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import type { DueQuery } from '../../platform/sweep/store.ts'
import { countItemsSince } from '../feedback/index.ts'
import { type AdviceCounts, countAdvice } from '../insights/index.ts'

/** What the model has done for one workspace. */
export type Activity = Record<'tokens' | 'messages', number> & AdviceCounts

/** What the model has done for one workspace since `since`; totals for records without a date. */
export async function readActivity(tx: Tx, workspaceId: string, since: Date): Promise<Activity> {
  const { rows } = await sql<{ tokens: number }>`
    select coalesce(sum(tokens), 0)::bigint as tokens from model_day
    where workspace_id = ${workspaceId} and day >= (${since}::timestamptz at time zone 'UTC')::date`.execute(tx)
  const messages = await countItemsSince(tx, workspaceId, since)
  return { tokens: rows[0]?.tokens ?? 0, messages, ...(await countAdvice(tx, workspaceId)) }
}

/** Workspaces in which a failed call is to be retried. */
export const workspacesToAskAgain =
  (now: Date): DueQuery =>
  async (tx) => {
    const { rows } = await sql<{ id: string }>`select workspaces_to_ask_model_again(${now}) as id`.execute(tx)
    return rows.map((row) => row.id)
  }
