import type { JobWorker } from '../../platform/queue/queue.ts'
import type { Services } from '../../platform/services.ts'
import { sealPlainFields } from './sealing/seal-plain.ts'
import { revokeWorker } from './sign-in/revoke.ts'
import { subscriptionWorkers } from './subscriptions/sweep-subscriptions.ts'

/** Before a worker starts, it seals what an earlier version stored in plain text. Then it revokes ended sign-ins and keeps subscriptions. */
export function connectionJobs(services: Services): JobWorker[] {
  return [
    { name: 'seal-connections', start: () => sealPlainFields(services) },
    revokeWorker(services),
    ...subscriptionWorkers(services),
  ]
}
