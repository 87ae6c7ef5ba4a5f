import type pg from 'pg'
import { HEARTBEAT_INTERVAL_SECONDS } from './reclaim.ts'
import { type Claim, keepClaimed } from './rows.ts'

/** The part of the library's statement by which it can be recognised. */
export const TAKES_JOB = 'FOR UPDATE OF j SKIP LOCKED'

/**
 * Takes jobs by the library's statement. If its answer arrives late, because this process was frozen or its connection hung, the jobs
 * may have been given to another worker meanwhile: only those that are still claimed are returned, with a new heartbeat.
 */
export async function takeJobs(pool: pg.Pool, take: () => Promise<pg.QueryResult>): Promise<pg.QueryResult> {
  const asked = Date.now()
  const taken = await take()
  if (taken.rows.length === 0 || Date.now() - asked < HEARTBEAT_INTERVAL_SECONDS * 1000) return taken
  const kept = await keepClaimed(pool, taken.rows as Claim[])
  const rows = (taken.rows as Claim[]).filter(({ id }) => kept.has(id))
  return { ...taken, rows, rowCount: rows.length }
}
