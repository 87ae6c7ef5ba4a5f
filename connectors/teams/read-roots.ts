import type { Context } from '../connector.ts'
import { Unavailable } from '../kit/errors.ts'
import { type JsonReply, ReplyTooLong } from '../kit/http/json-call.ts'
import { dueAgain, type SetAside, takeBack, wasSetAside } from '../kit/set-aside.ts'
import { PERMISSIONS } from './app.ts'
import {
  call,
  channelPath,
  encodeQuery,
  GraphRefusal,
  queryOfLink,
  withExpand,
  withoutExpand,
  withTop,
} from './client.ts'
import type { ChannelState, Round } from './cursor.ts'
import type { Channel } from './directory.ts'
import { hasFilesOnly, isDeleted, isWritten, rootId, toItems, touchedAt } from './item.ts'
import { type Message, MessagePage } from './schema.ts'
import { DELTA_DAYS } from './selection.ts'
import { expandedReplies, type Found, foundIn, OVERLAP_MS, spanOf } from './thread.ts'
import { acceptPosts } from './unread.ts'

const DAY_MS = 86_400_000
/** Graph's maximum for one request. */
const PAGE = '50'
/** Posts of the last days are scanned for new replies, since there is no delta of replies; at most this many posts. */
const SCAN_DAYS = 30
const SCAN_POSTS = 500
/** A delta that was refused is requested again after this time. */
const REFUSED_MS = DAY_MS
/** Consecutive pages without a post, after which Graph's links are considered useless. */
const MAX_IDLE = 100

type Pages = JsonReply<typeof MessagePage>

/** One request for root posts of a channel, with their replies. Posts whose replies did not come with them are queued. */
export async function readRoots(
  context: Context,
  at: ChannelState,
  channel: Channel,
  isShared: boolean,
  aside: SetAside,
): Promise<Found> {
  const round = at.round ?? newRound(firstStep(at, context.now()))
  const { data: page, headers } = await pageOf(context, at, channel, round)
  acceptPosts(context, aside, channel, page.value)
  const data = { ...page, value: page.value.items }
  const time = Date.parse(headers.date ?? '') || context.now().getTime()
  round.began ??= time
  const next = queryOfLink(data['@odata.nextLink'])
  const delta = queryOfLink(data['@odata.deltaLink'])
  round.idle = data.value.length === 0 ? round.idle + 1 : 0
  if (next !== null && (next === round.next || round.idle >= MAX_IDLE)) {
    throw new Unavailable('Microsoft’s list of posts does not advance')
  }
  if (round.step === 'delta' && next === null && delta === null) {
    throw new Unavailable('Microsoft’s list of changed posts has no end')
  }
  const changed = data.value.filter((message) => isWritten(message) && isChanged(message, at, round))
  const replied = round.step === 'scan' ? data.value.filter((message) => hasNewReplies(message, at)) : []
  const roots = [...new Set([...changed, ...replied])].filter((message) => !message['@removed'])
  const found: Found = {
    items: await toItems(context, changed, { channel, root: null, isShared }),
    deleted: changed.filter(isDeleted).map(({ id }) => rootId(channel.channel, id)),
    attachmentOnly: changed.filter(hasFilesOnly).map(({ id }) => rootId(channel.channel, id)),
    complete: [],
  }
  const read = new Set<string>()
  for (const message of roots) {
    const replies = expandedReplies(message)
    if (replies === null) continue
    // Nothing is known of a post that was set aside: it is requested, unless it was just read.
    if (!changed.includes(message) && wasSetAside(aside, rootId(channel.channel, message.id))) continue
    read.add(message.id)
    if (replies.length > 0)
      add(
        found,
        channel.channel,
        message.id,
        time,
        await foundIn(context, { channel, root: message.id, isShared }, replies),
      )
  }
  round.next = next
  round.seen += data.value.length
  at.refused = null
  // Threads that could not be read are tried again once in each round.
  const again = at.round === null ? [...at.unread, ...dueRoots(context, channel, aside)] : []
  const waiting = [...at.roots, ...roots.map(({ id }) => id), ...again]
  at.roots = [...new Set(waiting)].filter((id) => !read.has(id))
  at.unread = at.unread.filter((id) => !read.has(id))
  for (const id of read) takeBack(aside, rootId(channel.channel, id))
  if (round.step === 'delta') Object.assign(at, { delta: delta ?? at.delta, lists: null })
  at.round = round
  if (next === null || (round.step === 'scan' && isScanned(data.value, at, round))) endStep(at, round)
  return found
}

