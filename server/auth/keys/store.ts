import { sql } from 'kysely'
import type { AccountTx } from '../../platform/db/tenant.ts'

/** A sealed secret and the id of its row. */
export type SealedRow = { id: string; sealed: string }

/** The secrets of all second factors, locked until the transaction ends. */
export async function lockFactorSecrets(tx: AccountTx): Promise<SealedRow[]> {
  const { rows } = await sql<SealedRow>`
    select id, sealed_secret as sealed from factor where sealed_secret is not null order by id for update`.execute(tx)
  return rows
}

/** Replaces the sealed secret of a factor. */
export async function putFactorSecret(tx: AccountTx, { id, sealed }: SealedRow): Promise<void> {
  await sql`update factor set sealed_secret = ${sealed} where id = ${id}`.execute(tx)
}

/** The private parts of all signing keys, locked until the transaction ends. */
export async function lockSigningSecrets(tx: AccountTx): Promise<SealedRow[]> {
  const { rows } = await sql<SealedRow>`
    select id, sealed_private as sealed from signing_key order by id for update`.execute(tx)
  return rows
}

/** Replaces the sealed private part of a signing key. */
export async function putSigningSecret(tx: AccountTx, { id, sealed }: SealedRow): Promise<void> {
  await sql`update signing_key set sealed_private = ${sealed} where id = ${id}`.execute(tx)
}
