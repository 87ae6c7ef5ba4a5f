import type { JobWorker } from '../../platform/queue/queue.ts'
import type { Services } from '../../platform/services.ts'
import { revokeWorker } from './revoke.ts'
import { sealPlainFields } from './seal-plain.ts'
import { subscriptionWorkers } from './sweep-subscriptions.ts'

/** Before a worker starts, it seals what an earlier version stored in plain text. Then it revokes ended sign-ins and keeps subscriptions. */
export function connectionJobs(services: Services): JobWorker[] {
  return [
    { name: 'seal-connections', start: () => sealPlainFields(services) },
    revokeWorker(services),
    ...subscriptionWorkers(services),
  ]
}
