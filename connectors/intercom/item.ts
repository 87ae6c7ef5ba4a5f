import type { FeedbackItem } from '../connector.ts'
import { htmlText } from '../kit/text/html-text.ts'
import { attributesOf } from './attributes.ts'
import { type IntercomSettings, REGIONS } from './manifest.ts'
import type { Conversation, Part, Source } from './schema.ts'
import { kindOf, type Selection } from './selection.ts'
import { ticketOf } from './ticket.ts'

const CUSTOMERS = new Set(['users', 'leads'])
/** Parts with which a teammate or bot replies. Notes, assignments and everything that is automatic are none of them. */
const REPLIES = new Set(['comment', 'open', 'close', 'quick_reply'])
/** What Intercom writes in place of a redacted message. */
const PLACEHOLDER = /^this message (?:was|has been) (?:deleted|redacted)\.?$/i

/** The message that a conversation starts with is the item `source` of it: a part may have the same id. */
const SOURCE = 'source'
/** What was written into the form of a ticket. */
const TICKET = 'ticket'

/** A part's permanent id. */
const externalId = (conversation: string, part: string) => `${conversation}:${part}`

type Message = Pick<Part, 'author' | 'attachments' | 'redacted' | 'updated_at'> & {
  id: string
  at: number
  text: string
}

/**
 * The messages of a conversation. `ids` are the external ids of all with text, also of authors that were not chosen. `deleted`
 * are those that a redaction emptied. `missing`: how many parts Intercom counts but did not return. `whole`: there is no other
 * message, so a stored one that is not in `ids` was removed.
 */
type Messages = {
  items: FeedbackItem[]
  ids: string[]
  deleted: string[]
  /** External ids of those that consist of attachments only. */
  attachmentOnly: string[]
  missing: number
  whole: boolean
}

/** Intercom returns the newest 500 parts, and not always how many there are. */
const MAX_PARTS = 500

/** Reads what people wrote in a conversation. */
export function messagesOf(conversation: Conversation, settings: IntercomSettings, selection: Selection): Messages {
  const parts = conversation.conversation_parts?.conversation_parts ?? []
  const messages = [
    ...sourceOf(conversation),
    ...ticketForm(conversation),
    ...parts.filter(isPublic).flatMap((part) => partOf(part, conversation)),
  ]
  const shared = {
    thread: conversation.id,
    place: null,
    attributes: attributesOf(conversation),
  }
  const missing = missingOf(conversation, parts.filter(({ id }) => id !== null).length)
  const whole = missing === 0 && parts.length < MAX_PARTS
  const result: Messages = { items: [], ids: [], deleted: [], attachmentOnly: [], missing, whole }
  for (const message of messages) {
    const id = externalId(conversation.id, message.id)
    const { text } = message
    if (message.redacted && (text === '' || PLACEHOLDER.test(text))) {
      result.deleted.push(id)
      continue
    }
    const attachments = (message.attachments ?? []).flatMap(({ name }) => (name ? [clean(name)] : []))
    if (text === '') {
      if (attachments.length > 0 && selection.reads(message.author?.type)) result.attachmentOnly.push(id)
      continue
    }
    result.ids.push(id)
    if (!selection.reads(message.author?.type)) continue
    result.items.push({
      externalId: id,
      text,
      author: clean(message.author?.name ?? '') || null,
      at: new Date(message.at * 1000),
      link: linkTo(settings, conversation.id, message.id),
      role: isCustomer(message) ? 'customer' : 'agent',
      ...(attachments.length > 0 ? { attachments } : {}),
      ...shared,
      ...(message.redacted ? { version: Math.max(conversation.updated_at, message.updated_at ?? 0) * 1_000_000 } : {}),
    })
  }
  return result
}

function sourceOf({ source, created_at }: Conversation): Message[] {
  if (!source) return []
  const { body, author, attachments, redacted }: Source = source
  return [{ id: SOURCE, at: created_at, updated_at: null, text: textOf(body), author, attachments, redacted }]
}

/** By the author of the conversation, who filed a ticket. What a teammate may have written is context. */
function ticketForm(conversation: Conversation): Message[] {
  const ticket = ticketOf(conversation)
  if (ticket === null) return []
  const { text, at, isFiled } = ticket
  // Without any author, a customer's ticket is the customer's.
  const author = isFiled ? (conversation.source?.author ?? { type: 'user' }) : { type: 'admin' }
  return [{ id: TICKET, at, updated_at: null, text, author, attachments: null, redacted: null }]
}

/** Intercom documents that ids and times may be null. Without an id, there is nothing to recognize the part by later. */
function partOf({ id, created_at, body, ...part }: Part, conversation: Conversation): Message[] {
  return id === null ? [] : [{ ...part, id, text: textOf(body), at: created_at ?? conversation.created_at }]
}

const isCustomer = ({ author }: Pick<Part, 'author'>) => CUSTOMERS.has(kindOf(author?.type))

/** A note is never read, even a customer's. Any other text of a customer is read, whatever the type of its part. */
function isPublic(part: Part): boolean {
  const type = part.part_type ?? ''
  return !/note/i.test(type) && (REPLIES.has(type) || isCustomer(part))
}

/** Without the mail that is answered and without the signature. A message that is nothing else is read as a whole. */
function textOf(body: string | null | undefined): string {
  const { text, quoted } = htmlText(body ?? '')
  return text || quoted
}

function missingOf({ statistics, conversation_parts }: Conversation, got: number): number {
  return Math.max(0, (statistics?.count_conversation_parts ?? 0) - got, (conversation_parts?.total_count ?? 0) - got)
}

/** The address of a conversation in Intercom's inbox. */
export const conversationLink = (settings: IntercomSettings, conversation: string): string =>
  linkTo(settings, conversation, SOURCE)

/** The inbox scrolls to the part that the fragment names. The first message and the ticket are at the top of the conversation. */
function linkTo({ region, workspace_id }: IntercomSettings, conversation: string, message: string): string {
  const url = `${REGIONS[region].app}/a/inbox/${workspace_id}/inbox/conversation/${conversation}`
  return message === SOURCE || message === TICKET ? url : `${url}#part_id=comment-${conversation}-${message}`
}

/** As a database can store it. */
const clean = (text: string) => text.replaceAll('\0', '').toWellFormed().trim()
