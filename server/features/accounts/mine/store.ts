import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'

/** A workspace that somebody is in. */
export type Place = { workspaceId: string; role: 'owner' | 'member' }

/** The places of an account. The transaction must be of that account. */
export async function placesOf(tx: Tx, accountId: string): Promise<Place[]> {
  const { rows } = await sql<Place>`
    select workspace_id as "workspaceId", role from member where account_id = ${accountId}
    order by created_at, workspace_id`.execute(tx)
  return rows
}

/** A workspace's name, and whether somebody else owns it too. The transaction must be of that workspace. */
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

/** Removes a workspace with everything in it. The transaction must be of that workspace. */
export async function deleteWorkspace(tx: Tx, workspaceId: string): Promise<void> {
  // What refers goes before what it refers to: feedback with its statements, deliveries, then insights.
  await sql`delete from connection where workspace_id = ${workspaceId}`.execute(tx)
  await sql`delete from insight where workspace_id = ${workspaceId}`.execute(tx)
  await sql`delete from workspace where workspace_id = ${workspaceId}`.execute(tx)
  // What the deletion of items leaves for the group index, of which there is none any more.
  await sql`delete from forgotten_item where workspace_id = ${workspaceId}`.execute(tx)
}

/** Makes what follows in the transaction of another workspace: a person may be in several. */
export async function enterWorkspace(tx: Tx, workspaceId: string): Promise<void> {
  await sql`select set_config('groundswell.workspace', ${workspaceId}, true)`.execute(tx)
}

/** Everything else that names a person, for the person: without hashes and secrets. */
export async function personalRows(tx: Tx, accountId: string): Promise<Record<string, unknown[]>> {
  const read = async (statement: ReturnType<typeof sql>) => (await statement.execute(tx)).rows
  return {
    sign_ins: await read(sql`
      select id, aal, amr, user_agent, address, created_at, last_used_at, idle_until, expires_at, ended_at
      from session where account_id = ${accountId} order by created_at`),
    places: await read(sql`
      select p.session_id, p.network, p.device, p.first_used_at from session_place p join session s on s.id = p.session_id
      where s.account_id = ${accountId} order by p.first_used_at`),
    identities: await read(sql`
      select provider, subject, email, data, created_at, last_sign_in_at from identity where account_id = ${accountId}`),
    second_factors: await read(sql`
      select id, friendly_name, factor_type, status, created_at, last_challenged_at from factor
      where account_id = ${accountId} order by created_at`),
    recovery_codes: await read(sql`
      select created_at, used_at from recovery_code where account_id = ${accountId} order by created_at`),
  }
}

/** What a workspace keeps of one person's deeds. The transaction must be of that workspace. */
export async function deedsOf(tx: Tx, accountId: string): Promise<unknown[]> {
  const { rows } = await sql`
    select at, action, target, detail, address, user_agent from audit_event
    where actor_id = ${accountId} or account_id = ${accountId} order by id`.execute(tx)
  return rows
}