/** Adds the messages found in a whole thread. */
function add(
  to: Found,
  channel: string,
  root: string,
  began: number,
  { items, deleted, attachmentOnly, ids }: Awaited<ReturnType<typeof foundIn>>,
): void {
  for (const item of items) to.items.push(item)
  for (const id of deleted) to.deleted.push(id)
  for (const id of attachmentOnly) to.attachmentOnly.push(id)
  to.complete.push(spanOf(channel, root, ids, began))
}

/** The posts of a channel that were set aside and are due. */
function dueRoots(context: Context, { channel }: Channel, aside: SetAside): string[] {
  const prefix = rootId(channel, '')
  return dueAgain(aside, context.now()).flatMap((id) => (id.startsWith(prefix) ? [id.slice(prefix.length)] : []))
}

const newRound = (step: Round['step'], began: number | null = null): Round => ({
  step,
  next: null,
  began,
  seen: 0,
  idle: 0,
  plain: false,
})

function firstStep({ since, lists, start }: ChannelState, now: Date): Round['step'] {
  const isRefused = lists !== null && now.getTime() - lists < REFUSED_MS
  if (since !== null) return isRefused ? 'scan' : 'delta'
  // The delta has no older posts.
  return isRefused || start < now.getTime() - (DELTA_DAYS + 1) * DAY_MS ? 'list' : 'delta'
}

/** After a list comes a delta, to be kept up from there; after a delta of a later round, the scan for replies. */
function endStep(at: ChannelState, round: Round): void {
  const scans = round.step === 'delta' && at.since !== null
  const follows = round.step === 'list' && at.lists === null
  at.round = scans ? newRound('scan', round.began) : follows ? newRound('delta', round.began) : null
  if (at.round === null) at.since = round.began
}

/** A list also contains messages that are older than the start date or known already; a delta does not. */
function isChanged(message: Message, at: ChannelState, { step }: Round): boolean {
  if (step === 'delta') return true
  if (step === 'scan') return at.lists !== null && touchedAt(message) > (at.since ?? 0) - OVERLAP_MS
  // As in the delta, a new reply makes its post a changed one.
  return [message, ...(message.replies ?? [])].some((one) => touchedAt(one) >= at.start)
}

function hasNewReplies({ replies }: Message, { since }: ChannelState): boolean {
  return (replies ?? []).some((reply) => touchedAt(reply) > (since ?? 0) - OVERLAP_MS)
}

/** A scan ends with a page of posts that are all old, or after its last page. */
function isScanned(messages: readonly Message[], at: ChannelState, { began, seen }: Round): boolean {
  const oldest = (began ?? 0) - SCAN_DAYS * DAY_MS
  const isOld = (message: Message) =>
    Date.parse(message.createdDateTime ?? '') < oldest &&
    touchedAt(message) < (at.since ?? 0) - OVERLAP_MS &&
    !hasNewReplies(message, at)
  return seen >= SCAN_POSTS || (messages.length > 0 && messages.every((message) => isOld(message)))
}

