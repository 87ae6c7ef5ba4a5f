import type { Context } from '../connector.ts'
import type { SetAside } from '../kit/set-aside.ts'
import { SlackRefusal } from './client.ts'
import { historySpans } from './complete-spans.ts'
import { type ChannelState, isAfter, later, toTs, type Walk } from './cursor.ts'
import type { SlackSettings } from './manifest.ts'
import { type MessagePage, messagePage } from './message-page.ts'
import { collect, type Found } from './replies.ts'
import { rememberCount } from './reply-counts.ts'
import type { Message } from './schema.ts'
import { acceptMessages } from './unread.ts'

const DAY_MS = 86_400_000
/** Parents younger than this are checked for new replies in every round. */
const WINDOW_MS = 30 * DAY_MS
/** A channel that takes at most this many requests is read completely every time. */
const FEW_PAGES = 3
/** A page with fewer messages that is not the last shows that Slack limits this app to small pages. */
const SMALL_PAGE = 100
/** The page size of apps that Slack limits. */
const CLAMP = 15
/** Consecutive pages without an older message, after which Slack's cursor is considered useless. */
const IDLE_PAGES = 100
/** How often a thread with missing replies is requested again. */
const TRIES = 3

/**
 * How a channel is read in this round: completely when it is new, small, or was not read for a day; else the last 30 days,
 * because an old parent does not reappear when it gets a reply. Where Slack allows 15 messages a minute that would take hours,
 * so there it is done once a day, and otherwise only new messages are read.
 */
export function beginWalk(channel: ChannelState, now: Date): Walk {
  const ms = now.getTime()
  channel.problem = null
  const again = channel.short.filter(({ tries }) => tries < TRIES)
  channel.threads = again.map(({ ts }) => ({ ts, oldest: null, count: 0, got: 0, cursor: null, last: null }))
  const { watermark, clamped } = channel
  const small = channel.deepPages <= FEW_PAGES
  const due = (at: number) => Math.abs(ms - at) >= DAY_MS
  const begin = (kind: Walk['kind'], oldest: string | null): Walk => ({
    kind,
    oldest,
    top: null,
    seen: null,
    low: null,
    cursor: null,
    pages: 0,
    idle: 0,
    done: false,
  })
  if (watermark === null || small || (!clamped && due(channel.deepAt))) return begin('deep', null)
  if (clamped && !due(channel.recentAt)) return begin('new', watermark)
  const from = toTs(ms - WINDOW_MS)
  return begin('recent', isAfter(from, watermark) ? watermark : from)
}

/** Advances the watermarks of a channel that was read to its end. What arrived meanwhile is after them. */
export function endWalk(channel: ChannelState, walk: Walk, now: Date): void {
  const seen = later(walk.top, walk.seen)
  channel.watermark = later(channel.watermark, walk.top)
  if (walk.kind !== 'new') {
    channel.recent = later(channel.recent, seen)
    channel.recentAt = now.getTime()
    channel.recentFrom = walk.oldest
  }
  if (walk.kind === 'deep') {
    channel.deep = later(channel.deep, seen)
    channel.deepAt = now.getTime()
    channel.deepPages = walk.pages
  }
  channel.walk = null
}

/** Up to where earlier rounds read the replies of this parent. */
function readUpTo(channel: ChannelState, ts: string): string | null {
  return isAfter(ts, channel.recentFrom) ? later(channel.deep, channel.recent) : channel.deep
}

/** One request for history. Yields new, edited and deleted messages; notes parents with new or deleted replies. */
export async function readHistory(
  context: Context,
  settings: SlackSettings,
  id: string,
  channel: ChannelState,
  walk: Walk,
  aside: SetAside,
): Promise<Found> {
  const { low } = walk
  const page = await historyPage(context, id, walk)
  acceptMessages(context, aside, { id, name: channel.name }, 'conversations.history', page)
  const isNew = (message: Message) => isAfter(message.ts, channel.watermark)
  const isEdited = ({ edited, ts }: Message) => isAfter(edited?.ts, readUpTo(channel, ts))
  const fresh = page.messages.filter(
    (message) => isNew(message) || isEdited(message) || message.subtype === 'tombstone',
  )
  const found = await collect(context, settings, { id, name: channel.name }, fresh)
  for (const message of page.messages) queueThread(channel, message, isNew(message))
  const { stuck } = advance(context, channel, walk, page)
  const ended = walk.done && !stuck && page.is_limited !== true
  // What could not be parsed may be one of the stored ones.
  if (page.malformed.length > 0) return found
  return { ...found, complete: historySpans(settings, id, channel, walk, { page, low, ended }) }
}

/** A thread with new replies is read from the last known one, a thread that has fewer than before as a whole. */
function queueThread(channel: ChannelState, message: Message, isNew: boolean): void {
  const { ts, thread_ts, latest_reply } = message
  if (thread_ts && thread_ts !== ts) return
  const count = message.reply_count ?? 0
  const known = channel.counts[ts] ?? count
  const from = isNew ? null : readUpTo(channel, ts)
  const grew = count > 0 && (isNew || !latest_reply || isAfter(latest_reply, from))
  if (!grew && known === count) return rememberCount(channel, ts, count)
  if (channel.threads.some((thread) => thread.ts === ts)) return
  const oldest = grew && latest_reply ? from : null
  channel.threads.push({ ts, oldest, count, got: 0, cursor: null, last: null })
}

function advance(context: Context, channel: ChannelState, walk: Walk, page: MessagePage): { stuck: boolean } {
  const times = page.messages.map(({ ts }) => ts)
  // A time in the far future is an error, and must not hide everything before it.
  const limit = toTs(context.now().getTime() + DAY_MS)
  const sane = (ts: string | null | undefined) => (ts && !isAfter(ts, limit) ? ts : null)
  for (const ts of times) walk.top = later(walk.top, sane(ts))
  for (const { latest_reply, edited } of walk.pages === 0 ? page.messages : []) {
    walk.seen = later(later(walk.seen, sane(latest_reply)), sane(edited?.ts))
  }
  const lowest = times.reduce<string | null>((low, ts) => (low === null || isAfter(low, ts) ? ts : low), null)
  const older = lowest !== null && (walk.low === null || isAfter(walk.low, lowest))
  if (older) walk.low = lowest
  walk.idle = older ? 0 : walk.idle + 1
  walk.pages += 1
  const next = page.response_metadata?.next_cursor || null
  const more = next !== null || page.has_more === true
  if (times.length > CLAMP || (more && times.length > 0)) channel.clamped = more && times.length < SMALL_PAGE
  const stuck =
    more && ((next === null && !older) || walk.idle >= IDLE_PAGES || (next !== null && next === walk.cursor))
  if (stuck)
    channel.problem = `Slack’s pages of ${channel.name ? `#${channel.name}` : 'a channel'} do not come to an end`
  walk.cursor = next
  walk.done = !more || stuck
  return { stuck }
}

async function historyPage(context: Context, channel: string, walk: Walk): Promise<MessagePage> {
  const values = (cursor: string | null) => ({
    channel,
    oldest: walk.oldest,
    latest: cursor === null ? walk.low : null,
    cursor,
  })
  try {
    return await messagePage(context, 'conversations.history', values(walk.cursor))
  } catch (error) {
    const forgotten = error instanceof SlackRefusal && error.code === 'invalid_cursor' && walk.cursor !== null
    if (!forgotten) throw error
    return await messagePage(context, 'conversations.history', values(null))
  }
}
