import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** A sign-in that an account started at a provider. `stateHash`: SHA-256 of the `state` that comes back with its code. */
export type StartedSignIn = { accountId: string; connector: string; stateHash: Buffer }

/** Stores a sign-in that starts now. */
export async function insertState(
  tx: Tx,
  workspaceId: string,
  { accountId, connector, stateHash }: StartedSignIn,
  expiresAt: Date,
): Promise<void> {
  await sql`
    insert into oauth_state (workspace_id, state_hash, account_id, connector, expires_at)
    values (${workspaceId}, ${stateHash}, ${accountId}, ${connector}, ${expiresAt})`.execute(tx)
}

/** Uses up a sign-in that has not expired, or with a null hash every one of that account. False when there is none. */
export async function takeState(
  tx: Tx,
  workspaceId: string,
  { accountId, connector, stateHash }: Omit<StartedSignIn, 'stateHash'> & { stateHash: Buffer | null },
  at: Date,
): Promise<boolean> {
  const which = stateHash === null ? sql`true` : sql`state_hash = ${stateHash}`
  const { rows } = await sql`
    delete from oauth_state
    where workspace_id = ${workspaceId} and account_id = ${accountId} and connector = ${connector}
      and expires_at > ${at} and ${which}
    returning 1`.execute(tx)
  return rows.length > 0
}

/** Removes sign-ins that were started and never finished. */
export async function deleteExpiredStates(tx: Tx, workspaceId: string, at: Date): Promise<void> {
  await sql`delete from oauth_state where workspace_id = ${workspaceId} and expires_at <= ${at}`.execute(tx)
}

/** Removes every sign-in that was started. */
export async function deleteStates(tx: Tx, workspaceId: string): Promise<void> {
  await sql`delete from oauth_state where workspace_id = ${workspaceId}`.execute(tx)
}
