import type { CompleteSpan, Context } from '../connector.ts'
import { PERMISSIONS } from './app.ts'
import { call, channelPath, GraphRefusal, parseQuery, queryOfLink } from './client.ts'
import type { ChannelState, Reading } from './cursor.ts'
import type { Channel } from './directory.ts'
import { isDeleted, isWritten, prefixOf, replyId, rootId, toItems } from './item.ts'
import type { Found } from './read-roots.ts'
import { MessagePage } from './schema.ts'

/** Consecutive pages without a reply, after which Graph's links are considered useless. */
const MAX_IDLE = 20
/** How many threads without an end are remembered. */
const KEPT = 50

/** Replies of a root, one page. `next`: the query of the next page, null for the last. Null: the root is gone. */
async function repliesPage(
  context: Context,
  channel: { team: string; channel: string },
  root: string,
  query: string | null,
) {
  try {
    const { data } = await call(context, {
      name: 'replies',
      path: channelPath(channel, `/messages/${encodeURIComponent(root)}/replies`),
      query: query === null ? { $top: '50' } : parseQuery(query),
      schema: MessagePage,
      needs: PERMISSIONS.messages,
    })
    return { messages: data.value, next: queryOfLink(data['@odata.nextLink']) }
  } catch (error) {
    if (error instanceof GraphRefusal && error.status === 404) return null
    throw error
  }
}

const newReading = (): Reading => ({ next: null, ids: [], idle: 0 })

/** One request for replies of the first root that waits. At their end, stored ones that were not listed no longer exist. */
export async function readReplies(
  context: Context,
  at: ChannelState,
  channel: Channel,
  root: string,
  isShared: boolean,
): Promise<Found & { complete: CompleteSpan[] }> {
  const reading = at.reading ?? newReading()
  const page = await repliesPage(context, channel, root, reading.next)
  if (page === null) {
    endThread(at, root)
    return { items: [], deleted: [], complete: [] }
  }
  const id = (message: { id: string }) => replyId(channel.channel, root, message.id)
  const present = page.messages.filter((message) => !isDeleted(message))
  const items = await toItems(context, present, { channel, root, isShared })
  const deleted = page.messages.filter((message) => isDeleted(message) && isWritten(message)).map(id)
  const idle = page.messages.length === 0 ? reading.idle + 1 : 0
  const isEndless = page.next !== null && (page.next === reading.next || idle >= MAX_IDLE)
  const ids = [...reading.ids, ...present.map(id)]
  if (page.next !== null && !isEndless) {
    at.reading = { next: page.next, ids, idle }
    return { items, deleted, complete: [] }
  }
  endThread(at, root)
  if (isEndless) at.endless = [...at.endless, root].slice(-KEPT)
  const { channel: place } = channel
  const span = { prefix: prefixOf(place), thread: rootId(place, root), after: null, before: null, ids }
  return { items, deleted, complete: isEndless ? [] : [span] }
}

/** What earlier rounds knew about this thread is out of date. */
function endThread(at: ChannelState, root: string): void {
  at.roots = at.roots.filter((one) => one !== root)
  at.endless = at.endless.filter((one) => one !== root)
  at.reading = null
}
