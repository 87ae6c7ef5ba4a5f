import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/**
 * The name and summary that an insight is shown with, for a query over `insight` that also joins `described`: a person's name
 * first; then a language model's, as long as the engine describes the group as it did when the model was asked; else the
 * engine's. This is the only place where that is decided.
 */
export const shownName = sql`
  case when insight.name_by_person then insight.name else coalesce(described.name, insight.name) end`
/** Whether the shown name is the engine's and fewer than most mentions say what it says. */
export const isNameGuessed = sql`
  (insight.name_confident is false and not insight.name_by_person and described.name is null
    and insight.name is not distinct from insight.engine_name)`
/** The summary that is shown: that of a language model, or else the engine’s. Of a query with `described`. */
export const shownSummary = sql`coalesce(described.summary, insight.summary)`
/** Joins what a language model wrote about an insight, as long as that is about its present mentions. */
export const described = sql`left join model_description described
  on described.workspace_id = insight.workspace_id and described.issue_number = insight.issue_number
  and described.described_hash = insight.described_hash`

/** Insights whose shown name is a guess, as rows of `workspace_id` and `issue_number` for an `in` of another query. */
export const guessedInsights = sql`(
  select insight.workspace_id, insight.issue_number from insight ${described} where ${isNameGuessed})`

/** The names of the shown insights of a workspace, by number. */
export async function readShownNames(tx: Tx, workspaceId: string): Promise<Map<number, string>> {
  const { rows } = await sql<{ issueNumber: number; name: string }>`
    select insight.issue_number as "issueNumber", ${shownName} as name from insight ${described}
    where insight.workspace_id = ${workspaceId} and insight.deleted_at is null and insight.ended_at is null
      and not insight.hidden`.execute(tx)
  return new Map(rows.map((row) => [row.issueNumber, row.name]))
}

/** The names of these emerging insights, by their numbers. */
export async function readEmergingNames(
  tx: Tx,
  workspaceId: string,
  numbers: readonly number[],
): Promise<Map<number, string>> {
  if (numbers.length === 0) return new Map()
  const { rows } = await sql<{ number: number; name: string }>`
    select number, name from emerging_insight
    where workspace_id = ${workspaceId} and number = any(${[...numbers]}::int[]) and dismissed_at is null`.execute(tx)
  return new Map(rows.map((row) => [row.number, row.name]))
}

/** The names of these insights, by number, including hidden and ended ones but not deleted ones. */
export async function readNames(tx: Tx, workspaceId: string, numbers: readonly number[]): Promise<Map<number, string>> {
  if (numbers.length === 0) return new Map()
  const { rows } = await sql<{ issueNumber: number; name: string }>`
    select insight.issue_number as "issueNumber", ${shownName} as name from insight ${described}
    where insight.workspace_id = ${workspaceId} and insight.issue_number = any(${[...numbers]}::int[])
      and insight.deleted_at is null`.execute(tx)
  return new Map(rows.map((row) => [row.issueNumber, row.name]))
}