async function pageOf(context: Context, at: ChannelState, channel: Channel, round: Round): Promise<Pages> {
  if (round.step !== 'delta') return await listPage(context, channel, round)
  const stored = round.next ?? at.delta
  if (stored !== null) {
    try {
      return await deltaPage(context, channel, stored)
    } catch (error) {
      if (error instanceof ReplyTooLong && !round.plain) return await deltaWithoutReplies(context, at, channel, round)
      if (!isStale(error)) return await listInstead(context, at, channel, round, error)
      // Everything is read again: what changed meanwhile is not known.
      Object.assign(at, { delta: null, since: null })
      Object.assign(round, newRound(firstStep(at, context.now())))
      return await pageOf(context, at, channel, round)
    }
  }
  const from = round.began === null ? at.start : round.began - OVERLAP_MS
  try {
    return await deltaPage(context, channel, { ...deltaSince(from), ...REPLIES })
  } catch (error) {
    const isExpansion =
      error instanceof ReplyTooLong || (error instanceof GraphRefusal && [400, 501].includes(error.status))
    if (isExpansion) return await deltaWithoutReplies(context, at, channel, round, from)
    return await listInstead(context, at, channel, round, error)
  }
}

const REPLIES = { $expand: 'replies' }
const deltaSince = (from: number) => ({
  $top: PAGE,
  $filter: `lastModifiedDateTime gt ${new Date(from).toISOString()}`,
})

/**
 * A new delta without the replies of its posts, where they are too large for one response, or Microsoft does not expand them there. A
 * token keeps what its first request expanded, so the round begins again: an item that is read twice is stored once.
 */
async function deltaWithoutReplies(
  context: Context,
  at: ChannelState,
  channel: Channel,
  round: Round,
  from = at.since === null ? at.start : at.since - OVERLAP_MS,
): Promise<Pages> {
  Object.assign(at, { delta: null })
  Object.assign(round, { next: null, plain: true })
  try {
    return await deltaPage(context, channel, deltaSince(from))
  } catch (error) {
    return await listInstead(context, at, channel, round, error)
  }
}

/** Where Microsoft refuses the delta, the posts are listed, now and from then on. */
async function listInstead(
  context: Context,
  at: ChannelState,
  channel: Channel,
  round: Round,
  error: unknown,
): Promise<Pages> {
  if (!(error instanceof GraphRefusal) || ![400, 403, 405, 412, 501].includes(error.status)) throw error
  const listed = newRound(at.since === null ? 'list' : 'scan')
  const page = await listPage(context, channel, listed)
  Object.assign(at, { lists: context.now().getTime(), delta: null })
  Object.assign(round, listed)
  return page
}

/** A stored token that Graph no longer accepts. If it is the delta itself that is refused, the request without a token shows it. */
function isStale(error: unknown): boolean {
  return error instanceof GraphRefusal && [400, 404, 410].includes(error.status)
}

const deltaPage = (context: Context, channel: Channel, query: Record<string, string> | string) =>
  call(context, {
    name: 'channel messages delta',
    path: channelPath(channel, '/messages/delta'),
    query,
    schema: MessagePage,
    needs: null,
  })

/** Post by post where a page is too large, and a post without its replies where they are. */
async function listPage(context: Context, channel: Channel, round: Round): Promise<Pages> {
  const next = round.next !== null && round.plain ? withExpand(round.next) : round.next
  const query = next ?? encodeQuery({ $top: PAGE, ...REPLIES })
  round.plain = false
  const request = (asked: string) =>
    call(context, {
      name: 'channel messages',
      path: channelPath(channel, '/messages'),
      query: asked,
      schema: MessagePage,
      needs: PERMISSIONS.messages,
    })
  const one = withTop(query, 1)
  const page = (await unlessTooLong(request(query))) ?? (await unlessTooLong(request(one)))
  if (page !== null) return page
  round.plain = true
  return await request(withoutExpand(one))
}

async function unlessTooLong<T>(reply: Promise<T>): Promise<T | null> {
  try {
    return await reply
  } catch (error) {
    if (error instanceof ReplyTooLong) return null
    throw error
  }
}
