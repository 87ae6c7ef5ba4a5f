import * as z from 'zod/mini'
import type { Context, EventOutcome } from '../connector.ts'
import { chosenProject, organisationOf, remoteIdOf } from './place.ts'
import { tracker } from './tracker.ts'

const Payload = z.object({ kind: z.literal('work item'), id: z.int(), project: z.nullable(z.string()) })

/** Reads the item again, so that the order in which events arrive does not matter. */
export async function handleEvent(context: Context, payload: Record<string, unknown>): Promise<EventOutcome> {
  const event = Payload.safeParse(payload).data
  if (!event) return { items: [], deleted: [], ended: null }
  const id = remoteIdOf(context, organisationOf(context), event.id)
  const data = { project: event.project ?? chosenProject(context) }
  const remote = { id, url: null, label: '', status: 'open' as const, statusName: null, data }
  return { items: [], deleted: [], statuses: await tracker.readStatus(context, [remote]), ended: null }
}
