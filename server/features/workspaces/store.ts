import type { Role } from '@groundswell/contract/values/role.ts'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** Creates a workspace with its owner. The transaction must be of that workspace. */
export async function insertWorkspace(tx: Tx, workspaceId: string, name: string, ownerId: string): Promise<void> {
  await sql`insert into workspace (workspace_id, name) values (${workspaceId}, ${name})`.execute(tx)
  await sql`
    insert into member (workspace_id, account_id, role) values (${workspaceId}, ${ownerId}, 'owner')`.execute(tx)
}

/** Renames a workspace. The transaction must be of that workspace. */
export async function renameWorkspace(tx: Tx, workspaceId: string, name: string): Promise<void> {
  await sql`update workspace set name = ${name} where workspace_id = ${workspaceId}`.execute(tx)
}

/** A workspace's name. The transaction must be of that workspace, which exists. */
export async function workspaceName(tx: Tx, workspaceId: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`select name from workspace where workspace_id = ${workspaceId}`.execute(
    tx,
  )
  const [row] = rows
  if (!row) throw new Error('no such workspace')
  return row.name
}

/** A workspace that an account is a member of. `invited`: false where the workspace was made for the account. */
export type Membership = { workspaceId: string; role: Role; invited: boolean }

/** The workspaces of an account, starting with the one it joined first. The transaction must be of that account. */
export async function membershipsOf(tx: Tx, accountId: string): Promise<Membership[]> {
  const { rows } = await sql<Membership>`
    select workspace_id as "workspaceId", role, invited from member where account_id = ${accountId}
    order by created_at, workspace_id`.execute(tx)
  return rows
}

/** The workspace that an account joined first. The transaction must be of that account, or of that workspace. */
export async function firstWorkspace(tx: Tx, accountId: string): Promise<string | null> {
  const { rows } = await sql<{ workspaceId: string }>`
    select workspace_id as "workspaceId" from member where account_id = ${accountId}
    order by created_at, workspace_id limit 1`.execute(tx)
  return rows[0]?.workspaceId ?? null
}

/** The facts about a workspace that `workspaceFacts` returns. */
export type WorkspaceFacts = { name: string; hasOtherOwner: boolean; hasOthers: boolean; joinedAt: Date }

/** A workspace's name, and who else is in it. The transaction must be of that workspace. */
export async function workspaceFacts(tx: Tx, workspaceId: string, accountId: string): Promise<WorkspaceFacts | null> {
  const { rows } = await sql<WorkspaceFacts>`
    select w.name, exists (
      select from member other where other.workspace_id = w.workspace_id and other.role = 'owner'
        and other.account_id <> ${accountId}) as "hasOtherOwner", exists (
      select from member other where other.workspace_id = w.workspace_id
        and other.account_id <> ${accountId}) as "hasOthers", mine.created_at as "joinedAt"
    from workspace w join member mine on mine.workspace_id = w.workspace_id and mine.account_id = ${accountId}
    where w.workspace_id = ${workspaceId}`.execute(tx)
  return rows[0] ?? null
}
