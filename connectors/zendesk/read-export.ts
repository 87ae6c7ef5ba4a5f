import type { Context } from '../connector.ts'
import { Unavailable } from '../kit/errors.ts'
import { type JsonReply, mismatch } from '../kit/http/json-call.ts'
import { withPageSize } from '../kit/page-size.ts'
import { acceptWithout } from '../kit/set-aside.ts'
import { attributesOf } from './attributes.ts'
import { call, PAGE_SIZES, settingsOf, ZendeskRefusal } from './client.ts'
import { noteAgentUntil } from './conversation/agents.ts'
import type { State, WaitingTicket } from './cursor.ts'
import { explainRefusal } from './export-refusal.ts'
import { threadOf, unreadTicket } from './item.ts'
import type { Found } from './read-ticket.ts'
import { type Ticket, TicketPage, WithId } from './schema.ts'
import { isConversation, type Selection } from './selection.ts'

/** How far back the export is repeated, in seconds, when Zendesk no longer accepts the cursor. */
const OVERLAP_SECONDS = 300

/** One request for the next tickets that changed. Those that are chosen wait for their comments to be read. */
export async function readExport(context: Context, state: State, selection: Selection): Promise<Found> {
  const { data, pause } = await exportPage(context, state)
  const { after_cursor, end_of_stream, organizations } = data
  const { items: tickets, malformed } = data.tickets
  if (!end_of_stream && (!after_cursor || (after_cursor === state.after && tickets.length === 0))) {
    throw new Unavailable('Zendesk’s export of tickets does not advance')
  }
  const { subdomain } = settingsOf(context)
  acceptWithout(
    state.aside,
    malformed.map(({ value }) => unreadTicket(subdomain, WithId.safeParse(value).data?.id ?? null)),
    {
      message: mismatch('Zendesk', 'GET incremental tickets', `tickets.${malformed[0]?.at}`),
      read: tickets.length,
      now: context.now(),
    },
  )
  // A ticket that is listed twice was changed meanwhile: the last one counts.
  const latest = [...new Map(tickets.map((ticket) => [ticket.id, ticket])).values()]
  const deleted = latest.filter(isDeleted)
  const chosen = latest.filter((ticket) => !isDeleted(ticket) && selection.includes(ticket))
  const waiting = await waitingOf(context, chosen, organizations ?? [])
  for (const ticket of latest) note(state, ticket)
  if (state.tally.counted === null) state.tally.seen += malformed.length
  state.tickets = waiting
  state.after = after_cursor ?? state.after
  state.ended = end_of_stream
  return { items: [], deletedThreads: deleted.map(({ id }) => threadOf(id)), pause }
}

/** Whether the export contains the ticket only to report its deletion. */
export const isDeleted = ({ status }: Ticket) => status === 'deleted'

/** Tickets with what has to be known to read their comments. */
export async function waitingOf(
  context: Context,
  tickets: readonly Ticket[],
  organizations: readonly { id: number; name: string }[],
): Promise<WaitingTicket[]> {
  const attributes = await attributesOf(context, tickets, organizations)
  return tickets.map((ticket, index) => ({
    id: ticket.id,
    updated: Date.parse(ticket.updated_at),
    requester: ticket.requester_id ?? null,
    assignee: ticket.assignee_id ?? null,
    ccs: ticket.collaborator_ids ?? [],
    messaging: isConversation(ticket),
    count: ticket.comment_count ?? null,
    attributes: attributes[index] ?? {},
  }))
}

/** The start time is sent with the first request only: with a cursor, Zendesk would start over. */
async function exportPage(context: Context, state: State): Promise<JsonReply<typeof TicketPage>> {
  const request = async (query: { cursor: string } | { start_time: number }) =>
    await withPageSize(PAGE_SIZES, (size) =>
      call(context, {
        name: 'incremental tickets',
        path: '/api/v2/incremental/tickets/cursor',
        query: { ...query, per_page: size, include: 'organizations,comment_count' },
        schema: TicketPage,
      }),
    ).catch(async (error: unknown) => {
      throw await explainRefusal(context, error)
    })
  if (state.after === null) return await request({ start_time: state.from })
  try {
    const reply = await request({ cursor: state.after })
    state.restarted = false
    return reply
  } catch (error) {
    const expired = error instanceof ZendeskRefusal && [400, 404, 410, 422].includes(error.status)
    if (!expired || state.restarted) throw error
    const from = Math.max(state.from, state.newest - OVERLAP_SECONDS)
    const reply = await request({ start_time: from })
    Object.assign(state, { from, after: null, restarted: true })
    return reply
  }
}

function note(state: State, ticket: Ticket): void {
  state.newest = Math.max(state.newest, ticket.generated_timestamp ?? 0)
  const updated = Date.parse(ticket.updated_at)
  // A ticket can be assigned to agents only.
  if (ticket.assignee_id) noteAgentUntil(state.agents, ticket.assignee_id, Math.floor(updated / 1000))
  const { tally, start } = state
  if (tally.counted === null && !isDeleted(ticket) && updated >= start * 1000 && updated <= tally.until) tally.seen += 1
}
