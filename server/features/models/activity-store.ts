import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** What the model has done for one workspace. */
export type Activity = Record<'tokens' | 'messages' | 'named' | 'refused' | 'judged' | 'joined' | 'split', number>

/** What the model has done for one workspace since `since`; totals for what is not dated. */
export async function readActivity(tx: Tx, workspaceId: string, since: Date): Promise<Activity> {
  const { rows } = await sql<Activity>`
    select
      (select coalesce(sum(tokens), 0)::bigint from model_day
        where workspace_id = ${workspaceId} and day >= (${since}::timestamptz at time zone 'UTC')::date) as tokens,
      (select count(*) from feedback_item
        where workspace_id = ${workspaceId} and stored_at >= date_trunc('day', ${since}::timestamptz, 'UTC')) as messages,
      (select count(*) from model_description where workspace_id = ${workspaceId} and name is not null) as named,
      (select count(*) from model_description where workspace_id = ${workspaceId} and name is null
        and refused <> 'people') as refused,
      (select count(*) from model_join where workspace_id = ${workspaceId} and verdict <> 'none') as judged,
      (select count(*) from model_join where workspace_id = ${workspaceId} and state = 'held') as joined,
      (select count(*) from model_split where workspace_id = ${workspaceId} and state = 'applied') as split`.execute(tx)
  return rows[0] ?? { tokens: 0, messages: 0, named: 0, refused: 0, judged: 0, joined: 0, split: 0 }
}

/** The ids of all workspaces, for periodic work. */
export async function readWorkspaceIds(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select all_workspace_ids() as id`.execute(tx)
  return rows.map((row) => row.id)
}
