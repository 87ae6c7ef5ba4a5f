import { z } from 'zod'
import type { Tx } from '../../platform/db/tenant.ts'
import { periodicWorker } from '../../platform/queue/periodic.ts'
import { defineJob, type JobWorker, jobWorker } from '../../platform/queue/queue.ts'
import type { Services } from '../../platform/services.ts'
import { type Looked, sweepChanges } from '../../platform/sweep/changes.ts'
import { considerPush } from './ask.ts'
import { deliver } from './send.ts'
import { deliverJob } from './send-job.ts'
import { failDisconnected, isAnyUnderWay } from './store.ts'
import { sweepItems } from './trackers/sweep-items.ts'
import { workspacesToDeliver } from './waiting-store.ts'

const sweepJob = defineJob({ name: 'deliver-sweep', schema: z.object({}), serial: true, tries: 5 })
const itemsJob = defineJob({ name: 'remote-items-sweep', schema: z.object({}), serial: true })

/** Sends deliveries, and every minute looks for due ones whose job was lost and for trackers' items whose state is due to be read. */
export function deliveryJobs(services: Services): JobWorker[] {
  return [
    jobWorker(deliverJob, (data, run) => deliver(services, data, run.signal), {
      concurrency: services.config.workerConcurrency,
    }),
    periodicWorker(sweepJob, '* * * * *', () => sweepDeliveries(services)),
    periodicWorker(itemsJob, '* * * * *', () => sweepItems(services)),
  ]
}

/**
 * Adds and sends every delivery that the tables call for and whose job was lost. A workspace with a delivery in progress is checked
 * again: what its insights gain meanwhile is for the next delivery.
 */
export async function sweepDeliveries(services: Services): Promise<void> {
  const look = async (tx: Tx, workspaceId: string): Promise<Looked> => {
    await failDisconnected(tx, workspaceId, services.now())
    await considerPush(services)(tx, workspaceId)
    return (await isAnyUnderWay(tx, workspaceId)) ? 'due' : 'idle'
  }
  await sweepChanges(services, { name: 'deliveries' }, look, (tx) => workspacesToDeliver(tx, services.now()))
}
