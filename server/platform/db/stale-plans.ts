import { sql } from 'kysely'
import type { Tx } from './tenant.ts'

/** From this many rows on, planning a few statements again costs nothing beside storing them. */
const MANY_ROWS = 200

/**
 * Call before storing rows. A connection keeps its plans of foreign-key checks: one that was made while a table was nearly empty reads the
 * whole table for each row of the first large import, until the table is analysed. Where many rows are stored, plans are made again.
 */
export async function discardStalePlans(tx: Tx, rows: number): Promise<void> {
  if (rows >= MANY_ROWS) await sql`discard plans`.execute(tx)
}
