import type { CompleteSpan, Context, FeedbackItem } from '../connector.ts'
import type { SetAside } from '../kit/set-aside.ts'
import { rolesOf } from './author-role.ts'
import { SlackRefusal } from './client.ts'
import { goneThread, threadSpan } from './complete-spans.ts'
import { type ChannelState, isAfter, later, type Thread } from './cursor.ts'
import { namesOf } from './directory.ts'
import { externalId, hasFilesOnly, isFeedback, isTombstone, mentionsOf, type Place, toItem } from './item.ts'
import type { SlackSettings } from './manifest.ts'
import { type MessagePage, messagePage } from './message-page.ts'
import { rememberCount } from './reply-counts.ts'
import type { Message } from './schema.ts'
import { acceptMessages } from './unread.ts'

/** How many threads with missing replies are remembered. */
const KEPT_SHORT = 50

/** The result of one request. */
export type Found = { items: FeedbackItem[]; deleted: string[]; complete: CompleteSpan[]; attachmentOnly?: string[] }

/** Messages as feedback, with the names of the people in them. Messages that Slack marks as deleted are listed as deleted. */
export async function collect(
  context: Context,
  settings: SlackSettings,
  place: Place,
  messages: readonly Message[],
): Promise<Found> {
  const written = messages.filter((message) => isFeedback(message, settings))
  const names = await namesOf(context, settings.team_id, mentionsOf(written), true)
  const roleOf = await rolesOf(context, settings, place.id, written, true)
  return {
    items: written.map((message) => ({ ...toItem(message, place, settings, names), ...roleOf(message) })),
    deleted: messages.filter(isTombstone).map(({ ts }) => externalId(settings.team_id, place.id, ts)),
    complete: [],
    attachmentOnly: messages.filter(hasFilesOnly).map(({ ts }) => externalId(settings.team_id, place.id, ts)),
  }
}

/** One request for the replies of a thread. At the end of the thread their number is compared with Slack's count. */
export async function readThread(
  context: Context,
  settings: SlackSettings,
  id: string,
  channel: ChannelState,
  thread: Thread,
  aside: SetAside,
): Promise<Found> {
  const { ts, oldest } = thread
  const page = await threadPage(context, id, thread)
  if (page !== null) acceptMessages(context, aside, { id, name: channel.name }, 'conversations.replies', page)
  if (page === null) {
    dropThread(channel, thread, 0)
    rememberCount(channel, ts, 0)
    return { items: [], deleted: [], complete: [goneThread(settings, id, ts)] }
  }
  const root = page.messages.find((message) => message.ts === ts)
  const replies = page.messages.filter(
    (message) => message.ts !== ts && (oldest === null || isAfter(message.ts, oldest)),
  )
  // A reply that was also sent to the channel is in its history, and is read there.
  const own = replies.filter((message) => message.subtype !== 'thread_broadcast')
  const found = await collect(context, settings, { id, name: channel.name }, own)
  thread.count = root?.reply_count ?? thread.count
  thread.got += replies.length
  const next = page.response_metadata?.next_cursor || null
  const stuck = next !== null && (next === thread.cursor || replies.length === 0)
  thread.cursor = next
  const missing = oldest === null ? Math.max(0, thread.count - thread.got) : 0
  const span = threadSpan(settings, id, thread, replies, next === null && missing === 0)
  thread.last = replies.reduce((last, reply) => later(last, reply.ts), thread.last)
  if (next === null || stuck) endThread(channel, thread, missing)
  return { ...found, complete: span && page.malformed.length === 0 ? [span] : [] }
}

/** Ends the reading of a thread. One with fewer replies than were known and read now is read again as a whole. */
function endThread(channel: ChannelState, thread: Thread, missing: number): void {
  const { ts, oldest, count, got } = thread
  const before = channel.counts[ts]
  dropThread(channel, thread, missing)
  if (oldest !== null && before !== undefined && before + got > count) {
    channel.threads.push({ ts, oldest: null, count, got: 0, cursor: null, last: null })
  }
  rememberCount(channel, ts, count)
}

/** Null when the thread no longer exists. When Slack no longer accepts a cursor, the thread is read from the start. */
async function threadPage(context: Context, channel: string, thread: Thread): Promise<MessagePage | null> {
  const { ts, oldest, cursor } = thread
  try {
    return await messagePage(context, 'conversations.replies', { channel, ts, oldest, cursor })
  } catch (error) {
    const code = error instanceof SlackRefusal ? error.code : ''
    if (code === 'thread_not_found' || code === 'message_not_found') return null
    if (code !== 'invalid_cursor' || cursor === null) throw error
    Object.assign(thread, { cursor: null, got: 0, last: null })
    return await messagePage(context, 'conversations.replies', { channel, ts, oldest, cursor: null })
  }
}

function dropThread(channel: ChannelState, { ts, oldest }: Thread, missing: number): void {
  channel.threads = channel.threads.filter((thread) => thread.ts !== ts)
  if (oldest !== null) return
  const before = channel.short.find((thread) => thread.ts === ts)
  const others = channel.short.filter((thread) => thread.ts !== ts)
  const now = missing > 0 ? [{ ts, missing, tries: (before?.tries ?? 0) + 1 }] : []
  channel.short = [...others, ...now].slice(-KEPT_SHORT)
}
