import type { MemberSuggestion, MergeSuggestion, Suggestions } from '@groundswell/engine/index.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../../platform/db/tenant.ts'
import { numberArray, textArray } from '../../array-literal.ts'

/**
 * Replaces the suggestions about the insights that a revision looked at, or removes all (null). True when insights are suggested to be merged
 * that were not, or no longer: a list shows that.
 */
export async function storeSuggestions(tx: Tx, workspaceId: string, found: Suggestions | null): Promise<boolean> {
  if (!found) {
    await sql`delete from member_suggestion where workspace_id = ${workspaceId}`.execute(tx)
    const removed = await sql`delete from merge_suggestion where workspace_id = ${workspaceId}`.execute(tx)
    return Number(removed.numAffectedRows) > 0
  }
  await replaceMembers(tx, workspaceId, found.issueIds, found.members)
  return replaceMerges(tx, workspaceId, found.issueIds, found.merges)
}

async function replaceMembers(
  tx: Tx,
  workspaceId: string,
  issueIds: readonly number[],
  members: readonly MemberSuggestion[],
): Promise<void> {
  await sql`
    delete from member_suggestion
    where workspace_id = ${workspaceId} and issue_number = any(${numberArray(issueIds)}::int[])`.execute(tx)
  if (members.length === 0) return
  const ids = members.map(({ statementId }) => statementId.split(':').map(Number) as [item: number, number: number])
  await sql`
    insert into member_suggestion (workspace_id, issue_number, item_id, number, score)
    select ${workspaceId}::uuid, made.issue_number, s.item_id, s.number, made.score
    from unnest(${numberArray(members.map((one) => one.issueId))}::int[], ${numberArray(ids.map(([item]) => item))}::bigint[],
      ${numberArray(ids.map(([, number]) => number))}::smallint[], ${numberArray(members.map((one) => one.score))}::real[])
      as made (issue_number, item_id, number, score)
    join statement s on s.workspace_id = ${workspaceId} and s.item_id = made.item_id and s.number = made.number
      and s.issue_number is null
    join insight i on i.workspace_id = ${workspaceId} and i.issue_number = made.issue_number
    on conflict do nothing`.execute(tx)
}

/** Groups whose insights were not all looked at stay, unless they overlap with a new one. */
async function replaceMerges(
  tx: Tx,
  workspaceId: string,
  issueIds: readonly number[],
  merges: readonly MergeSuggestion[],
): Promise<boolean> {
  const groups = merges.map((one) => ({ ...one, issueIds: [...one.issueIds].sort((a, b) => a - b) }))
  const named = groups.flatMap((one) => one.issueIds)
  const gone = await sql<{ numbers: number[] }>`
    delete from merge_suggestion
    where workspace_id = ${workspaceId}
      and (issue_numbers <@ ${numberArray(issueIds)}::int[] or issue_numbers && ${numberArray(named)}::int[])
    returning issue_numbers as numbers`.execute(tx)
  if (groups.length > 0) {
    await sql`
      insert into merge_suggestion (workspace_id, issue_numbers, score)
      select ${workspaceId}::uuid, made.numbers::int[], made.score
      from unnest(${textArray(groups.map((one) => numberArray(one.issueIds)))}::text[],
        ${numberArray(groups.map((one) => one.score))}::real[]) as made (numbers, score)`.execute(tx)
  }
  const before = gone.rows.map(({ numbers }) => numbers.join()).sort()
  const after = groups.map((one) => one.issueIds.join()).sort()
  return before.join(' ') !== after.join(' ')
}

/** Removes the suggestions of mentions whose messages were edited. */
export async function forgetSuggestions(tx: Tx, workspaceId: string, itemIds: readonly number[]): Promise<void> {
  if (itemIds.length === 0) return
  await sql`
    delete from member_suggestion
    where workspace_id = ${workspaceId} and item_id = any(${numberArray(itemIds)}::bigint[])`.execute(tx)
}
