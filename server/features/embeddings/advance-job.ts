import { z } from 'zod'
import type { Tx } from '../../platform/db/tenant.ts'
import { defineJob } from '../../platform/queue/queue.ts'
import type { Services } from '../../platform/services.ts'

/** Computes missing vectors of a workspace and advances its switch to another model. */
export const advanceJob = defineJob({
  name: 'advance-embeddings',
  schema: z.object({ workspaceId: z.uuid() }),
  serial: true,
  tries: 4,
  pauses: [5, 20, 60],
})

/** Requests a run for a workspace's vectors and its switch, as part of a transaction. */
export async function requestAdvance(services: Services, tx: Tx, workspaceId: string): Promise<void> {
  await services.queue.send(advanceJob, { workspaceId }, { tx, key: workspaceId, once: true })
}

/** Requests a run in this many seconds, for vectors that cannot be computed now. */
export async function requestAdvanceLater(services: Services, workspaceId: string, seconds: number): Promise<void> {
  await services.queue.send(advanceJob, { workspaceId }, { key: workspaceId, once: true, startAfter: seconds })
}
