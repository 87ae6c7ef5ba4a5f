import { z } from 'zod'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import { periodicWorker } from '../../../platform/queue/periodic.ts'
import { defineJob, type JobWorker, jobWorker } from '../../../platform/queue/queue.ts'
import type { Services } from '../../../platform/services.ts'
import { everyWorkspace } from '../../../platform/sweep/every-workspace.ts'
import { customerJobs } from '../customers/find-customers.ts'
import { reportJobs } from '../reports/count-days.ts'
import { checkCounts } from './check-counts.ts'
import { groupWorkspace, type InsightHooks } from './run.ts'
import { workspacesToGroup } from './stores/work-store.ts'

const GroupWorkspace = z.object({ workspaceId: z.uuid(), settle: z.optional(z.boolean()) })

const groupJob = defineJob({ name: 'group-workspace', schema: GroupWorkspace, serial: true, leased: true })
const countsJob = defineJob({ name: 'check-counts', schema: z.object({}), serial: true, tries: 2 })
const sweepJob = defineJob({ name: 'group-sweep', schema: z.object({}), serial: true, tries: 5 })

/** A run stops after this time, before its job could be given to another worker. */
const MAX_RUN_MS = 10 * 60_000

/** Requests grouping of the waiting messages of a workspace, in the transaction that stored them. */
export function requestGrouping(services: Services): (tx: Tx, workspaceId: string) => Promise<void> {
  return async (tx, workspaceId) => {
    await services.queue.send(groupJob, { workspaceId }, { tx, key: workspaceId, once: true })
  }
}

/** Grouping, one run at a time per workspace, a sweep for work whose job was lost, and a slow check of the counts. */
export function insightJobs(services: Services, hooks: InsightHooks): JobWorker[] {
  return [
    jobWorker(
      groupJob,
      async ({ workspaceId, settle }, run) => {
        const signal = AbortSignal.any([run.signal, AbortSignal.timeout(MAX_RUN_MS)])
        const senders = () => services.queue.waitingSenders(groupJob, workspaceId)
        const outcome = await groupWorkspace(services, workspaceId, hooks, { signal, settle, senders })
        run.log.debug({ workspace: workspaceId, grouped: outcome.grouped }, 'grouped')
        if (!outcome.finished) await services.queue.send(groupJob, { workspaceId, settle }, { key: workspaceId })
        else if (outcome.settlesIn !== null) {
          const seconds = outcome.settlesIn
          await services.queue.send(
            groupJob,
            { workspaceId, settle: true },
            { key: workspaceId, startAfter: seconds, singletonSeconds: seconds },
          )
        }
      },
      { concurrency: 2 },
    ),
    periodicWorker(sweepJob, '* * * * *', () => sweepGrouping(services)),
    ...customerJobs(services, hooks),
    ...reportJobs(services),
    periodicWorker(countsJob, '*/10 * * * *', (run) => checkCounts(services, run.signal)),
  ]
}

/** Requests grouping wherever something waits for it. */
async function sweepGrouping(services: Services): Promise<void> {
  await everyWorkspace(services, 'grouping', workspacesToGroup, (workspaceId) =>
    inWorkspace(services.db, workspaceId, (tx) => requestGrouping(services)(tx, workspaceId)),
  )
}
