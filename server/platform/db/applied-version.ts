import { sql } from 'kysely'
import type { Tx } from './tenant.ts'

/** The version that the database has been migrated to; 0 before the first migration. */
export async function appliedVersion(tx: Tx): Promise<number> {
  const { rows } = await sql<{ version: number }>`select coalesce(max(version), 0) as version from migration`.execute(
    tx,
  )
  return rows[0]?.version ?? 0
}

/** When the first migration was applied; null before that. */
export async function installedAt(tx: Tx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`select min(applied_at) as at from migration`.execute(tx)
  return rows[0]?.at ?? null
}
