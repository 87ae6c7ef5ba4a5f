import { inWorkspace } from '../../../platform/db/tenant.ts'
import { periodicWorker } from '../../../platform/queue/periodic.ts'
import { type JobWorker, jobWorker } from '../../../platform/queue/queue.ts'
import type { Services } from '../../../platform/services.ts'
import { everyWorkspace } from '../../../platform/sweep/every-workspace.ts'
import { ensureSubscription } from './ensure-subscription.ts'
import { removeSubscription } from './remove-subscription.ts'
import { ensureSubscriptionJob, removeSubscriptionJob, subscriptionSweepJob } from './subscription-jobs.ts'
import { dueSubscriptions, workspacesToSubscribe } from './subscription-store.ts'

/** The workers that create, renew and remove subscriptions, and the sweep that finds those that are due. */
export function subscriptionWorkers(services: Services): JobWorker[] {
  return [
    jobWorker(ensureSubscriptionJob, (data, run) => ensureSubscription(services, data, run)),
    jobWorker(removeSubscriptionJob, (data, run) => removeSubscription(services, data, run)),
    periodicWorker(subscriptionSweepJob, '*/5 * * * *', () => sweepSubscriptions(services)),
  ]
}

/** Sends a job for each subscription that is to be checked, renewed or tried again. */
export async function sweepSubscriptions(services: Services): Promise<void> {
  const now = services.now()
  await everyWorkspace(
    services,
    'subscriptions',
    (tx) => workspacesToSubscribe(tx, now),
    (workspaceId) =>
      inWorkspace(services.db, workspaceId, async (tx) => {
        for (const connectionId of await dueSubscriptions(tx, workspaceId, now)) {
          const data = { workspaceId, connectionId }
          await services.queue.send(ensureSubscriptionJob, data, { tx, key: connectionId, once: true })
        }
      }),
  )
}
