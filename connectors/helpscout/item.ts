import type { FeedbackItem } from '../connector.ts'
import type { Unread } from '../kit/set-aside.ts'
import { htmlText } from '../kit/text/html-text.ts'
import type { Waiting } from './cursor.ts'
import type { Person, Thread } from './schema.ts'

/** A thread's permanent id. Merging moves threads to another conversation, where they are other items. */
export const externalId = (conversation: number, thread: number) => `${conversation}:${thread}`

/** A conversation that could not be read; with `id` null, one that Help Scout listed without its id. */
export function unreadConversation(id: number | null): Unread {
  if (id === null) return { id: '', noun: 'conversation', label: '', link: null, again: false }
  const link = `https://secure.helpscout.net/conversation/${id}/${id}`
  return { id: String(id), noun: 'conversation', label: `#${id}`, link }
}

/** The thread of a conversation’s items. */
export const threadOf = (conversation: number) => String(conversation)

/** Messages between a customer and the team. Notes, forwards to others and line items are none. */
const MESSAGES = new Set(['customer', 'message', 'reply', 'chat', 'beaconchat', 'phone', 'forwardchild'])
/** Drafts, messages held for review, and those that were hidden are not part of the conversation. */
const ABSENT = new Set(['draft', 'hidden', 'review'])

/** The threads that are feedback or its context. Nothing else is ever read. */
export const isMessage = ({ type, state }: Thread) => MESSAGES.has(type) && !ABSENT.has(state ?? '')

const filesOf = ({ _embedded }: Thread): string[] =>
  (_embedded?.attachments ?? []).flatMap(({ filename }) => clean(filename ?? '') || [])

/** A message that consists of attachments only. */
export const hasFilesOnly = (thread: Thread): boolean => textOf(thread) === '' && filesOf(thread).length > 0

/** A message as feedback, or null when it has no text. What a customer wrote is a mention, everything else its context. */
export function toItem(thread: Thread, conversation: Waiting): FeedbackItem | null {
  const text = textOf(thread)
  if (text === '') return null
  const { type, createdBy, customer } = thread
  const isCustomer = type === 'customer' || createdBy?.type === 'customer'
  const author = isCustomer && createdBy?.type !== 'customer' ? (customer ?? createdBy) : createdBy
  const attachments = filesOf(thread)
  return {
    externalId: externalId(conversation.id, thread.id),
    text,
    author: nameOf(author ?? (isCustomer ? customer : null)),
    at: new Date(thread.createdAt),
    link: conversation.link,
    thread: threadOf(conversation.id),
    place: null,
    role: isCustomer ? 'customer' : 'agent',
    ...(attachments.length > 0 ? { attachments } : {}),
    attributes: conversation.attributes,
  }
}

/** Without the mail it answers and the signature. A message that is nothing else, such as a forwarded mail, is read as a whole. */
function textOf({ body }: Thread): string {
  const { text, quoted } = htmlText(body ?? '')
  return clean(text || quoted)
}

function nameOf(person: Person | null | undefined): string | null {
  const name = [person?.first, person?.last].flatMap((part) => clean(part ?? '') || []).join(' ')
  return name || clean(person?.email ?? '') || null
}

/** As a database can store it. */
const clean = (text: string) => text.replaceAll('\0', '').toWellFormed().trim()
