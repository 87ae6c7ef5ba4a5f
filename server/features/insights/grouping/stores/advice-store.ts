import type { Advice } from '@groundswell/engine/index.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../../platform/db/tenant.ts'
import { numberArray } from '../../array-literal.ts'

const MAX_ADVICE_PER_STEP = 500

const statementId = sql`item_id || ':' || number`

/** Advice of a language model that no step has applied yet, oldest first. */
export async function readAdvice(tx: Tx, workspaceId: string): Promise<Advice[]> {
  const { rows } = await sql<Advice>`
    select ${statementId} as "statementId", issue_number as "issueId", score from model_join
    where workspace_id = ${workspaceId} and state = 'waiting' and founding is null
    order by decided_at, item_id, number limit ${MAX_ADVICE_PER_STEP}`.execute(tx)
  return rows
}

/** Mentions that are to form an emerging insight in the next step, oldest first. */
export type Founding = { founding: string; statementIds: string[]; score: number }

/** Those that no step has applied yet, oldest first. */
export async function readFoundings(tx: Tx, workspaceId: string): Promise<Founding[]> {
  const { rows } = await sql<Founding>`
    select founding, array_agg(${statementId} order by item_id, number) as "statementIds", max(score) as score from model_join
    where workspace_id = ${workspaceId} and state = 'waiting' and founding is not null
    group by founding order by min(decided_at), founding limit ${MAX_ADVICE_PER_STEP}`.execute(tx)
  return rows
}

/** Advice that was applied: a rebuilt group index needs it. */
export async function readAppliedAdvice(
  tx: Tx,
  workspaceId: string,
): Promise<{ statementId: string; issueId: number }[]> {
  const { rows } = await sql<{ statementId: string; issueId: number }>`
    select ${statementId} as "statementId", issue_number as "issueId" from model_join
    where workspace_id = ${workspaceId} and state = 'held' order by decided_at, item_id, number`.execute(tx)
  return rows
}

/** Records which of the advice given to a step it applied (`taken`, statement ids); the rest no longer fitted. */
export async function settleAdvice(
  tx: Tx,
  workspaceId: string,
  given: readonly Advice[],
  taken: readonly string[],
): Promise<void> {
  if (given.length === 0) return
  await sql`
    update model_join set state = case when ${statementId} = any(${[...taken]}::text[]) then 'held' end
    where workspace_id = ${workspaceId} and state = 'waiting' and founding is null
      and ${statementId} || ' ' || issue_number
        = any(${given.map((one) => `${one.statementId} ${one.issueId}`)}::text[])`.execute(tx)
}

/** Gives the mentions of these foundings the numbers of the insights that they founded; those that no longer fitted are nothing. */
export async function settleFoundings(
  tx: Tx,
  workspaceId: string,
  given: readonly Founding[],
  taken: readonly { statementId: string; issueId: number }[],
): Promise<void> {
  if (given.length === 0) return
  const waiting = sql`workspace_id = ${workspaceId} and founding = any(${given.map((one) => one.founding)}::uuid[])`
  await sql`
    delete from model_join using unnest(${taken.map((one) => one.statementId)}::text[], ${taken.map((one) => one.issueId)}::int[])
      as one (id, issue)
    where workspace_id = ${workspaceId} and founding is null and ${statementId} = one.id and issue_number = one.issue`.execute(
    tx,
  )
  await sql`
    update model_join set issue_number = one.issue, state = 'held', founding = null
    from unnest(${taken.map((one) => one.statementId)}::text[], ${taken.map((one) => one.issueId)}::int[]) as one (id, issue)
    where ${waiting} and ${statementId} = one.id`.execute(tx)
  await sql`delete from model_join where ${waiting}`.execute(tx)
}

/** Detaches advice and answers from the statements of edited items: their texts are read again. */
export async function detachAdvice(tx: Tx, workspaceId: string, itemIds: readonly number[]): Promise<void> {
  if (itemIds.length === 0) return
  await sql`
    update model_join set number = null, state = null
    where workspace_id = ${workspaceId} and item_id = any(${numberArray(itemIds)}::bigint[])`.execute(tx)
  await sql`
    update model_answer set number = null
    where workspace_id = ${workspaceId} and item_id = any(${numberArray(itemIds)}::bigint[])`.execute(tx)
  await sql`
    update model_answer set other_number = null
    where workspace_id = ${workspaceId} and other_item_id = any(${numberArray(itemIds)}::bigint[])`.execute(tx)
}
