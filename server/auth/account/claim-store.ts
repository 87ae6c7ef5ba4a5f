import { sql } from 'kysely'
import type { AccountTx } from '../../platform/db/tenant.ts'

/** Removes every credential other than the password: factors, recovery codes, mailed links, identities. */
export async function deleteCredentials(tx: AccountTx, accountId: string): Promise<void> {
  await sql`delete from factor where account_id = ${accountId}`.execute(tx)
  await sql`delete from recovery_code where account_id = ${accountId}`.execute(tx)
  await sql`delete from one_time_token where account_id = ${accountId}`.execute(tx)
  await sql`delete from flow_state where account_id = ${accountId}`.execute(tx)
  await sql`delete from identity where account_id = ${accountId}`.execute(tx)
}
