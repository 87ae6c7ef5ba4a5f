import type { Context, FeedbackItem } from '../../connector.ts'
import { withPageSize } from '../../kit/page-size.ts'
import { call, PAGE_SIZES, settingsOf, ZendeskRefusal } from '../client.ts'
import type { WaitingTicket } from '../cursor.ts'
import { itemOf } from '../item.ts'
import { AuditPage, ChatEvent, ChatMessage } from '../schema.ts'

/** The messages of one page of audits, and their external ids. `next` is null at the end, `pause` in seconds. */
type Messages = { items: FeedbackItem[]; ids: string[]; next: string | null; pause: number | null }

/**
 * One page of a ticket's audits, 100 at a time: the messages of conversations, which Zendesk keeps there where no comment has them.
 * `at` is where the page begins, null at the start.
 */
export async function readAudits(context: Context, ticket: WaitingTicket, at: string | null): Promise<Messages> {
  const { subdomain } = settingsOf(context)
  const { data, pause } = await auditPage(context, ticket.id, at)
  const items = new Map<string, FeedbackItem>()
  for (const { created_at, events } of data.audits) {
    for (const value of events ?? []) {
      const event = ChatEvent.safeParse(value).data
      event?.value.history.forEach((one, index) => {
        const message = ChatMessage.safeParse(one).data
        const item = message ? toItem(message, `${event.id}:${index}`, created_at ?? null, ticket, subdomain) : null
        if (item) items.set(item.externalId, item)
      })
    }
  }
  const next = data.meta?.has_more ? (data.meta.after_cursor ?? null) : null
  return { items: [...items.values()], ids: [...items.keys()], next, pause }
}

async function auditPage(context: Context, ticket: number, at: string | null) {
  try {
    return await withPageSize(PAGE_SIZES, (size) =>
      call(context, {
        name: 'ticket audits',
        path: `/api/v2/tickets/${ticket}/audits`,
        query: { 'page[size]': size, 'page[after]': at },
        schema: AuditPage,
      }),
    )
  } catch (error) {
    if (!(error instanceof ZendeskRefusal) || error.status === 404) throw error
    // Whatever the reason: it is not that a position is no longer accepted, for which the ticket would be read from its start.
    throw new ZendeskRefusal(403, error.message)
  }
}

/** A message as feedback, or null when it has no text. Without an id of its own it has that of its place. */
function toItem(
  message: ChatMessage,
  place: string,
  audited: string | null,
  ticket: WaitingTicket,
  subdomain: string,
): FeedbackItem | null {
  const text = message.message.replaceAll('\0', '').toWellFormed().trim()
  const at = timeOf(message.timestamp) ?? timeOf(audited) ?? new Date(ticket.updated)
  if (text === '') return null
  const id = message.message_id ? `chat:${message.message_id}` : place
  return itemOf(
    {
      externalId: `${ticket.id}:${id}`,
      text,
      author: message.actor_name ?? null,
      at,
      role: isCustomer(message, ticket) ? 'customer' : 'agent',
    },
    ticket,
    subdomain,
  )
}

/** Agents, bots and triggers are context. */
function isCustomer({ actor_type, actor_id }: ChatMessage, ticket: WaitingTicket): boolean {
  const type = actor_type?.toLowerCase().replace('_', '-')
  return type ? type === 'end-user' : ticket.requester !== null && String(actor_id) === String(ticket.requester)
}

function timeOf(value: string | number | null | undefined): Date | null {
  const time = typeof value === 'string' && !/^\d+$/.test(value) ? Date.parse(value) : Number(value ?? Number.NaN)
  const date = new Date(time)
  return Number.isNaN(date.getTime()) || time <= 0 ? null : date
}
