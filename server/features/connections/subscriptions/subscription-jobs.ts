import { z } from 'zod'
import { defineJob } from '../../../platform/queue/queue.ts'

/** Creates, renews or repairs the subscription of a connection. What fails is tried again by the sweep. */
export const ensureSubscriptionJob = defineJob({
  name: 'ensure-subscription',
  schema: z.object({ workspaceId: z.uuid(), connectionId: z.uuid() }),
  serial: true,
  tries: 3,
})

const Removal = z.object({
  workspaceId: z.uuid(),
  connectionId: z.uuid(),
  sealedSecrets: z.string().nullable(),
  renewAt: z.iso.datetime().nullable(),
  state: z.record(z.string(), z.unknown()),
  renewed: z.boolean(),
})

/**
 * A subscription to remove at the provider. The secrets stay sealed: only this installation can open them, and only for this
 * connection. `renewed`: they were refreshed by an earlier job.
 */
export type Removal = z.infer<typeof Removal>

/** Removes a subscription at its provider, with up to 12 attempts. */
export const removeSubscriptionJob = defineJob({ name: 'remove-subscription', schema: Removal, tries: 12 })

/** Sends a job for each subscription that is due. */
export const subscriptionSweepJob = defineJob({
  name: 'subscription-sweep',
  schema: z.object({}),
  serial: true,
  tries: 5,
})
