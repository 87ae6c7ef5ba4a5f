import { z } from 'zod'
import { inWorkspace, withoutWorkspace } from '../../platform/db/tenant.ts'
import { defineJob, type JobWorker, jobWorker } from '../../platform/queue/queue.ts'
import type { Services } from '../../platform/services.ts'
import { considerPush } from './consider-push.ts'
import { deliver } from './deliver.ts'
import { deliverJob } from './delivery-job.ts'
import { failDisconnected, readWorkspaceIds } from './store.ts'

const sweepJob = defineJob({ name: 'deliver-sweep', schema: z.object({}), tries: 5 })

/** Sends deliveries, and every minute looks for those that are due although no job says so. */
export function deliveryJobs(services: Services): JobWorker[] {
  return [
    jobWorker(deliverJob, (data, run) => deliver(services, data, run.signal), {
      concurrency: services.config.workerConcurrency,
    }),
    {
      name: sweepJob.name,
      async start(queue) {
        await queue.work(sweepJob, () => sweepDeliveries(services))
        await queue.schedule(sweepJob, '* * * * *', {})
      },
    },
  ]
}

/**
 * Makes and wakes every delivery that the tables call for, workspace by workspace: whatever was missed, by a lost job or
 * by a threshold that was lowered, is caught up here.
 */
export async function sweepDeliveries(services: Services): Promise<void> {
  for (const id of await withoutWorkspace(services.db, readWorkspaceIds)) {
    await inWorkspace(services.db, id, async (tx) => {
      await failDisconnected(tx, id, services.now())
      await considerPush(services)(tx, id)
    })
  }
}
