import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'

/** How many stored answers of the language model there are of each kind. `unasked`: mentions in no insight that it was not asked about. */
export type AdviceCounts = Record<'named' | 'refused' | 'judged' | 'joined' | 'split' | 'unasked', number>

/** How many pieces of a language model's advice are stored in a workspace. */
export async function countAdvice(tx: Tx, workspaceId: string): Promise<AdviceCounts> {
  const { rows } = await sql<AdviceCounts>`
    select
      (select count(*) from model_description where workspace_id = ${workspaceId} and name is not null) as named,
      (select count(*) from model_description where workspace_id = ${workspaceId} and name is null
        and refused <> 'people') as refused,
      (select count(distinct item_id || ' ' || text_hash) from (
        select item_id, text_hash from model_join where workspace_id = ${workspaceId} and verdict <> 'none'
        union all select item_id, text_hash from model_answer where workspace_id = ${workspaceId} and yes is not null
      ) answered) as judged,
      (select count(*) from model_join where workspace_id = ${workspaceId} and state = 'held') as joined,
      (select count(*) from model_split where workspace_id = ${workspaceId} and state = 'applied') as split,
      (${unasked(workspaceId)}) as unasked`.execute(tx)
  return rows[0] ?? { named: 0, refused: 0, judged: 0, joined: 0, split: 0, unasked: 0 }
}

/** What a language model has not been asked yet: mentions in no insight, and insights whose name it has not suggested. */
export async function countUnasked(tx: Tx, workspaceId: string): Promise<{ undecided: number; unnamed: number }> {
  const { rows } = await sql<{ undecided: number; unnamed: number }>`
    select
      (${unasked(workspaceId)}) as undecided,
      (select count(*) from insight where insight.workspace_id = ${workspaceId} and insight.deleted_at is null and insight.ended_at is null
        and not insight.hidden and not exists (select from model_description said
          where said.workspace_id = ${workspaceId} and said.issue_number = insight.issue_number)) as unnamed`.execute(
    tx,
  )
  return rows[0] ?? { undecided: 0, unnamed: 0 }
}

const unasked = (workspaceId: string) => sql`
  select count(*) from statement s where workspace_id = ${workspaceId} and kind = 'pending' and issue_number is null
    and not exists (select from model_answer a
      where a.workspace_id = ${workspaceId} and a.item_id = s.item_id and a.number = s.number)`
