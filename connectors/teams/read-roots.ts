import type { Context, FeedbackItem } from '../connector.ts'
import { Unavailable } from '../kit/errors.ts'
import { type JsonReply, ReplyTooLong } from '../kit/json-call.ts'
import { dueAgain, type SetAside } from '../kit/set-aside.ts'
import { PERMISSIONS } from './app.ts'
import { call, channelPath, encodeQuery, GraphRefusal, queryOfLink, withTop } from './client.ts'
import type { ChannelState, Round } from './cursor.ts'
import type { Channel } from './directory.ts'
import { hasFilesOnly, isDeleted, isWritten, rootId, toItems, touchedAt } from './item.ts'
import { type Message, MessagePage } from './schema.ts'
import { DELTA_DAYS } from './selection.ts'
import { acceptPosts } from './unread.ts'

const DAY_MS = 86_400_000
/** Graph's maximum for one request. */
const PAGE = '50'
/** Posts of the last days are scanned for new replies, since there is no delta of replies; at most so many posts. */
const SCAN_DAYS = 30
const SCAN_POSTS = 500
/** A delta that was refused is requested again after this time. */
const REFUSED_MS = DAY_MS
/** A message may become visible somewhat later than its time. */
export const OVERLAP_MS = 5 * 60_000
/** Consecutive pages without a post, after which Graph's links are considered useless. */
const MAX_IDLE = 100

/** What one request changed. */
export type Found = { items: FeedbackItem[]; deleted: string[]; attachmentOnly?: string[] }
type Pages = JsonReply<typeof MessagePage>

/** One request for root posts of a channel. Those whose replies have to be read are queued. */
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
  round.began ??= Date.parse(headers.date ?? '') || context.now().getTime()
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
  // An expanded post without replies needs no request for them.
  const roots = [...changed, ...replied].filter((message) => !message['@removed'] && message.replies?.length !== 0)
  const items = await toItems(context, changed, { channel, root: null, isShared })
  round.next = next
  round.seen += data.value.length
  at.refused = null
  // Threads that could not be read are tried again once in each round.
  const again = at.round === null ? [...at.unread, ...dueRoots(context, channel, aside)] : []
  at.roots = [...new Set([...at.roots, ...roots.map(({ id }) => id), ...again])]
  if (round.step === 'delta') Object.assign(at, { delta: delta ?? at.delta, lists: null })
  at.round = round
  if (next === null || (round.step === 'scan' && isScanned(data.value, at, round))) endStep(at, round)
  const idOf = ({ id }: Message) => rootId(channel.channel, id)
  return { items, deleted: changed.filter(isDeleted).map(idOf), attachmentOnly: changed.filter(hasFilesOnly).map(idOf) }
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

/** A list also contains what is older than the start date or known already; a delta does not. */
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
  const from = round.began === null ? at.start : round.began - OVERLAP_MS
  const filter = { $top: PAGE, $filter: `lastModifiedDateTime gt ${new Date(from).toISOString()}` }
  const stored = round.next ?? at.delta
  if (stored !== null) {
    try {
      return await deltaPage(context, channel, stored)
    } catch (error) {
      if (!isStale(error)) return await listInstead(context, at, channel, round, error)
      // Everything is read again: what changed meanwhile is not known.
      Object.assign(at, { delta: null, since: null })
      Object.assign(round, newRound(firstStep(at, context.now())))
      return await pageOf(context, at, channel, round)
    }
  }
  try {
    return await deltaPage(context, channel, filter)
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

async function listPage(context: Context, channel: Channel, { next }: Round): Promise<Pages> {
  const query = next ?? encodeQuery({ $top: PAGE, $expand: 'replies' })
  const request = (asked: string) =>
    call(context, {
      name: 'channel messages',
      path: channelPath(channel, '/messages'),
      query: asked,
      schema: MessagePage,
      needs: PERMISSIONS.messages,
    })
  try {
    return await request(query)
  } catch (error) {
    if (!(error instanceof ReplyTooLong)) throw error
    return await request(withTop(query, 1))
  }
}
