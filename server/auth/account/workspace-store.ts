import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** A workspace that an account is a member of. */
export type Place = { workspaceId: string; role: 'owner' | 'member' }

/** The workspaces of an account. The transaction must be of that account. */
export async function placesOf(tx: Tx, accountId: string): Promise<Place[]> {
  const { rows } = await sql<Place>`
    select workspace_id as "workspaceId", role from member where account_id = ${accountId}
    order by created_at, workspace_id`.execute(tx)
  return rows
}

/** A workspace's name, whether it has another owner, and when the account joined. The transaction must be of that workspace. */
export async function workspaceFacts(
  tx: Tx,
  workspaceId: string,
  accountId: string,
): Promise<{ name: string; hasOtherOwner: boolean; joinedAt: Date } | null> {
  const { rows } = await sql<{ name: string; hasOtherOwner: boolean; joinedAt: Date }>`
    select w.name, exists (
      select from member other where other.workspace_id = w.workspace_id and other.role = 'owner'
        and other.account_id <> ${accountId}) as "hasOtherOwner", mine.created_at as "joinedAt"
    from workspace w join member mine on mine.workspace_id = w.workspace_id and mine.account_id = ${accountId}
    where w.workspace_id = ${workspaceId}`.execute(tx)
  return rows[0] ?? null
}

/** Deletes a workspace with everything in it. The transaction must be of that workspace. */
export async function deleteWorkspace(tx: Tx, workspaceId: string): Promise<void> {
  // Referencing rows are deleted first: feedback with its statements, deliveries, then insights.
  await sql`delete from connection where workspace_id = ${workspaceId}`.execute(tx)
  await sql`delete from insight where workspace_id = ${workspaceId}`.execute(tx)
  await sql`delete from workspace where workspace_id = ${workspaceId}`.execute(tx)
  // Deleting items queues work for the group index, which no longer exists.
  await sql`delete from forgotten_item where workspace_id = ${workspaceId}`.execute(tx)
}

/** Switches the transaction to another workspace: a person may be in several. */
export async function switchWorkspace(tx: Tx, workspaceId: string): Promise<void> {
  await sql`select set_config('groundswell.workspace', ${workspaceId}, true)`.execute(tx)
}
