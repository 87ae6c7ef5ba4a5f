import * as z from 'zod/mini'
import type { Context, EventOutcome } from '../connector.ts'
import { remoteIdOf, siteOf } from './site.ts'
import { readStatuses } from './status.ts'

const Payload = z.object({ issue: z.string().check(z.regex(/^\d{1,18}$/)) })

/** Reads the issue again: an event says only that something may have changed, and the order of events does not matter. */
export async function handleEvent(context: Context, payload: Record<string, unknown>): Promise<EventOutcome> {
  const event = Payload.safeParse(payload).data
  if (!event) return { items: [], deleted: [], ended: null }
  const statuses = await readStatuses(context, [remoteIdOf(siteOf(context), event.issue)])
  return { items: [], deleted: [], statuses, ended: null }
}
