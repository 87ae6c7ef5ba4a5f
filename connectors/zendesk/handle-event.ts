import * as z from 'zod/mini'
import type { Context, EventOutcome } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { settingsOf } from './client.ts'
import { readComments } from './conversation/comments.ts'
import { threadOf } from './item.ts'
import { isDeleted, waitingOf } from './read-export.ts'
import { selectionOf } from './selection.ts'
import { showTicket } from './show-ticket.ts'

const Payload = z.object({ type: z.string(), ticket: z.int().check(z.positive()) })
/** After these, a ticket that is not found was deleted. After any other it may just not be readable yet. */
const DELETIONS = /\.(soft_deleted|permanently_deleted|marked_as_spam)$/
/** Zendesk allows 5,000 comments in a ticket. */
const MAX_PAGES = 60

/** Reads the ticket of an event again: Zendesk does not guarantee their order; a fresh read returns the newest state. */
export async function handleEvent(context: Context, payload: Record<string, unknown>): Promise<EventOutcome> {
  const parsed = Payload.safeParse(payload)
  if (!parsed.success) throw new Rejected('An event from Zendesk does not match Zendesk’s documentation')
  const { type, ticket: id } = parsed.data
  const outcome: EventOutcome = { items: [], deleted: [], ended: null }
  const ticket = await showTicket(context, id)
  if (ticket === null ? DELETIONS.test(type) : isDeleted(ticket)) return { ...outcome, deletedThreads: [threadOf(id)] }
  if (ticket === null || !selectionOf(settingsOf(context), context.now()).includes(ticket)) return outcome
  const [waiting] = await waitingOf(context, [ticket], [])
  if (!waiting) return outcome
  let after: string | null = null
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const found = await readComments(context, waiting, after, [], null)
    outcome.items.push(...found.items)
    if (type.endsWith('.comment_made_private')) outcome.deleted.push(...found.hidden)
    if (found.next === null || found.next === after) break
    after = found.next
  }
  return outcome
}
