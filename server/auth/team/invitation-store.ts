import type { Role } from '@groundswell/contract/values/role.ts'
import { sql } from 'kysely'
import { type AccountTx, switchWorkspace } from '../../platform/db/tenant.ts'
import { people } from '../account/store.ts'

/** A stored invitation. `email`: where its link was mailed to; `madeBy`: the e-mail address of the person who invites. */
export type InvitationRow = {
  id: string
  role: Role
  email: string | null
  invitedBy: string
  madeBy: string
  createdAt: Date
  expiresAt: Date
}

/** The invitation that a link is of. `signedUpBy`: the account that signed up with it, where that took an invitation; only that one accepts it. */
type Entered = InvitationRow & { workspaceId: string; signedUpBy: string | null }

const columns = sql`
  i.id, i.role, i.email, i.invited_by as "invitedBy", p.email as "madeBy", i.created_at as "createdAt", i.expires_at as "expiresAt"`

/** The invitations of a workspace that can still be accepted, the newest first. */
export async function openInvitations(tx: AccountTx, workspaceId: string, at: Date): Promise<InvitationRow[]> {
  const { rows } = await sql<InvitationRow>`
    select ${columns} from invitation i join ${people} p on p.id = i.invited_by
    where i.workspace_id = ${workspaceId} and i.expires_at > ${at} order by i.created_at desc, i.id`.execute(tx)
  return rows
}

/**
 * Stores an invitation, and deletes those of the workspace that have expired. Returns its id; null when there are `max` open ones already. The
 * transaction must hold the lock of the workspace's members.
 */
export async function insertInvitation(
  tx: AccountTx,
  workspaceId: string,
  row: Pick<InvitationRow, 'role' | 'email' | 'invitedBy' | 'createdAt' | 'expiresAt'> & { tokenHash: Buffer },
  max: number,
): Promise<string | null> {
  await sql`delete from invitation where workspace_id = ${workspaceId} and expires_at <= ${row.createdAt}`.execute(tx)
  const { rows } = await sql<{ id: string }>`
    insert into invitation (workspace_id, role, email, invited_by, token_hash, created_at, expires_at)
    select ${workspaceId}, ${row.role}, ${row.email}, ${row.invitedBy}, ${row.tokenHash}, ${row.createdAt}::timestamptz,
      ${row.expiresAt}::timestamptz
    where (select count(*) from invitation where workspace_id = ${workspaceId}) < ${max}
    returning id`.execute(tx)
  return rows[0]?.id ?? null
}

/** Deletes an invitation, so that its link stops working. False when there is none, as after another transaction has deleted it. */
export async function deleteInvitation(tx: AccountTx, workspaceId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from invitation where workspace_id = ${workspaceId} and id = ${id} returning 1`.execute(tx)
  return rows.length > 0
}

/**
 * Deletes an invitation that an account accepts. False when there is none any more, or another account has signed up with it since it was read.
 */
export async function takeInvitation(
  tx: AccountTx,
  workspaceId: string,
  id: string,
  accountId: string,
): Promise<boolean> {
  const { rows } = await sql`
    delete from invitation where workspace_id = ${workspaceId} and id = ${id} and coalesce(signed_up_by, ${accountId}) = ${accountId}
    returning 1`.execute(tx)
  return rows.length > 0
}

/** Deletes the invitations of a workspace: all, or those that one person made. */
export async function deleteInvitations(
  tx: AccountTx,
  workspaceId: string,
  invitedBy: string | null = null,
): Promise<void> {
  await sql`
    delete from invitation
    where workspace_id = ${workspaceId} and (${invitedBy}::uuid is null or invited_by = ${invitedBy})`.execute(tx)
}

/** The invitation with this hash, if it can be accepted; the transaction is of its workspace from then on. Null: there is none. */
export async function enterByInvitation(tx: AccountTx, tokenHash: Buffer, at: Date): Promise<Entered | null> {
  await sql`select set_config('groundswell.invitation', ${tokenHash.toString('hex')}, true)`.execute(tx)
  const { rows } = await sql<Entered>`
    select ${columns}, i.workspace_id as "workspaceId", i.signed_up_by as "signedUpBy" from invitation i join ${people} p on p.id = i.invited_by
    where i.token_hash = ${tokenHash} and i.expires_at > ${at}`.execute(tx)
  const found = rows[0] ?? null
  if (found) await switchWorkspace(tx, found.workspaceId)
  return found
}

/** The invitation with this hash, if a new account with this address may be made by it. The transaction may be of any workspace, and stays there. */
export async function findForSignUp(
  tx: AccountTx,
  tokenHash: Buffer,
  { email, at }: { email: string; at: Date },
): Promise<{ workspaceId: string; id: string } | null> {
  await sql`select set_config('groundswell.invitation', ${tokenHash.toString('hex')}, true)`.execute(tx)
  const { rows } = await sql<{ workspaceId: string; id: string }>`
    select workspace_id as "workspaceId", id from invitation
    where token_hash = ${tokenHash} and expires_at > ${at} and signed_up_by is null and (email is null or email = ${email})`.execute(
    tx,
  )
  return rows[0] ?? null
}

/**
 * Records that an account signed up with an invitation. False if another one did, or if it no longer exists. The transaction must be of its
 * workspace.
 */
export async function takeForSignUp(
  tx: AccountTx,
  workspaceId: string,
  id: string,
  accountId: string,
): Promise<boolean> {
  const { rows } = await sql`
    update invitation set signed_up_by = ${accountId} where workspace_id = ${workspaceId} and id = ${id} and signed_up_by is null
    returning 1`.execute(tx)
  return rows.length > 0
}
