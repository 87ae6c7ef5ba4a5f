import type { AssignmentChange } from '@groundswell/contract/assignment.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { lastOf } from '../merges.ts'

/** Whom these insights are assigned to, shown or not, locked until the transaction ends. */
export async function lockAssignments(
  tx: Tx,
  workspaceId: string,
  numbers: readonly number[],
): Promise<Map<number, { assignedTo: string | null; shown: boolean }>> {
  const { rows } = await sql<{ number: number; assignedTo: string | null; shown: boolean }>`
    select issue_number as number, assigned_to as "assignedTo", deleted_at is null and ended_at is null and not hidden as shown
    from insight where workspace_id = ${workspaceId} and issue_number = any(${[...numbers]}::int[])
    order by issue_number for update`.execute(tx)
  return new Map(rows.map((row) => [row.number, row]))
}

/** Assigns insights. A trigger adds it to the history. */
export async function writeAssignments(
  tx: Tx,
  workspaceId: string,
  changes: readonly AssignmentChange[],
  revision: number,
): Promise<void> {
  await sql`
    update insight set assigned_to = change.person, revision = ${revision}::bigint
    from unnest(${changes.map((one) => one.issue_number)}::int[], ${changes.map((one) => one.assigned_to)}::uuid[])
      as change (number, person)
    where workspace_id = ${workspaceId} and issue_number = change.number`.execute(tx)
}

/**
 * Assigns unassigned insights to the assignee of an insight merged into them; of several, the one with the lowest number.
 * `next`: what each insight was merged into, possibly one that was merged itself.
 */
export async function inheritAssignments(
  tx: Tx,
  workspaceId: string,
  next: ReadonlyMap<number, number>,
): Promise<void> {
  if (next.size === 0) return
  const { rows } = await sql<{ number: number }>`
    select issue_number as number from insight
    where workspace_id = ${workspaceId} and issue_number = any(${[...next.keys()]}::int[]) and assigned_to is not null`.execute(
    tx,
  )
  if (rows.length === 0) return
  const from = rows.map(({ number }) => number)
  await sql`
    update insight set assigned_to = given.assigned_to
    from (
      select distinct on (merge.into_number) merge.into_number, one.assigned_to
      from unnest(${from}::int[], ${from.map((number) => lastOf(next, number))}::int[]) as merge (number, into_number)
      join insight one on one.workspace_id = ${workspaceId} and one.issue_number = merge.number
      order by merge.into_number, merge.number
    ) given
    where workspace_id = ${workspaceId} and issue_number = given.into_number and insight.assigned_to is null`.execute(
    tx,
  )
}

/** Of these insights those that are assigned to a person. */
export async function readAssignedTo(
  tx: Tx,
  workspaceId: string,
  accountId: string,
  numbers: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select issue_number as number from insight
    where workspace_id = ${workspaceId} and issue_number = any(${[...numbers]}::int[]) and assigned_to = ${accountId}`.execute(
    tx,
  )
  return rows.map(({ number }) => number)
}
