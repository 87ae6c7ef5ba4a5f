import type { AssignmentChange } from '@groundswell/contract/insights/assignment.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import type { Inheritance } from '../inherit-store.ts'

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

/** An unassigned insight inherits the assignee of an insight that was merged into it; of the one with the lowest number if there are several. */
export const ASSIGNMENT: Inheritance = { columns: ['assigned_to'], first: sql`merge.number` }

/** Which of these insights are assigned to a person. */
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
