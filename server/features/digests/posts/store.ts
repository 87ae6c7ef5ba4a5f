import type { MailState } from '@groundswell/contract/digests.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { feedbackItemsView } from '../../feedback/index.ts'
import { statementsView } from '../../insights/index.ts'

/** A reply to post in a conversation. `text`: null if it may quote a person who was erased. `people`: those who count as told by it. */
export type Reply = {
  issueNumber: number
  channel: string
  thread: string
  people: string[]
  text: string | null
  by: string
}

/** A message whose outcome is open. */
export type PostRow = { id: string; connectionId: string; tries: number } & (
  | { kind: 'digest' | 'alert'; channelId: string; since: Date; reply: null }
  | { kind: 'reply'; channelId: null; since: null; reply: Reply }
)

const KEPT_DAYS = 400

const postColumns = sql`id, connection_id as "connectionId", kind, channel_id as "channelId", since, tries,
  case when kind = 'reply' then jsonb_build_object('issueNumber', issue_number, 'channel', channel, 'thread', thread,
    'people', people, 'text', body, 'by', posted_by) end as reply`

/** Nobody recorded the outcome of an attempt in time: the process that made it is gone. */
const isLost = (now: Date) => sql`(post.state = 'sending' and post.due_at <= ${now})`
const LOST_ERROR = 'the server stopped while it was being posted'
/** The outcome of a message as people see it: a lost attempt is known as such before a sweep gives up on it. */
const outcome = (now: Date) => sql`case when ${isLost(now)} then 'uncertain' else post.state end as state,
  case when ${isLost(now)} then ${LOST_ERROR} else post.error end as error`

/** Workspaces with a digest or another message that is due, or one whose attempt did not end in time. */
export async function workspacesWithDuePost(tx: Tx, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select workspaces_with_due_post(${now}) as id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Adds a message to a channel, unless one of its kind is still waiting; deletes those from more than a year ago. */
export async function addPost(
  tx: Tx,
  workspaceId: string,
  {
    connectionId,
    channelId,
    kind,
    since,
  }: { connectionId: string; channelId: string; kind: 'digest' | 'alert'; since: Date },
  now: Date,
  dueAt = now,
): Promise<void> {
  await sql`
    delete from post where workspace_id = ${workspaceId} and channel_id = ${channelId}
      and created_at < ${now}::timestamptz - make_interval(days => ${KEPT_DAYS})`.execute(tx)
  await sql`
    insert into post (workspace_id, connection_id, channel_id, kind, since, state, due_at, created_at)
    select ${workspaceId}::uuid, ${connectionId}::uuid, ${channelId}::uuid, ${kind}, ${since}::timestamptz, 'waiting',
      ${dueAt}::timestamptz, ${now}::timestamptz
    where not exists (select from post where workspace_id = ${workspaceId} and channel_id = ${channelId} and kind = ${kind}
      and state = 'waiting')`.execute(tx)
}

/** Adds a reply, due now. */
export async function addReply(
  tx: Tx,
  workspaceId: string,
  { connectionId, issueNumber, channel, thread, people, text, by }: Reply & { connectionId: string },
  now: Date,
): Promise<void> {
  await sql`
    insert into post (workspace_id, connection_id, kind, issue_number, channel, thread, people, body, posted_by, state, due_at, created_at)
    values (${workspaceId}, ${connectionId}, 'reply', ${issueNumber}, ${channel}, ${thread}, ${people}::text[], ${text}, ${by},
      'waiting', ${now}, ${now})`.execute(tx)
}

/** Makes other transactions that add replies about an insight wait until this one ends. */
export async function lockReplies(tx: Tx, workspaceId: string, issueNumber: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('replies:' || ${workspaceId} || ${issueNumber}::text, 0))`.execute(
    tx,
  )
}

/** The latest reply in each conversation about an insight. */
export type LatestReply = {
  channel: string
  thread: string
  state: MailState
  at: Date
  by: string
  error: string | null
}

/** The outcome of the replies about an insight. */
export async function readReplies(tx: Tx, workspaceId: string, issueNumber: number, now: Date): Promise<LatestReply[]> {
  const { rows } = await sql<LatestReply>`
    select distinct on (channel, thread) channel, thread, created_at as at, posted_by as by, ${outcome(now)} from post
    where workspace_id = ${workspaceId} and kind = 'reply' and issue_number = ${issueNumber}
    order by channel, thread, created_at desc, id`.execute(tx)
  return rows
}

/** Gives up on attempts whose outcome nobody recorded in time. */
export async function endLostPosts(tx: Tx, workspaceId: string, now: Date): Promise<void> {
  await sql`
    update post set state = 'uncertain', due_at = null, body = null, error = ${LOST_ERROR}
    where workspace_id = ${workspaceId} and ${isLost(now)}`.execute(tx)
}

/** A message that is due, locked until the transaction ends; null if there is none. */
export async function lockDuePost(tx: Tx, workspaceId: string, now: Date): Promise<PostRow | null> {
  const { rows } = await sql<PostRow>`
    select ${postColumns} from post where workspace_id = ${workspaceId} and state = 'waiting' and due_at <= ${now}
    order by due_at, id limit 1 for update skip locked`.execute(tx)
  return rows[0] ?? null
}

/** Records that an attempt is about to be made. Once this is committed, nobody else posts the message. */
export async function claimPost(tx: Tx, workspaceId: string, id: string, lostAt: Date): Promise<void> {
  await sql`
    update post set state = 'sending', tries = tries + 1, due_at = ${lostAt}, error = null
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
}

