import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** Up to so many rows, comparing each with each costs nothing. */
const FEW = 500

/**
 * Runs statements that join sets of so many rows, with large ones joined by hashing. Left alone, the planner takes rows that came
 * since it last counted a table for none, and may compare each with each: 20,000 with 20,000 is a minute.
 */
export async function joiningSets<T>(tx: Tx, rows: number, work: () => Promise<T>): Promise<T> {
  if (rows <= FEW) return work()
  await sql`set local enable_nestloop = off`.execute(tx)
  const done = await work()
  await sql`set local enable_nestloop = on`.execute(tx)
  return done
}
