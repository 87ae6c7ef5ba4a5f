import type { CompleteSpan, Context, FeedbackItem } from '../../connector.ts'
import { ReplyTooLong } from '../../kit/http/json-call.ts'
import { takeBack } from '../../kit/set-aside.ts'
import { HelpScoutRefusal } from '../client.ts'
import type { Reading, State, Waiting } from '../cursor.ts'
import { externalId, threadOf } from '../item.ts'
import { readThreads, type ThreadPage } from './read-threads.ts'

/** How many conversations with missing threads are remembered. */
const KEPT = 50

/** What one request changed. */
export type Found = {
  items: FeedbackItem[]
  deletedThreads?: string[]
  complete?: CompleteSpan[]
  attachmentOnly?: string[]
}

/**
 * Reads the next page of the first waiting conversation's threads. At its end their number is compared with Help Scout's, and if none
 * is missing, stored ones that were not listed are no longer part of it.
 */
export async function readConversation(context: Context, state: State, conversation: Waiting): Promise<Found> {
  const reading = state.reading ?? { page: 1, shown: [], hidden: [], total: null, again: false }
  const known = new Set([...reading.shown, ...reading.hidden])
  let found: ThreadPage
  try {
    found = await readThreads(context, conversation, reading.page, known)
  } catch (error) {
    return unread(state, conversation, known.size, error)
  }
  const { items, merged: deletedThreads, attachmentOnly, page } = found
  reading.shown.push(...found.shown)
  reading.hidden.push(...found.hidden)
  const got = reading.shown.length + reading.hidden.length
  const isLast = reading.page >= page.totalPages
  // Threads that were added or removed meanwhile have moved others between pages.
  const moved = (reading.total ?? page.totalElements) !== page.totalElements || (isLast && got < page.totalElements)
  if (moved && !reading.again) {
    state.reading = { ...reading, page: 1, total: null, again: true }
    return { items, deletedThreads, attachmentOnly }
  }
  if (!isLast) {
    state.reading = { ...reading, page: reading.page + 1, total: page.totalElements }
    return { items, deletedThreads, attachmentOnly }
  }
  const missing = Math.max(0, Math.max(page.totalElements, conversation.count ?? 0) - got)
  endConversation(state, conversation, missing)
  return { items, deletedThreads, attachmentOnly, complete: missing > 0 ? [] : [spanOf(conversation, reading)] }
}

const spanOf = ({ id }: Waiting, { shown }: Reading): CompleteSpan => ({
  prefix: `${id}:`,
  thread: threadOf(id),
  after: null,
  before: null,
  ids: shown.map((thread) => externalId(id, thread)),
})

/** What earlier rounds knew about this conversation's gaps is out of date. */
function endConversation(state: State, { id }: Waiting, missing: number): void {
  skipConversation(state)
  takeBack(state.aside, String(id))
  state.short = state.short.filter((one) => one.id !== id)
  if (missing > 0) state.short = [...state.short, { id, missing }].slice(-KEPT)
}

/** Goes on to the next conversation. */
export function skipConversation(state: State): void {
  state.queue.shift()
  state.reading = null
}

/** A conversation that was deleted or merged is removed; one that is too large must not stop the others. */
function unread(state: State, conversation: Waiting, got: number, error: unknown): Found {
  const status = error instanceof HelpScoutRefusal ? error.status : null
  const isGone = status === 404 || status === 410 || status === 301
  if (!isGone && !(error instanceof ReplyTooLong)) throw error
  const missing = error instanceof ReplyTooLong ? Math.max(1, (conversation.count ?? 0) - got) : 0
  endConversation(state, conversation, missing)
  return { items: [], deletedThreads: isGone ? [threadOf(conversation.id)] : [] }
}
