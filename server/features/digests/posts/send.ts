import { connectorById } from '@groundswell/connectors/index.ts'
import { isConnectorFailure } from '@groundswell/connectors/kit/errors.ts'
import type { PostRequest } from '@groundswell/connectors/poster.ts'
import { siteUrl } from '../../../auth/index.ts'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import { readFailure } from '../../../platform/queue/failure.ts'
import type { Services } from '../../../platform/services.ts'
import { everyWorkspace } from '../../../platform/sweep/every-workspace.ts'
import { type Connection, callProvider, connectionById, signOut } from '../../connections/index.ts'
import { markTold, seenUntil } from '../../insights/index.ts'
import { viewAlerts } from '../alerts.ts'
import { viewDigest } from '../content.ts'
import { endOfQuiet, nextDigestAt } from '../schedule.ts'
import { releaseChannelAlerts, takeChannelAlerts } from './alert-store.ts'
import { type ChannelRow, lockDueChannels, moveChannel, readChannel, removeCutOff } from './channel-store.ts'
import {
  addPost,
  claimPost,
  endLostPosts,
  lockDuePost,
  type PostRow,
  settlePost,
  workspacesWithDuePost,
} from './store.ts'
import { alertLines, digestLines, replyLines } from './write.ts'

const MINUTE_MS = 60_000
/** Longer than an attempt can take, including a renewal of the sign-in. */
const LOST_AFTER_MS = 15 * MINUTE_MS
/** Before the second attempt, the third, and so on; after the last one the message is given up. */
const PAUSES_MS = [1, 5, 30, 120, 360].map((minutes) => minutes * MINUTE_MS)
const DEFAULT_WAIT_SECONDS = 60

type Claimed = { post: PostRow; connection: Connection; request: PostRequest }

/** The outcome of an attempt. `refused`: the provider certainly does not have the message; `final`: and will not accept it later. */
type Outcome =
  | { is: 'accepted' }
  | { is: 'limited'; reason: string; seconds: number }
  | { is: 'refused'; reason: string; final: boolean }
  | { is: 'uncertain'; reason: string }

/** Posts the due messages of every workspace. */
export async function sendDuePosts(services: Services): Promise<void> {
  await everyWorkspace(
    services,
    'posts',
    (tx) => workspacesWithDuePost(tx, services.now()),
    (workspaceId) => sendPostsOf(services, workspaceId),
  )
}

/**
 * Posts the due messages of a workspace. A message is claimed in its own transaction before the provider is contacted: after a crash its outcome is
 * unknown, and it is not posted again. When the provider asks for a pause, the rest waits for the next sweep.
 */
export async function sendPostsOf(services: Services, workspaceId: string): Promise<void> {
  await inWorkspace(services.db, workspaceId, (tx) => addDueDigests(tx, workspaceId, services.now()))
  for (;;) {
    const claimed = await inWorkspace(services.db, workspaceId, (tx) => claimNext(services, tx, workspaceId))
    if (claimed === 'none') return
    if (claimed !== 'nothing' && !(await attempt(services, workspaceId, claimed))) return
  }
}

async function addDueDigests(tx: Tx, workspaceId: string, now: Date): Promise<void> {
  await endLostPosts(tx, workspaceId, now)
  await removeCutOff(tx, workspaceId)
  for (const { id, connectionId, coveredUntil, choice } of await lockDueChannels(tx, workspaceId, now)) {
    await addPost(tx, workspaceId, { connectionId, channelId: id, kind: 'digest', since: coveredUntil }, now)
    await moveChannel(tx, workspaceId, id, { nextAt: nextDigestAt(now, choice) })
  }
}

/** Claims the next message that is due. `nothing`: there was one, but nothing to post now. */
async function claimNext(services: Services, tx: Tx, workspaceId: string): Promise<Claimed | 'nothing' | 'none'> {
  const now = services.now()
  const post = await lockDuePost(tx, workspaceId, now)
  if (!post) return 'none'
  const connection = await connectionById(tx, workspaceId, post.connectionId)
  if (!connection || connection.disconnectedAt || connection.signedOut) {
    const reason = connection?.signedOut
      ? 'The sign-in has ended: an owner can sign in again'
      : 'Posting was turned off'
    await settle(services, tx, workspaceId, post, { is: 'refused', reason, final: true })
    return 'nothing'
  }
  if (post.reply?.text === null) {
    const reason = 'Messages that it may quote were erased: write it again'
    await settle(services, tx, workspaceId, post, { is: 'refused', reason, final: true })
    return 'nothing'
  }
  const channel = post.channelId === null ? null : await readChannel(tx, workspaceId, post.channelId)
  const quietUntil = post.kind === 'alert' && channel ? endOfQuiet(now, channel.choice) : null
  if (quietUntil) {
    await settlePost(tx, workspaceId, post.id, { state: 'waiting', dueAt: quietUntil })
    return 'nothing'
  }
  const written = post.reply
    ? { channel: post.reply.channel, thread: post.reply.thread, lines: replyLines(post.reply.text) }
    : channel && (await writeFor(services, tx, workspaceId, post, channel))
  if (!written) {
    await settlePost(tx, workspaceId, post.id, { state: 'nothing' })
    return 'nothing'
  }
  await claimPost(tx, workspaceId, post.id, new Date(now.getTime() + LOST_AFTER_MS))
  return { post, connection, request: { id: post.id, ...written } }
}