/** The outcome of a message. With `dueAt` another attempt is made then, which does not count if `uncounted`. */
type Settled = { state: MailState; error?: string | null; dueAt?: Date | null; uncounted?: boolean }

/** Records the outcome of a message. The text of a reply is deleted after its last attempt. */
export async function settlePost(
  tx: Tx,
  workspaceId: string,
  id: string,
  { state, error = null, dueAt = null, uncounted = false }: Settled,
): Promise<void> {
  await sql`
    update post set state = ${state}, error = ${error}, due_at = ${dueAt}::timestamptz,
      tries = tries - ${uncounted ? 1 : 0}::int, body = case when ${state} = 'waiting' then body end
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
}

/** The messages to channels that were due last, the latest first. */
export type LatestPost = {
  id: string
  kind: 'digest' | 'alert'
  channel: string
  at: Date
  state: MailState
  error: string | null
}

/** The outcome of the latest messages to the channels of a sign-in. */
export async function readLatestPosts(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  { limit, now }: { limit: number; now: Date },
): Promise<LatestPost[]> {
  const { rows } = await sql<LatestPost>`
    select post.id, post.kind, channel.label as channel, post.created_at as at, ${outcome(now)}
    from post join post_channel channel on channel.workspace_id = ${workspaceId} and channel.id = post.channel_id
    where post.workspace_id = ${workspaceId} and post.connection_id = ${connectionId}
    order by post.created_at desc, post.id limit ${limit}`.execute(tx)
  return rows
}

/** Deletes messages that are still waiting when a sign-in is ended. */
export async function forgetWaiting(tx: Tx, workspaceId: string, connectionId: string): Promise<void> {
  await sql`
    delete from post where workspace_id = ${workspaceId} and connection_id = ${connectionId} and state = 'waiting'`.execute(
    tx,
  )
}

/**
 * Forgets that people who wrote these items are told by replies, and the text of replies that are still to be posted where the insight has one of the
 * items or the text names this author.
 */
export async function forgetReplies(
  tx: Tx,
  workspaceId: string,
  { author, itemIds }: { author: string; itemIds: readonly number[] },
): Promise<void> {
  const erased = sql`(
    select coalesce(array_agg(distinct encode(person_of(item.author, item.id), 'hex')), '{}') from ${feedbackItemsView} item
    where item.workspace_id = ${workspaceId} and item.id = any(${[...itemIds]}::bigint[]))`
  await sql`
    update post set people = array(select unnest(people) except select unnest(${erased}))
    where workspace_id = ${workspaceId} and kind = 'reply' and people && ${erased}`.execute(tx)
  await sql`
    update post set body = null
    where workspace_id = ${workspaceId} and body is not null and (
      strpos(lower(body), lower(${author})) > 0 or issue_number in (
        select said.issue_number from ${statementsView} said
        where said.workspace_id = ${workspaceId} and said.item_id = any(${[...itemIds]}::bigint[])))`.execute(tx)
}
