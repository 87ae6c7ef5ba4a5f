import { z } from 'zod'
import { defineJob } from '../../platform/queue/queue.ts'

const ConnectionKey = z.object({ workspaceId: z.uuid(), connectionId: z.uuid() })

/** Reads a connection to its end. Serial by connection. Its pauses are shorter than the time after which a sync counts as lost. */
export const syncJob = defineJob({
  name: 'sync-connection',
  schema: ConnectionKey,
  serial: true,
  tries: 8,
  pauses: [2, 5, 10, 20, 40, 60, 60],
})

/** Handles the events of a connection, oldest first. Serial by connection, so that events keep their order. */
export const handleEventsJob = defineJob({
  name: 'follow-events',
  schema: ConnectionKey,
  serial: true,
})

/** Looks for connections whose sync is due, every minute. */
export const syncSweepJob = defineJob({ name: 'sync-sweep', schema: z.object({}), serial: true, tries: 5 })
