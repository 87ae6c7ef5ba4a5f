import { sql } from 'kysely'
import type { AccountTx } from '../../platform/db/tenant.ts'

/** A current or former signing key of access tokens. `id` is the `kid` of its tokens. */
export type SigningKeyRow = {
  id: string
  publicJwk: Record<string, unknown>
  sealedPrivate: string
  state: 'current' | 'previous'
}

const SIGNING_KEY_LOCK = 4_190_772_302

/** Every key whose tokens are accepted. */
export async function signingKeyRows(tx: AccountTx): Promise<SigningKeyRow[]> {
  const { rows } = await sql<SigningKeyRow>`
    select id, public_jwk as "publicJwk", sealed_private as "sealedPrivate", state
    from signing_key order by created_at desc`.execute(tx)
  return rows
}

/** Locks the creation and rotation of keys until the transaction ends. */
export async function lockSigningKeys(tx: AccountTx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${SIGNING_KEY_LOCK})`.execute(tx)
}

/** Stores a key as the current one. The previous one still verifies. */
export async function insertSigningKey(tx: AccountTx, key: Omit<SigningKeyRow, 'state'>, at: Date): Promise<void> {
  await sql`update signing_key set state = 'previous', retired_at = ${at} where state = 'current'`.execute(tx)
  await sql`
    insert into signing_key (id, public_jwk, sealed_private, state, created_at)
    values (${key.id}, ${JSON.stringify(key.publicJwk)}::jsonb, ${key.sealedPrivate}, 'current', ${at})`.execute(tx)
}

/** Deletes the keys that were retired before this time. */
export async function deleteRetiredKeys(tx: AccountTx, before: Date): Promise<void> {
  await sql`delete from signing_key where state = 'previous' and retired_at < ${before}`.execute(tx)
}
