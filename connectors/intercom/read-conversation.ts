import type { CompleteSpan, Context, FeedbackItem } from '../connector.ts'
import { type JsonReply, ReplyTooLong } from '../kit/http/json-call.ts'
import { takeBack } from '../kit/set-aside.ts'
import { call, IntercomRefusal, serverSeconds, settingsOf } from './client.ts'
import { remember, type State } from './cursor.ts'
import { messagesOf } from './item.ts'
import { Conversation } from './schema.ts'
import type { Selection } from './selection.ts'

/** How many conversations with missing parts, and how many that are too large, are remembered. */
const KEPT = 50
/** A conversation that changed in the last seconds may have changed again in the same one: it is read again. */
const UNSETTLED_SECONDS = 2

/** What one request changed. `pause`: seconds to wait before the next one. */
export type Found = {
  items: FeedbackItem[]
  deleted?: string[]
  deletedThreads?: string[]
  complete?: CompleteSpan[]
  attachmentOnly?: string[]
  pause: number | null
}

/** Reads the first waiting conversation. If it was returned as a whole, stored messages that it lacks are no longer there. */
export async function readWaiting(context: Context, state: State, selection: Selection): Promise<Found> {
  const [id = ''] = state.waiting[0] ?? []
  const reply = await unlessTooLong(retrieve(context, id))
  state.waiting = state.waiting.slice(1)
  takeBack(state.aside, id)
  // What earlier rounds knew about this conversation's gaps is out of date.
  state.short = state.short.filter((one) => one.id !== id)
  state.large = state.large.filter((one) => one !== id)
  if (reply === 'too long') {
    state.large = [...state.large, id].slice(-KEPT)
    return { items: [], pause: null }
  }
  if (reply === null) return { items: [], deletedThreads: [id], pause: null }
  const { data, pause } = reply
  if (data.updated_at <= serverSeconds(reply, context.now()) - UNSETTLED_SECONDS) remember(state, id, data.updated_at)
  if (!selection.includes(data)) return { items: [], pause }
  const { items, ids, deleted, attachmentOnly, missing, whole } = messagesOf(data, settingsOf(context), selection)
  if (missing > 0) state.short = [...state.short, { id, missing }].slice(-KEPT)
  const span = { prefix: `${id}:`, thread: id, after: null, before: null, ids }
  return { items, deleted, attachmentOnly, complete: whole ? [span] : [], pause }
}

/** A conversation with its parts; null when it is not found. */
export async function retrieve(context: Context, id: string): Promise<JsonReply<typeof Conversation> | null> {
  try {
    return await call(context, {
      name: 'conversations',
      path: `/conversations/${id}`,
      permission: 'Read conversations',
      schema: Conversation,
    })
  } catch (error) {
    if (error instanceof IntercomRefusal && error.status === 404) return null
    throw error
  }
}

/** Intercom has no smaller pages of parts, so one that is too large must not stop the others. */
export async function unlessTooLong<T>(reply: Promise<T>): Promise<T | 'too long'> {
  try {
    return await reply
  } catch (error) {
    if (error instanceof ReplyTooLong) return 'too long'
    throw error
  }
}
