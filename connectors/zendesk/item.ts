import type { FeedbackItem } from '../connector.ts'
import { commentText } from './comment-text.ts'
import type { Waiting } from './cursor.ts'
import type { Person } from './directory.ts'
import type { Comment } from './schema.ts'

/** Zendesk replaces what was redacted with these blocks, and a redacted attachment with a file of this name. */
const BLOCKS = '\u2587'
const REDACTED_FILE = 'redacted.txt'

/** A comment's permanent id. */
export const externalId = (ticket: number, comment: number) => `${ticket}:${comment}`

export const threadOf = (ticket: number) => String(ticket)

/** The comments of a ticket that people outside may read. Nothing else is ever feedback. */
export const isPublic = (comment: Comment) => comment.public === true

/**
 * A public comment as feedback, or null when it has no text. A redacted comment has the time of the ticket's last change as its
 * version. An author whom Zendesk does not know is a customer if the ticket is theirs; otherwise the words are only context.
 */
export function toItem(
  comment: Comment,
  ticket: Waiting,
  subdomain: string,
  people: ReadonlyMap<number, Person>,
): FeedbackItem | null {
  const text = commentText(comment)
  if (text === '') return null
  const author = comment.author_id ?? null
  const person = author === null ? undefined : people.get(author)
  const isCustomer = person?.role ? person.role === 'end-user' : author !== null && author === ticket.requester
  const attachments = (comment.attachments ?? []).flatMap(({ file_name, inline }) =>
    file_name && !inline ? [file_name.replaceAll('\0', '').toWellFormed()] : [],
  )
  const redacted = text.includes(BLOCKS) || attachments.includes(REDACTED_FILE)
  return {
    externalId: externalId(ticket.id, comment.id),
    text,
    author: person?.name?.replaceAll('\0', '').toWellFormed().trim() || null,
    at: new Date(comment.created_at),
    link: `https://${subdomain}.zendesk.com/agent/tickets/${ticket.id}`,
    thread: threadOf(ticket.id),
    place: null,
    role: isCustomer ? 'customer' : 'agent',
    ...(attachments.length > 0 ? { attachments } : {}),
    attributes: ticket.attributes,
    ...(redacted ? { version: ticket.updated * 1000 } : {}),
  }
}
