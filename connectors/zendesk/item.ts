import type { FeedbackItem } from '../connector.ts'
import type { Unread } from '../kit/set-aside.ts'
import { type Agents, wasAgent } from './conversation/agents.ts'
import { commentText } from './conversation/comment-text.ts'
import type { WaitingTicket } from './cursor.ts'
import type { Person } from './directory.ts'
import type { Comment } from './schema.ts'

/** Zendesk replaces what was redacted with these blocks, and a redacted attachment with a file of this name. */
const BLOCKS = '\u2587'
const REDACTED_FILE = 'redacted.txt'

/** A comment's permanent id. `part`: of one message in it. */
export const externalId = (ticket: number, comment: number, part?: number) =>
  part === undefined ? `${ticket}:${comment}` : `${ticket}:${comment}:${part}`

/** The address of a ticket in Zendesk's own interface. */
const ticketLink = (subdomain: string, ticket: number) => `https://${subdomain}.zendesk.com/agent/tickets/${ticket}`

/** A ticket that could not be read; with `id` null, one that Zendesk listed without its id. */
export function unreadTicket(subdomain: string, id: number | null): Unread {
  if (id === null) return { id: '', noun: 'ticket', label: '', link: null, again: false }
  return { id: String(id), noun: 'ticket', label: `#${id}`, link: ticketLink(subdomain, id) }
}

/** The thread of a ticket’s items. */
export const threadOf = (ticket: number) => String(ticket)

/** The comments of a ticket that people outside may read. Nothing else is ever feedback. */
export const isPublic = (comment: Comment) => comment.public === true

/** What somebody said in a ticket. */
export type Words = Pick<FeedbackItem, 'externalId' | 'text' | 'author' | 'at' | 'attachments'> & {
  role: 'customer' | 'agent'
}

const filesOf = ({ attachments }: Comment): string[] =>
  (attachments ?? []).flatMap(({ file_name, inline }) =>
    file_name && !inline ? [file_name.replaceAll('\0', '').toWellFormed()] : [],
  )

/** A comment that consists of attachments only. */
export const hasFilesOnly = (comment: Comment): boolean => commentText(comment) === '' && filesOf(comment).length > 0

/** As an item of its ticket. What was redacted has the time of the ticket's last change as its version. */
export function itemOf(words: Words, ticket: WaitingTicket, subdomain: string): FeedbackItem {
  const { attachments = [], author, ...others } = words
  const redacted = words.text.includes(BLOCKS) || attachments.includes(REDACTED_FILE)
  return {
    ...others,
    author: clean(author ?? '') || null,
    link: ticketLink(subdomain, ticket.id),
    thread: threadOf(ticket.id),
    place: null,
    ...(attachments.length > 0 ? { attachments } : {}),
    attributes: ticket.attributes,
    ...(redacted ? { version: ticket.updated * 1000 } : {}),
  }
}

/** A public comment as feedback, or null when it has no text. */
export function toItem(
  comment: Comment,
  ticket: WaitingTicket,
  subdomain: string,
  people: ReadonlyMap<number, Person>,
  agents: Agents = {},
): FeedbackItem | null {
  const text = commentText(comment)
  if (text === '') return null
  const words: Words = {
    externalId: externalId(ticket.id, comment.id),
    text,
    author: people.get(comment.author_id ?? -1)?.name ?? null,
    at: new Date(comment.created_at),
    role: roleOf(comment, ticket, people, agents),
    attachments: filesOf(comment),
  }
  return itemOf(words, ticket, subdomain)
}

/**
 * Who wrote a comment when it was written: somebody who is an end user today may have been an agent. An author whom Zendesk does not
 * know is a customer if the ticket is theirs; otherwise the words are only context.
 */
function roleOf(
  { author_id, created_at }: Comment,
  ticket: WaitingTicket,
  people: ReadonlyMap<number, Person>,
  agents: Agents,
): Words['role'] {
  const author = author_id ?? null
  if (author === null) return 'agent'
  if (author === ticket.assignee || wasAgent(agents, author, Date.parse(created_at))) return 'agent'
  const role = people.get(author)?.role
  return (role ? role === 'end-user' : author === ticket.requester) ? 'customer' : 'agent'
}

/** As a database can store it. */
const clean = (text: string) => text.replaceAll('\0', '').toWellFormed().trim()
