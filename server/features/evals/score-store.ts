import type { EvalScore } from '@groundswell/contract/evaluation/evals.ts'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** Whose scores, and in which file. */
export type ScoredFile = { workspaceId: string; accountId: string; filename: string }

/** The scores that a person gave in a file, by page and evaluator. */
export async function readScores(tx: Tx, { workspaceId, accountId, filename }: ScoredFile): Promise<EvalScore[]> {
  const { rows } = await sql<Omit<EvalScore, 'scored_at'> & { scored_at: Date }>`
    select page, evaluator, score, reason, automatic, scored_at from eval_score
    where workspace_id = ${workspaceId} and account_id = ${accountId} and filename = ${filename}
    order by page, evaluator`.execute(tx)
  return rows.map((row) => ({ ...row, scored_at: row.scored_at.toISOString() }))
}

/** Stores a score, over the person's earlier one there. False: the person already has `most` scores in this file. */
export async function writeScore(
  tx: Tx,
  { workspaceId, accountId, filename }: ScoredFile,
  { page, evaluator, score, reason, automatic, scored_at }: EvalScore,
  most: number,
): Promise<boolean> {
  const { rows } = await sql`
    insert into eval_score (workspace_id, account_id, filename, page, evaluator, score, reason, automatic, scored_at)
    select ${workspaceId}, ${accountId}, ${filename}, ${page}::int, ${evaluator}::int, ${score}::float8, ${reason}, ${automatic}::float8,
      ${scored_at}::timestamptz
    where (select count(*) from eval_score where workspace_id = ${workspaceId} and account_id = ${accountId} and filename = ${filename}
      and (page, evaluator) <> (${page}::int, ${evaluator}::int)) < ${most}::int
    on conflict (workspace_id, account_id, filename, page, evaluator) do update
      set score = excluded.score, reason = excluded.reason, automatic = excluded.automatic, scored_at = excluded.scored_at
    returning 1`.execute(tx)
  return rows.length > 0
}

/** Removes all scores in sessions whose name begins so. */
export async function removeScoresIn(tx: Tx, workspaceId: string, beginning: string): Promise<void> {
  await sql`delete from eval_score where workspace_id = ${workspaceId} and starts_with(filename, ${beginning})`.execute(
    tx,
  )
}

/** Removes a score; false when there was none. */
export async function removeScore(
  tx: Tx,
  { workspaceId, accountId, filename }: ScoredFile,
  { page, evaluator }: { page: number; evaluator: number },
): Promise<boolean> {
  const { rows } = await sql`
    delete from eval_score
    where workspace_id = ${workspaceId} and account_id = ${accountId} and filename = ${filename} and page = ${page} and evaluator = ${evaluator}
    returning 1`.execute(tx)
  return rows.length > 0
}
