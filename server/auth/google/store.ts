import { sql } from 'kysely'
import type { AccountTx } from '../../platform/db/tenant.ts'

/** A started sign-in at the provider: what the callback must match, and where the browser goes afterwards. */
export type StoredFlow = {
  id: string
  nonce: string
  sealedVerifier: string
  /** The hash of the cookie of the browser that started it. */
  browserHash: Buffer
  /** Null: the tokens are returned in the fragment (implicit flow). */
  codeChallenge: string | null
  redirectTo: string
  expiresAt: Date
}

/** Stores a started sign-in by the hash of its state. */
export async function insertFlow(
  tx: AccountTx,
  row: StoredFlow & { provider: string; stateHash: Buffer; at: Date },
): Promise<void> {
  await sql`
    insert into flow_state (id, provider, method, state_hash, nonce, sealed_verifier, browser_hash, code_challenge, redirect_to,
      created_at, expires_at)
    values (${row.id}, ${row.provider}, 'oauth', ${row.stateHash}, ${row.nonce}, ${row.sealedVerifier}, ${row.browserHash},
      ${row.codeChallenge}, ${row.redirectTo}, ${row.at}, ${row.expiresAt})`.execute(tx)
}

/** Removes and returns the sign-in of a state at Google, so that it can be finished once; null for an unknown or used state. */
export async function takeFlow(tx: AccountTx, stateHash: Buffer): Promise<StoredFlow | null> {
  const { rows } = await sql<StoredFlow>`
    delete from flow_state where state_hash = ${stateHash} and provider = 'google'
    returning id, nonce, sealed_verifier as "sealedVerifier", browser_hash as "browserHash",
      code_challenge as "codeChallenge", redirect_to as "redirectTo", expires_at as "expiresAt"`.execute(tx)
  return rows[0] ?? null
}

/** The account with this subject at the provider; null when there is none. */
export async function accountOfIdentity(tx: AccountTx, provider: string, subject: string): Promise<string | null> {
  const { rows } = await sql<{ accountId: string }>`
    select account_id as "accountId" from identity where provider = ${provider} and subject = ${subject}`.execute(tx)
  return rows[0]?.accountId ?? null
}

/** Inserts or updates an account's identity at a provider. */
export async function putIdentity(
  tx: AccountTx,
  row: {
    accountId: string
    provider: string
    subject: string
    email: string | null
    data: Record<string, unknown>
    at: Date
  },
): Promise<void> {
  await sql`
    insert into identity (account_id, provider, subject, email, data, last_sign_in_at, created_at, updated_at)
    values (${row.accountId}, ${row.provider}, ${row.subject}, ${row.email}, ${JSON.stringify(row.data)}::jsonb, ${row.at},
      ${row.at}, ${row.at})
    on conflict (provider, subject) do update set email = excluded.email, data = excluded.data,
      last_sign_in_at = excluded.last_sign_in_at, updated_at = excluded.updated_at`.execute(tx)
}
