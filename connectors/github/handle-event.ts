import * as z from 'zod/mini'
import type { Context, EventOutcome } from '../connector.ts'
import { settingsOf } from './manifest.ts'
import { readStatus } from './read-status.ts'
import { SUSPENDED } from './refusal.ts'

const Payload = z.union([
  z.object({ kind: z.literal('ended'), action: z.string() }),
  z.object({
    kind: z.literal('issue'),
    id: z.int(),
    number: z.int(),
    repository: z.string(),
    creator: z.nullable(z.string()),
  }),
])

const NOTHING: EventOutcome = { items: [], deleted: [], ended: null }

/**
 * Reads the issue again, so that the order in which events arrive does not matter. An app receives the events of all repositories that it
 * is installed on: issues of other people are ignored.
 */
export async function handleEvent(context: Context, payload: Record<string, unknown>): Promise<EventOutcome> {
  const event = Payload.safeParse(payload).data
  if (event?.kind === 'ended') {
    const removed = 'The app was uninstalled on GitHub. Install it again to connect'
    return { ...NOTHING, ended: event.action === 'suspend' ? SUSPENDED : removed }
  }
  if (event?.creator !== settingsOf(context).login) return NOTHING
  const { id, number, repository } = event
  const data = { repository, number }
  const remote = { id: String(id), url: null, label: `#${number}`, status: 'open' as const, statusName: null, data }
  return { ...NOTHING, statuses: await readStatus(context, [remote]) }
}
