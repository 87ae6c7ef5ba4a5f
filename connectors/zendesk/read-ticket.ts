import type { CompleteSpan, Context, FeedbackItem } from '../connector.ts'
import { takeBack } from '../kit/set-aside.ts'
import { ZendeskRefusal } from './client.ts'
import { type Comments, readComments } from './conversation/comments.ts'
import type { Reading, State, WaitingTicket } from './cursor.ts'
import { threadOf } from './item.ts'

/** Consecutive pages without a comment, after which Zendesk's cursor is considered useless. */
const MAX_IDLE = 20
/** How many tickets with missing comments are remembered. */
const KEPT = 50

/** What one request changed. `pause`: seconds to wait before the next one. */
export type Found = {
  items: FeedbackItem[]
  deletedThreads?: string[]
  complete?: CompleteSpan[]
  attachmentOnly?: string[]
  pause: number | null
}

const newReading = (): Reading => ({ after: null, ids: [], got: 0, idle: 0 })

/**
 * Reads the next page of the first waiting ticket's comments. At its end their number is compared with Zendesk's, and if none is
 * missing, stored ones that were not listed are no longer public.
 */
export async function readTicket(context: Context, state: State, ticket: WaitingTicket): Promise<Found> {
  const reading = state.reading ?? newReading()
  const page = await commentsOf(context, state, ticket, reading)
  if (page === null) {
    takeBack(state.aside, String(ticket.id))
    endTicket(state)
    return { items: [], pause: null }
  }
  const { items, attachmentOnly, pause } = page
  reading.ids.push(...page.ids)
  reading.got += page.got
  reading.idle = page.got === 0 ? reading.idle + 1 : 0
  const stuck = page.next !== null && (page.next === reading.after || reading.idle >= MAX_IDLE)
  if (page.next !== null && !stuck) {
    reading.after = page.next
    state.reading = reading
    return { items, attachmentOnly, pause }
  }
  const missing = Math.max(stuck ? 1 : 0, (ticket.count ?? 0) - reading.got)
  takeBack(state.aside, String(ticket.id))
  endTicket(state)
  if (missing > 0) state.short = [...state.short, { id: ticket.id, missing }].slice(-KEPT)
  const thread = threadOf(ticket.id)
  const span = { prefix: `${ticket.id}:`, thread, after: null, before: null, ids: reading.ids }
  return { items, attachmentOnly, complete: missing > 0 ? [] : [span], pause }
}

/** Goes on to the next ticket. What earlier rounds knew about this one's gaps is out of date. */
export function endTicket(state: State): void {
  const [ticket] = state.tickets.splice(0, 1)
  state.reading = null
  state.short = state.short.filter(({ id }) => id !== ticket?.id)
}

/** Null when the ticket is no longer there. Where Zendesk no longer accepts a cursor, it is read from its start. */
async function commentsOf(
  context: Context,
  state: State,
  ticket: WaitingTicket,
  reading: Reading,
): Promise<Comments | null> {
  const likely = state.tickets.flatMap(({ requester }) => requester ?? [])
  try {
    return await readComments(context, ticket, reading.after, likely, state.agents)
  } catch (error) {
    if (!(error instanceof ZendeskRefusal)) throw error
    // A ticket that was deleted meanwhile is exported as deleted.
    if (error.status === 404) return null
    // A refusal of the ticket is not about the cursor.
    if (error.status === 403 || reading.after === null) throw error
    Object.assign(reading, newReading())
    return await readComments(context, ticket, null, likely, state.agents)
  }
}
