import * as z from 'zod/mini'
import type { Context, EventOutcome } from '../connector.ts'
import { tracker } from './tracker.ts'

const Payload = z.union([
  z.object({ kind: z.literal('revoked') }),
  z.object({ kind: z.literal('issue'), id: z.string() }),
])

/** Reads the issue again, so that the order in which events arrive does not matter. */
export async function handleEvent(context: Context, payload: Record<string, unknown>): Promise<EventOutcome> {
  const event = Payload.safeParse(payload).data
  if (event?.kind === 'revoked') {
    return { items: [], deleted: [], ended: 'The app was removed from the workspace in Linear. Connect again' }
  }
  if (!event) return { items: [], deleted: [], ended: null }
  const remote = { id: event.id, url: null, label: '', status: 'open' as const, statusName: null, data: {} }
  return { items: [], deleted: [], statuses: await tracker.readStatus(context, [remote]), ended: null }
}
