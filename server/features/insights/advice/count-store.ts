import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'

/** How many stored answers of the language model there are of each kind. */
export type AdviceCounts = Record<'named' | 'refused' | 'judged' | 'joined' | 'split', number>

export async function countAdvice(tx: Tx, workspaceId: string): Promise<AdviceCounts> {
  const { rows } = await sql<AdviceCounts>`
    select
      (select count(*) from model_description where workspace_id = ${workspaceId} and name is not null) as named,
      (select count(*) from model_description where workspace_id = ${workspaceId} and name is null
        and refused <> 'people') as refused,
      (select count(*) from model_join where workspace_id = ${workspaceId} and verdict <> 'none') as judged,
      (select count(*) from model_join where workspace_id = ${workspaceId} and state = 'held') as joined,
      (select count(*) from model_split where workspace_id = ${workspaceId} and state = 'applied') as split`.execute(tx)
  return rows[0] ?? { named: 0, refused: 0, judged: 0, joined: 0, split: 0 }
}
