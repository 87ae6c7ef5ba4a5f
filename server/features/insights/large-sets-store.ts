import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** Up to this many rows, a nested loop is fast enough. */
const MAX_SMALL_SET = 500

/**
 * Runs queries that join sets of this many rows, without nested loops if they are large. The planner's statistics do not know of rows
 * added since the last ANALYZE, and it may choose a nested loop: 20,000 by 20,000 rows take a minute.
 */
export async function joiningSets<T>(tx: Tx, rows: number, work: () => Promise<T>): Promise<T> {
  if (rows <= MAX_SMALL_SET) return work()
  await sql`set local enable_nestloop = off`.execute(tx)
  const done = await work()
  await sql`set local enable_nestloop = on`.execute(tx)
  return done
}
