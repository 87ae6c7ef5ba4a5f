import { sql } from 'kysely'
import type { AccountTx } from '../../platform/db/tenant.ts'

/** Why a person is sent to the provider: to sign in, to link their account, or to test the settings. */
export type SsoPurpose = 'sign-in' | 'link' | 'test'

/** A started sign-in at the provider of a workspace. `accountId`: who is signed in, of a link or a test; null of a sign-in. */
export type SsoFlow = {
  id: string
  workspaceId: string
  purpose: SsoPurpose
  accountId: string | null
  nonce: string
  sealedVerifier: string
  /** The hash of the cookie of the browser that started it. */
  browserHash: Buffer
  redirectTo: string
  createdAt: Date
  expiresAt: Date
}

/** Stores a started sign-in by the hash of its state. */
export async function insertSsoFlow(tx: AccountTx, row: SsoFlow & { stateHash: Buffer }): Promise<void> {
  await sql`
    insert into flow_state (id, provider, method, sso_workspace_id, sso_purpose, account_id, state_hash, nonce, sealed_verifier, browser_hash,
      redirect_to, created_at, expires_at)
    values (${row.id}, 'sso', 'sso', ${row.workspaceId}, ${row.purpose}, ${row.accountId}, ${row.stateHash}, ${row.nonce},
      ${row.sealedVerifier}, ${row.browserHash}, ${row.redirectTo}, ${row.createdAt}, ${row.expiresAt})`.execute(tx)
}

/** Removes and returns the sign-in of a state at the provider of a workspace, so that it can be finished once; null for an unknown or used state. */
export async function takeSsoFlow(tx: AccountTx, workspaceId: string, stateHash: Buffer): Promise<SsoFlow | null> {
  const { rows } = await sql<SsoFlow>`
    delete from flow_state where state_hash = ${stateHash} and sso_workspace_id = ${workspaceId}
    returning id, sso_workspace_id as "workspaceId", sso_purpose as purpose, account_id as "accountId", nonce,
      sealed_verifier as "sealedVerifier", browser_hash as "browserHash", redirect_to as "redirectTo", created_at as "createdAt",
      expires_at as "expiresAt"`.execute(tx)
  return rows[0] ?? null
}
