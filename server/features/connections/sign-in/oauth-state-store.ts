import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'

/** A sign-in that an account started at a provider. `stateHash`: SHA-256 of the `state` that comes back with its code. */
export type StartedSignIn = { accountId: string; connector: string; stateHash: Buffer }

/** Stores a sign-in that starts now. `sealed`: what its exchange will need besides. */
export async function insertState(
  tx: Tx,
  workspaceId: string,
  { accountId, connector, stateHash }: StartedSignIn,
  { sealed, expiresAt }: { sealed: string; expiresAt: Date },
): Promise<void> {
  await sql`
    insert into oauth_state (workspace_id, state_hash, account_id, connector, sealed, expires_at)
    values (${workspaceId}, ${stateHash}, ${accountId}, ${connector}, ${sealed}, ${expiresAt})`.execute(tx)
}

/**
 * Uses up a sign-in that has not expired, or with a null hash every one of that account, and returns the newest; null when there is
 * none. An earlier version sealed nothing.
 */
export async function takeState(
  tx: Tx,
  workspaceId: string,
  { accountId, connector, stateHash }: Omit<StartedSignIn, 'stateHash'> & { stateHash: Buffer | null },
  at: Date,
): Promise<{ stateHash: Buffer; sealed: string | null } | null> {
  const which = stateHash === null ? sql`true` : sql`state_hash = ${stateHash}`
  const { rows } = await sql<{ stateHash: Buffer; sealed: string | null; expiresAt: Date }>`
    delete from oauth_state
    where workspace_id = ${workspaceId} and account_id = ${accountId} and connector = ${connector}
      and expires_at > ${at} and ${which}
    returning state_hash as "stateHash", sealed, expires_at as "expiresAt"`.execute(tx)
  return rows.toSorted((a, b) => b.expiresAt.getTime() - a.expiresAt.getTime())[0] ?? null
}

/** Removes sign-ins that were started and never finished. */
export async function deleteExpiredStates(tx: Tx, workspaceId: string, at: Date): Promise<void> {
  await sql`delete from oauth_state where workspace_id = ${workspaceId} and expires_at <= ${at}`.execute(tx)
}

/** Removes every sign-in that was started. */
export async function deleteStates(tx: Tx, workspaceId: string): Promise<void> {
  await sql`delete from oauth_state where workspace_id = ${workspaceId}`.execute(tx)
}
