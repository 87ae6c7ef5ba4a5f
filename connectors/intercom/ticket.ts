import { htmlText } from '../kit/text/html-text.ts'
import type { Conversation } from './schema.ts'

/** The attributes of a ticket that its form always has. */
const TITLE = '_default_title_'
const DESCRIPTION = '_default_description_'
/** Tickets that are the team's own: their customer never sees them. */
const INTERNAL = new Set(['back-office', 'tracker'])
const MARKUP = /<\/?[a-z][^<>]*>/i

/** The fields of a ticket's form that are no custom attributes. */
export const FORM_FIELDS: ReadonlySet<string> = new Set([TITLE, DESCRIPTION])

/**
 * What was written into the form of a ticket. `at` is in epoch seconds. `isFiled`: by the one who started the conversation, who wrote
 * nothing else there; otherwise a teammate may have made the conversation a ticket, in their own words.
 */
type Ticket = { text: string; at: number; isFiled: boolean }

/** The description of a customer's ticket, if it says more than the message that the conversation starts with. */
export function ticketOf({ ticket, source, created_at }: Conversation): Ticket | null {
  if (!ticket || INTERNAL.has(ticket.category?.toLowerCase() ?? '')) return null
  const text = field(ticket.ticket_attributes, DESCRIPTION)
  const started = plain(source?.body ?? '')
  if (text === '' || words(text) === words(started)) return null
  return { text, at: ticket.created_at ?? created_at, isFiled: started === '' && !source?.redacted }
}

/** The title of a ticket; empty without one. */
export const ticketTitle = ({ ticket }: Conversation): string => field(ticket?.ticket_attributes, TITLE)

function field(attributes: Readonly<Record<string, unknown>> | null | undefined, name: string): string {
  const value = attributes?.[name]
  return typeof value === 'string' ? plain(value) : ''
}

/** Intercom does not document whether the fields of a form contain markup. */
function plain(value: string): string {
  if (!MARKUP.test(value)) return value.replaceAll('\0', '').toWellFormed().trim()
  const { text, quoted } = htmlText(value)
  return text || quoted
}

const words = (text: string) => text.replace(/\s+/g, ' ').trim()
