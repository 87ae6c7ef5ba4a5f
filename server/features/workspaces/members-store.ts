import type { Role } from '@groundswell/contract/values/role.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** A workspace of an account. `invited`: false where it was made for the account. */
export type OwnWorkspace = { workspaceId: string; name: string; role: Role; invited: boolean }

/** Everyone in a workspace, to be joined within a transaction of it: `join ${members} m on …`. */
export const members = sql`(select workspace_id, account_id, role, created_at, mails_about_me from member)`

/** What an account may do in a workspace, as an SQL expression for a statement of any transaction; null when it is no member. */
export function memberRole(workspaceId: RawBuilder<unknown>, accountId: RawBuilder<unknown>): RawBuilder<Role | null> {
  return sql<Role | null>`member_role(${workspaceId}, ${accountId})`
}

/** Where an account works, as an SQL expression for a statement of any transaction: where it was last, or else where it joined first. */
export function enteredWorkspace(accountId: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql<string | null>`entered_workspace(${accountId})`
}

/** What an account may do in a workspace; null when it is no member. The transaction may be of any workspace, or of none. */
export async function roleIn(tx: Tx, workspaceId: string, accountId: string): Promise<Role | null> {
  const { rows } = await sql<{ role: Role | null }>`
    select ${memberRole(sql`${workspaceId}::uuid`, sql`${accountId}::uuid`)} as role`.execute(tx)
  return rows[0]?.role ?? null
}

/** Where an account works; null when it is in no workspace. The transaction may be of any workspace, or of none. */
export async function workplaceOf(tx: Tx, accountId: string): Promise<string | null> {
  const { rows } = await sql<{ workspaceId: string | null }>`
    select ${enteredWorkspace(sql`${accountId}::uuid`)} as "workspaceId"`.execute(tx)
  return rows[0]?.workspaceId ?? null
}

/** The workspaces of an account, by name. The transaction may be of any workspace, or of none. */
export async function workspacesOf(tx: Tx, accountId: string): Promise<OwnWorkspace[]> {
  const { rows } = await sql<OwnWorkspace>`
    select workspace_id as "workspaceId", name, role, invited from workspaces_of_account(${accountId})`.execute(tx)
  return rows
}

/**
 * Lets one transaction at a time change who is in a workspace, and as what, until it ends: two owners who demote each other would leave
 * none. What is read of members afterwards is current.
 */
export async function lockMembers(tx: Tx, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`members of ${workspaceId}`}, 0))`.execute(tx)
}

/** Adds a member who was invited. False when the account is one already. The transaction must be of that workspace. */
export async function insertMember(
  tx: Tx,
  { workspaceId, accountId, role, at }: { workspaceId: string; accountId: string; role: Role; at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into member (workspace_id, account_id, role, invited, created_at) values (${workspaceId}, ${accountId}, ${role}, true, ${at})
    on conflict do nothing returning 1`.execute(tx)
  return rows.length > 0
}

/** Sets the role of a member. The transaction must be of that workspace and hold its lock. */
export async function setRole(tx: Tx, workspaceId: string, accountId: string, role: Role): Promise<void> {
  await sql`
    update member set role = ${role} where workspace_id = ${workspaceId} and account_id = ${accountId}`.execute(tx)
}

/** Ends a membership, with its API keys and invitations. The transaction must be of that workspace and hold its lock. */
export async function deleteMember(tx: Tx, workspaceId: string, accountId: string): Promise<void> {
  await sql`delete from member where workspace_id = ${workspaceId} and account_id = ${accountId}`.execute(tx)
}

/** Who is in a workspace, and as what. The transaction must be of that workspace. */
export async function rolesIn(tx: Tx, workspaceId: string): Promise<{ accountId: string; role: Role }[]> {
  const { rows } = await sql<{ accountId: string; role: Role }>`
    select account_id as "accountId", role from member where workspace_id = ${workspaceId} order by account_id`.execute(
    tx,
  )
  return rows
}

/** Whether a person gets mails about assignments to them and mentions of them. The transaction must be of that workspace. */
export async function wantsMails(tx: Tx, workspaceId: string, accountId: string): Promise<boolean> {
  const { rows } = await sql<{ wanted: boolean }>`
    select mails_about_me as wanted from member where workspace_id = ${workspaceId} and account_id = ${accountId}`.execute(
    tx,
  )
  return rows[0]?.wanted ?? false
}

/** Turns them on or off. The transaction must be of that workspace. */
export async function setWantsMails(tx: Tx, workspaceId: string, accountId: string, wanted: boolean): Promise<void> {
  await sql`
    update member set mails_about_me = ${wanted} where workspace_id = ${workspaceId} and account_id = ${accountId}`.execute(
    tx,
  )
}

/** Notes that an account works in a workspace from now on. The transaction must be of that workspace, or of that account. */
export async function noteEntered(tx: Tx, workspaceId: string, accountId: string, at: Date): Promise<void> {
  await sql`
    update member set entered_at = ${at} where workspace_id = ${workspaceId} and account_id = ${accountId}`.execute(tx)
}
