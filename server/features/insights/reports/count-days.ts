import { z } from 'zod'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import { periodicWorker } from '../../../platform/queue/periodic.ts'
import { defineJob, type JobWorker } from '../../../platform/queue/queue.ts'
import type { Services } from '../../../platform/services.ts'
import { everyWorkspace } from '../../../platform/sweep/every-workspace.ts'
import { countDueDays, workspacesToCountDays } from './day-store.ts'

const sweepJob = defineJob({ name: 'report-sweep', schema: z.object({}), serial: true, tries: 2 })

/** How many days one transaction counts, and how many transactions a run has for each workspace. */
const DAYS = 20
const MAX_TRANSACTIONS = 60

/** Keeps the counts of reports up to date. Until it has run, reports count the days that changed themselves. */
export function reportJobs(services: Services): JobWorker[] {
  return [periodicWorker(sweepJob, '* * * * *', (run) => countDays(services, run.signal))]
}

/** Counts what waits in each workspace, in transactions of a bounded size. */
export async function countDays(services: Pick<Services, 'db' | 'log'>, signal?: AbortSignal): Promise<void> {
  await everyWorkspace(services, 'report days', workspacesToCountDays, async (workspaceId) => {
    let more = true
    for (let count = 0; more && count < MAX_TRANSACTIONS && !signal?.aborted; count += 1) {
      more = await inWorkspace(services.db, workspaceId, (tx) => countDueDays(tx, workspaceId, DAYS))
    }
  })
}
