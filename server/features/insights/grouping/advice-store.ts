import type { Advice } from '@groundswell/engine/index.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { numberArray } from '../array-literal.ts'

/** At most so much advice is carried out in one step. */
const AT_ONCE = 500

const statementId = sql`item_id || ':' || number`

/** What a language model said and no grouping has carried out yet. */
export async function readAdvice(tx: Tx, workspaceId: string): Promise<Advice[]> {
  const { rows } = await sql<Advice>`
    select ${statementId} as "statementId", issue_number as "issueId", score from model_join
    where workspace_id = ${workspaceId} and state = 'waiting' order by decided_at, item_id, number limit ${AT_ONCE}`.execute(
    tx,
  )
  return rows
}

/** What was carried out: a group index that is built anew has to be told. */
export async function readHeldAdvice(tx: Tx, workspaceId: string): Promise<{ statementId: string; issueId: number }[]> {
  const { rows } = await sql<{ statementId: string; issueId: number }>`
    select ${statementId} as "statementId", issue_number as "issueId" from model_join
    where workspace_id = ${workspaceId} and state = 'held' order by decided_at, item_id, number`.execute(tx)
  return rows
}

/** Notes which of the advice that a step was given it took; the rest did not fit any more. */
export async function settleAdvice(
  tx: Tx,
  workspaceId: string,
  given: readonly Advice[],
  taken: readonly string[],
): Promise<void> {
  if (given.length === 0) return
  await sql`
    update model_join set state = case when ${statementId} = any(${[...taken]}::text[]) then 'held' end
    where workspace_id = ${workspaceId} and state = 'waiting'
      and ${statementId} || ' ' || issue_number
        = any(${given.map((one) => `${one.statementId} ${one.issueId}`)}::text[])`.execute(tx)
}

/** What was said of statements of these items means nothing any more: their texts are read anew. */
export async function loosenAdvice(tx: Tx, workspaceId: string, itemIds: readonly number[]): Promise<void> {
  if (itemIds.length === 0) return
  await sql`
    update model_join set number = null, state = null
    where workspace_id = ${workspaceId} and item_id = any(${numberArray(itemIds)}::bigint[])`.execute(tx)
}
