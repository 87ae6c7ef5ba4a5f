import { z } from 'zod'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import { periodicWorker } from '../../../platform/queue/periodic.ts'
import { defineJob, type JobWorker } from '../../../platform/queue/queue.ts'
import type { Services } from '../../../platform/services.ts'
import { everyWorkspace, type SweepOutcome } from '../../../platform/sweep/every-workspace.ts'
import { fillSearch, renewSearch, workspacesToFill } from './store.ts'

const fillJob = defineJob({ name: 'search-sweep', schema: z.object({}), serial: true })
/** A transaction holds locks that a deletion waits for: it should be short. */
const BATCH = 500

/** After an update, makes older messages searchable, and as they are searched now. */
export function searchFillJob(services: Services): JobWorker {
  return periodicWorker(fillJob, '* * * * *', (run) => fillSearches(services, run.signal))
}

/** Completes the search index of every workspace, until done or the signal aborts. */
export function fillSearches(services: Services, signal?: AbortSignal, batch: number = BATCH): Promise<SweepOutcome> {
  return everyWorkspace(services, 'search', workspacesToFill, async (workspaceId) => {
    for (const step of [fillSearch, renewSearch]) {
      let more = true
      while (more && !signal?.aborted)
        more = await inWorkspace(services.db, workspaceId, (tx) => step(tx, workspaceId, batch))
    }
  })
}
