import type { CompleteSpan, Context, FeedbackItem } from '../connector.ts'
import type { Channel } from './directory.ts'
import { hasFilesOnly, isDeleted, isWritten, prefixOf, replyId, rootId, toItems } from './item.ts'
import type { Message, Reply, Times } from './schema.ts'

/** A message may become visible somewhat later than its time. */
export const OVERLAP_MS = 5 * 60_000
/** More replies than this are never expanded in a response. */
const MAX_EXPANDED = 1000

/** What one request changed. */
export type Found = { items: FeedbackItem[]; deleted: string[]; attachmentOnly: string[]; complete: CompleteSpan[] }

/** Where a thread is. */
type Thread = { channel: Channel; root: string; isShared: boolean }

/** What replies of a thread change. `ids`: of those that exist. */
export async function foundIn(
  context: Context,
  thread: Thread,
  replies: readonly Reply[],
): Promise<Omit<Found, 'complete'> & { ids: string[] }> {
  const { channel, root } = thread
  const present = replies.filter((reply) => !isDeleted(reply))
  const deleted = replies.filter((reply) => isDeleted(reply) && isWritten(reply))
  return {
    items: await toItems(context, present, thread),
    deleted: deleted.map(({ id }) => replyId(channel.channel, root, id)),
    attachmentOnly: present.filter(hasFilesOnly).map(({ id }) => replyId(channel.channel, root, id)),
    ids: present.map(({ id }) => id),
  }
}

/**
 * All replies of a thread but the newest: an event may have stored one that Graph did not list yet. `began`: Graph's time at the first
 * request for them.
 */
export const spanOf = (channel: string, root: string, ids: readonly string[], began: number): CompleteSpan => ({
  prefix: prefixOf(channel),
  thread: rootId(channel, root),
  after: null,
  before: new Date(began - OVERLAP_MS),
  ids: ids.map((id) => replyId(channel, root, id)),
})

/** A reply that was written has the time at which it was, as in a list of replies. */
const isReadable = (reply: Reply | Times): reply is Reply =>
  'id' in reply && Boolean(reply.createdDateTime || reply.deletedDateTime)

/** All replies of a post, where they came with it; null where they did not, or not all of them: then they have to be requested. */
export function expandedReplies(message: Message): Reply[] | null {
  const replies = (message.replies ?? []).filter(isReadable)
  const isWhole =
    message.replies?.length === replies.length &&
    !message['replies@odata.nextLink'] &&
    replies.length < MAX_EXPANDED &&
    (message['replies@odata.count'] ?? 0) <= replies.length
  return isWhole ? replies : null
}
