import { connectorById, connectors, posterOf } from '@groundswell/connectors/index.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { MAX_REPLIES, type ReplyPlace } from '@groundswell/contract/posts.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import type { Caller } from '../../../platform/http/handle.ts'
import { oneLine } from '../../../platform/one-line.ts'
import type { Services } from '../../../platform/services.ts'
import { type Connection, liveConnections } from '../../connections/index.ts'
import { readConversations, readInsight, readShownInsights } from '../../insights/index.ts'
import { postJob } from './jobs.ts'
import { addReply, type LatestReply, lockReplies, readReplies } from './store.ts'

type ReplyPoster = { tile: string; label: string; signed_in: boolean }
/** `at`: where it is posted. Null: there is no sign-in for it. */
type Place = ReplyPlace & { at: { connectionId: string; channel: string; thread: string } | null }

/** A reply is on its way; a request for another one was made without knowing of it. */
const OPEN: ReadonlySet<string> = new Set(['waiting', 'sending'])
/** There is a reply, or there may be: a second one would be unexpected. */
const ANSWERED: ReadonlySet<string> = new Set(['sent', 'uncertain'])

/** The conversations with people who asked for an insight, with the outcome of replies there. */
export async function viewReplies(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  now: Date,
): Promise<{ posters: ReplyPoster[]; text: string; conversations: ReplyPlace[] }> {
  const { posters, places } = await findPlaces(tx, workspaceId, issueNumber, now)
  const [insight] = await readShownInsights(tx, workspaceId, { numbers: [issueNumber] })
  return {
    posters,
    text: `You told us about this: “${oneLine(insight?.issue_name ?? '')}”. The change is available now. Thank you!`,
    conversations: places.slice(0, MAX_REPLIES).map(viewPlace),
  }
}

function viewPlace({ id, tile, place, link, people, reply }: Place): ReplyPlace {
  return { id, tile, place, link, people, reply }
}

type Wanted = { conversations: readonly string[]; text: string; again: boolean }

/** Adds a reply for each of these conversations, to be posted at once. */
export async function addReplies(
  services: Services,
  tx: Tx,
  { workspaceId, name, email }: Caller,
  issueNumber: number,
  { conversations, text, again }: Wanted,
): Promise<{ sending: number; skipped: string[] }> {
  await lockReplies(tx, workspaceId, issueNumber)
  const now = services.now()
  const { places } = await findPlaces(tx, workspaceId, issueNumber, now)
  const wanted = new Set(conversations)
  const skipped = new Set(wanted)
  for (const { id, people, reply, at } of places) {
    if (!wanted.has(id) || at === null) continue
    if (reply && OPEN.has(reply.state)) continue
    if (reply && ANSWERED.has(reply.state) && !again) continue
    const told = people.map(({ person }) => person)
    await addReply(tx, workspaceId, { ...at, issueNumber, people: told, text, by: name || email }, now)
    skipped.delete(id)
  }
  const sending = wanted.size - skipped.size
  if (sending > 0) await services.queue.send(postJob, { workspaceId }, { tx, key: workspaceId, once: true })
  return { sending, skipped: [...skipped] }
}

async function findPlaces(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  now: Date,
): Promise<{ posters: ReplyPoster[]; places: Place[] }> {
  if (!(await readInsight(tx, workspaceId, issueNumber))?.shown) {
    throw new ContractError('not_found', `There is no insight #${issueNumber}`)
  }
  const able = connectors.filter(({ poster }) => poster).map(({ manifest }) => manifest.id)
  const asked = await readConversations(tx, workspaceId, issueNumber, able)
  const live = (await liveConnections(tx, workspaceId, 'poster')).filter(({ signedOut }) => !signedOut)
  const replies = await readReplies(tx, workspaceId, issueNumber, now)
  const places = new Map<string, Place>()
  for (const { connector: tile, thread, person, name, place, link } of asked) {
    const id = `${tile}:${thread}`
    const known = places.get(id)
    if (known) {
      known.people.push({ person, name })
      continue
    }
    const at = whereOf(live, tile, thread)
    places.set(id, { id, tile, place, link, people: [{ person, name }], reply: latestOf(replies, at), at })
  }
  const tiles = [...new Set(asked.map(({ connector }) => connector))]
  const posters = tiles.map((tile) => ({
    tile,
    label: connectorById(tile)?.manifest.label ?? tile,
    signed_in: live.some(({ connector }) => connector === posterOf(tile)?.manifest.id),
  }))
  return { posters, places: [...places.values()] }
}

function whereOf(live: readonly Connection[], tile: string, thread: string): Place['at'] {
  const connection = live.find(({ connector }) => connector === posterOf(tile)?.manifest.id)
  const at = connection && connectorById(tile)?.poster?.conversation(connection.settings, thread)
  return at ? { connectionId: connection.id, ...at } : null
}

function latestOf(replies: readonly LatestReply[], at: Place['at']): ReplyPlace['reply'] {
  const found = at && replies.find(({ channel, thread }) => channel === at.channel && thread === at.thread)
  return found ? { state: found.state, at: found.at.toISOString(), by: found.by, error: found.error } : null
}
