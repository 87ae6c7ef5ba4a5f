import type pg from 'pg'
import type { PgBoss } from 'pg-boss'
import { z } from 'zod'
import { HEARTBEAT_INTERVAL_SECONDS } from './reclaim.ts'
import type { Claim } from './rows.ts'

/** The library's reply to `touch`, whose type does not say it: how many of the jobs are still claimed by the same attempt. */
const Touched = z.object({ affected: z.int() })

/**
 * The condition of the library's statement that takes jobs, by which it is recognised: no other statement has it. Several others lock rows with
 * `SKIP LOCKED`, and return counts instead of jobs.
 */
export const TAKES_JOB = 'AND NOT j.blocked'

/**
 * Takes jobs by the library's statement. If its answer arrives late, because this process was frozen or its connection hung, the jobs
 * may have been given to another worker meanwhile: only those that are still claimed are returned, with a new heartbeat.
 */
export async function takeJobs(
  boss: Pick<PgBoss, 'touch'>,
  take: () => Promise<pg.QueryResult<Claim>>,
): Promise<pg.QueryResult<Claim>> {
  const asked = Date.now()
  const taken = await take()
  if (taken.rows.length === 0 || Date.now() - asked < HEARTBEAT_INTERVAL_SECONDS * 1000) return taken
  const rows: Claim[] = []
  for (const claim of taken.rows) {
    const { affected } = Touched.parse(await boss.touch(claim.name, claim))
    if (affected === 1) rows.push(claim)
  }
  return { ...taken, rows, rowCount: rows.length }
}
