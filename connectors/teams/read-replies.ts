import type { Context } from '../connector.ts'
import { Unavailable } from '../kit/errors.ts'
import { mismatch } from '../kit/http/json-call.ts'
import { PERMISSIONS } from './app.ts'
import { call, channelPath, GraphRefusal, queryOfLink } from './client.ts'
import type { ChannelState, Reading } from './cursor.ts'
import type { Channel } from './directory.ts'
import { type Message, MessagePage } from './schema.ts'
import { type Found, foundIn, spanOf } from './thread.ts'

/** Consecutive pages without a reply, after which Graph's links are considered useless. */
const MAX_IDLE = 20
/** How many threads that could not be read are remembered in a channel. */
const KEPT = 500

/** `next`: the query of the next page, null for the last. `time`: Graph's, in epoch milliseconds. */
type RepliesPage = { messages: Message[]; next: string | null; time: number }

/** Replies of a root, one page; the refusal where Graph does not show them. */
async function repliesPage(
  context: Context,
  channel: { team: string; channel: string },
  root: string,
  query: string | null,
): Promise<RepliesPage | GraphRefusal> {
  try {
    const { data, headers } = await call(context, {
      name: 'replies',
      path: channelPath(channel, `/messages/${encodeURIComponent(root)}/replies`),
      query: query ?? { $top: '50' },
      schema: MessagePage,
      needs: PERMISSIONS.messages,
    })
    const time = Date.parse(headers.date ?? '') || context.now().getTime()
    const { items: messages, malformed } = data.value
    // The thread is read as a whole or not at all: nothing tells which of its replies are missing.
    if (malformed[0]) throw new Unavailable(mismatch('Microsoft Teams', 'GET replies', `value.${malformed[0].at}`))
    return { messages, next: queryOfLink(data['@odata.nextLink']), time }
  } catch (error) {
    if (error instanceof GraphRefusal) return error
    throw error
  }
}

const newReading = (again = false): Reading => ({ next: null, began: null, ids: [], idle: 0, again })

/** One request for replies of the first root that waits. At their end, stored ones that were not listed no longer exist. */
export async function readReplies(
  context: Context,
  at: ChannelState,
  channel: Channel,
  root: string,
  isShared: boolean,
): Promise<Found> {
  const reading = at.reading ?? newReading()
  const page = await repliesPage(context, channel, root, reading.next)
  if (page instanceof GraphRefusal) {
    if (reading.next !== null && !reading.again) at.reading = newReading(true)
    // Without a position, 404 says that the root is gone.
    else endThread(at, root, reading.next === null && page.status === 404)
    return { items: [], deleted: [], attachmentOnly: [], complete: [] }
  }
  const found = await foundIn(context, { channel, root, isShared }, page.messages)
  const { items, deleted, attachmentOnly } = found
  const idle = page.messages.length === 0 ? reading.idle + 1 : 0
  const isEndless = page.next !== null && (page.next === reading.next || idle >= MAX_IDLE)
  const ids = [...reading.ids, ...found.ids]
  const began = reading.began ?? page.time
  if (page.next !== null && !isEndless) {
    at.reading = { ...reading, next: page.next, began, ids, idle }
    return { items, deleted, attachmentOnly, complete: [] }
  }
  endThread(at, root, !isEndless)
  return { items, deleted, attachmentOnly, complete: isEndless ? [] : [spanOf(channel.channel, root, ids, began)] }
}

/** What earlier rounds knew about this thread is out of date. */
function endThread(at: ChannelState, root: string, isRead: boolean): void {
  at.roots = at.roots.filter((one) => one !== root)
  const others = at.unread.filter((one) => one !== root)
  at.unread = isRead ? others : [...others, root].slice(-KEPT)
  at.reading = null
}
