import { z } from 'zod'
import { withoutWorkspace } from '../platform/db/tenant.ts'
import { periodicWorker } from '../platform/queue/periodic.ts'
import { defineJob, type JobWorker } from '../platform/queue/queue.ts'
import type { Services } from '../platform/services.ts'
import { erasureWorker } from './account/erase-workspace.ts'
import { deleteRunOut } from './codes/store.ts'
import { ACCESS_TOKEN_MS, CLOCK_SKEW_MS, REMEMBER_MS } from './sessions/lifetimes.ts'
import { deleteNotices } from './sessions/notice-store.ts'
import { deleteRetiredKeys } from './sessions/signing-key-store.ts'
import { deleteOldSessions } from './sessions/store.ts'
import { deleteExpiredCounts } from './throttle/attempt-store.ts'

const sweepJob = defineJob({ name: 'account-sweep', schema: z.object({}), serial: true, tries: 5 })

const DAY_MS = 24 * 3_600_000
/** Ended sessions are retained for a while: they record the addresses an account is used from, and token theft. */
const KEEP_ENDED_MS = 30 * DAY_MS

/** Deletes expired sessions, mailed tokens, notices, signing keys and counts of attempts, once an hour; erases workspaces that were left. */
export function authJobs(services: Services): JobWorker[] {
  return [periodicWorker(sweepJob, '41 * * * *', () => sweepAccounts(services)), erasureWorker(services)]
}

/** Deletes what has expired. */
export async function sweepAccounts(services: Pick<Services, 'db' | 'now'>): Promise<void> {
  const now = services.now().getTime()
  const noTokenLeft = new Date(now - ACCESS_TOKEN_MS - CLOCK_SKEW_MS)
  await withoutWorkspace(services.db.accounts, async (tx) => {
    await deleteOldSessions(tx, new Date(now - KEEP_ENDED_MS))
    await deleteRunOut(tx, new Date(now - DAY_MS))
    await deleteNotices(tx, new Date(now - REMEMBER_MS))
    await deleteRetiredKeys(tx, noTokenLeft)
    await deleteExpiredCounts(tx, new Date(now))
  })
}
