import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** The version that the database has been migrated to; 0 before the first migration. */
export async function appliedVersion(tx: Tx): Promise<number> {
  const { rows } = await sql<{ version: number }>`select coalesce(max(version), 0) as version from migration`.execute(
    tx,
  )
  return rows[0]?.version ?? 0
}

/** True once the queue's tables exist and can be read. */
export async function queueIsThere(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass('queue.job') is not null as there`.execute(tx)
  return rows[0]?.there ?? false
}