/** Writes a message for a channel about the time since its `since`; null: there is nothing to write. */
async function writeFor(
  services: Services,
  tx: Tx,
  workspaceId: string,
  { id, kind, since }: Extract<PostRow, { reply: null }>,
  { id: channelId, channel, choice }: ChannelRow,
): Promise<Omit<PostRequest, 'id'> | null> {
  const now = services.now()
  const site = siteUrl(services)
  if (kind === 'alert') {
    const parts = await viewAlerts(tx, workspaceId, await takeChannelAlerts(tx, workspaceId, channelId, id))
    return parts && { channel, thread: null, lines: alertLines(parts, site) }
  }
  if (choice.frequency === 'off') return null
  const parts = await viewDigest(tx, workspaceId, since, now)
  await moveChannel(tx, workspaceId, channelId, { coveredUntil: await seenUntil(tx, workspaceId, now) })
  return parts && { channel, thread: null, lines: digestLines(parts, site) }
}

/** Makes the attempt and records its outcome. Returns whether others may be made now. */
async function attempt(
  services: Services,
  workspaceId: string,
  { post, connection, request }: Claimed,
): Promise<boolean> {
  const outcome = await postOnce(services, connection, request)
  await inWorkspace(services.db, workspaceId, (tx) => settle(services, tx, workspaceId, post, outcome))
  if (outcome.is !== 'accepted') {
    const facts = { workspace: workspaceId, post: post.id, outcome: outcome.is, err: outcome.reason }
    services.log.warn(facts, 'a message was not posted')
  }
  return outcome.is !== 'limited'
}

async function settle(
  services: Services,
  tx: Tx,
  workspaceId: string,
  { id, tries, channelId, since, reply }: PostRow,
  outcome: Outcome,
): Promise<void> {
  const now = services.now()
  const after = (milliseconds: number) => new Date(now.getTime() + milliseconds)
  if (outcome.is === 'accepted') {
    await settlePost(tx, workspaceId, id, { state: 'sent' })
    if (reply) await markTold(tx, workspaceId, reply.issueNumber, reply.people, { by: reply.by, at: now })
    return
  }
  const error = outcome.reason.slice(0, 500)
  if (outcome.is === 'uncertain') return settlePost(tx, workspaceId, id, { state: 'uncertain', error })
  if (outcome.is === 'limited') {
    const dueAt = after(outcome.seconds * 1000)
    return settlePost(tx, workspaceId, id, { state: 'waiting', error, dueAt, uncounted: true })
  }
  const pause = outcome.final ? undefined : PAUSES_MS[tries]
  if (pause !== undefined) return settlePost(tx, workspaceId, id, { state: 'waiting', error, dueAt: after(pause) })
  await settlePost(tx, workspaceId, id, { state: 'refused', error })
  // The next message includes what this one could not.
  if (channelId !== null && since !== null) {
    await releaseChannelAlerts(tx, workspaceId, id)
    const channel = await readChannel(tx, workspaceId, channelId)
    if (channel && channel.coveredUntil > since) await moveChannel(tx, workspaceId, channelId, { coveredUntil: since })
  }
}

/** Makes one attempt. Does not throw for what a provider does. */
async function postOnce(services: Services, connection: Connection, request: PostRequest): Promise<Outcome> {
  const { workspaceId } = connection
  const poster = connectorById(connectorById(connection.connector)?.postsFor ?? '')?.poster
  if (!poster) return { is: 'refused', reason: 'This version cannot post there', final: true }
  let used = connection
  let begun = false
  try {
    await callProvider(services, connection, (context, current) => {
      used = current
      begun = true
      return poster.post(context, request).catch((error: unknown) => {
        // Refused because of its credentials, which can be renewed: the provider does not have the message.
        if (readFailure(error).kind === 'auth') begun = false
        throw error
      })
    })
    return { is: 'accepted' }
  } catch (error) {
    const { kind, message, retryAfter } = readFailure(error)
    const reason = isConnectorFailure(error) ? message : 'Unexpected failure'
    if (!isConnectorFailure(error)) services.log.error({ workspace: workspaceId, err: error }, 'posting failed')
    if (kind === 'rate-limited') return { is: 'limited', reason, seconds: retryAfter ?? DEFAULT_WAIT_SECONDS }
    if (kind === 'auth') await inWorkspace(services.db, workspaceId, (tx) => signOut(tx, used, reason))
    if (kind === 'auth' || kind === 'rejected') return { is: 'refused', reason, final: kind === 'rejected' }
    const unsent = !begun || (isConnectorFailure(error) && error.unsent)
    return unsent ? { is: 'refused', reason, final: false } : { is: 'uncertain', reason }
  }
}
