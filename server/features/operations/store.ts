import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** True once the queue's tables exist and can be read. */
export async function queueIsThere(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass('queue.job') is not null as there`.execute(tx)
  return rows[0]?.there ?? false
}

/** True where the server accepts no writes: it is a standby, or it was told so. */
export async function isReadOnly(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{
    value: boolean
  }>`select current_setting('transaction_read_only') = 'on' as value`.execute(tx)
  return rows[0]?.value ?? false
}
