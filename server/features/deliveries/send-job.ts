import { z } from 'zod'
import type { Tx } from '../../platform/db/tenant.ts'
import { defineJob } from '../../platform/queue/queue.ts'
import type { Services } from '../../platform/services.ts'
import type { Due } from './store.ts'

/**
 * One attempt at a delivery. `attempts`: how many there had been when the job was sent, which identifies a rerun. One at a time by the queue, which
 * goes by the database's clock: where ours jumps ahead, a lease seems to have ended while its attempt is still under way.
 */
export const deliverJob = defineJob({
  name: 'deliver',
  schema: z.object({ workspaceId: z.uuid(), deliveryId: z.uuid(), attempts: z.int().nonnegative() }),
  serial: true,
})

/** Sends a job for each delivery, as part of the transaction when there is one. */
export async function sendDue(services: Services, workspaceId: string, due: readonly Due[], tx?: Tx): Promise<void> {
  for (const { id, attempts, seconds } of due) {
    await services.queue.send(
      deliverJob,
      { workspaceId, deliveryId: id, attempts },
      { tx, key: id, ...(seconds > 0 ? { startAfter: seconds } : { once: true }) },
    )
  }
}
