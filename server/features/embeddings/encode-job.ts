import { z } from 'zod'
import type { Tx } from '../../platform/db/tenant.ts'
import { defineJob } from '../../platform/queue/queue.ts'
import type { Services } from '../../platform/services.ts'
import type { InsightHooks } from '../insights/index.ts'
import { builtinSpace } from './models/builtin-embedder.ts'

/** An attempt that a killed process cut short counts too: a long import must survive more of those than failures are worth repeating. */
const retries = { tries: 12, pauses: [5, 20, 60] }
/** The messages of one job. */
const MAX_ITEMS = 500

/** Vectors of these messages, before those of all others. */
export const encodeItemsJob = defineJob({
  name: 'encode-items',
  schema: z.object({ workspaceId: z.uuid(), itemIds: z.array(z.int()).max(MAX_ITEMS) }),
  ...retries,
})

/** All missing vectors of a workspace. */
export const encodeWorkspaceJob = defineJob({
  name: 'encode-workspace',
  schema: z.object({ workspaceId: z.uuid() }),
  serial: true,
  ...retries,
})

/** A step of at most this many messages is somebody writing, not an import: their vectors do not wait for those of imports. */
const MAX_URGENT_ITEMS = 50

/** Requests the built-in encoder's vectors of messages that a step of grouping stores, in its transaction. */
export function requestEncoding(services: Services): NonNullable<InsightHooks['grouped']> {
  return async (tx, workspaceId, items) => {
    if ((await builtinSpace(services)) === null) return
    const isSmall = items.length <= MAX_URGENT_ITEMS
    // Messages that were grouped before may have other statements now, whose vectors would not be missing but wrong.
    const named = items.filter((item) => isSmall || item.isRegrouped).map(({ id }) => id)
    for (let at = 0; at < named.length; at += MAX_ITEMS) {
      await services.queue.send(encodeItemsJob, { workspaceId, itemIds: named.slice(at, at + MAX_ITEMS) }, { tx })
    }
    if (!isSmall) await requestEncodingOfAll(services, tx, workspaceId)
  }
}

/** Requests all missing vectors of a workspace. */
export async function requestEncodingOfAll(services: Services, tx: Tx, workspaceId: string): Promise<void> {
  await services.queue.send(encodeWorkspaceJob, { workspaceId }, { tx, key: workspaceId, once: true })
}
