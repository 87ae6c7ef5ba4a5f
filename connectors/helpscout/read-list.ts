import type * as z from 'zod/mini'
import type { Context } from '../connector.ts'
import { mismatch } from '../kit/http/json-call.ts'
import { acceptWithout } from '../kit/set-aside.ts'
import { changedAt, isAbsent, signatureOf, waitingOf } from './conversations/conversation.ts'
import { expectedOn, fullPage } from './conversations/full-page.ts'
import { listConversations } from './conversations/list-conversations.ts'
import type { Found } from './conversations/read-conversation.ts'
import type { Listed, State } from './cursor.ts'
import { threadOf, unreadConversation } from './item.ts'
import { type Conversations, WithId } from './schema.ts'
import type { Selection } from './selection.ts'

/** How far back the next pass begins, in seconds, before the latest change that was listed. */
const OVERLAP_SECONDS = 300
/**
 * How many listed conversations are remembered. The first of a pass are the latest changes, which the next pass lists again; the last may
 * move to the page that is read next.
 */
const KEPT = 500
const KEPT_FIRST = 400
/** Passes in one round, for an account where something changes at every moment: the rest belongs to the next round. */
const MAX_PASSES = 5

/**
 * One request for conversations. Help Scout numbers its pages, and a conversation that changes meanwhile moves from its place to the end
 * of the list, so that those behind it move to lower numbers. A pass therefore reads from the last page to the first: whatever moves,
 * moves to a page that is still to be read, or changed after everything that was listed, and belongs to the next pass. Passes are
 * repeated until one lists no change.
 */
export async function readList(context: Context, state: State, selection: Selection): Promise<Found> {
  const request = (page: number) =>
    listConversations(context, selection, { since: state.since, sortOrder: 'asc', page })
  if (state.open) {
    const number = state.page
    const found = await fullPage(request, number, number <= state.pages)
    accept(context, state, found)
    return await take(context, state, selection, { ...found, number })
  }
  const found = await fullPage(request, 1, false)
  const { page } = found
  accept(context, state, found)
  if (state.newest === 0) state.first = { total: page.totalElements, listed: 0 }
  Object.assign(state, { open: true, passes: state.passes + 1, pages: page.totalPages, fresh: false, unlisted: 0 })
  if (page.totalPages <= 1) return await take(context, state, selection, { ...found, number: 1 })
  state.page = page.totalPages
  return { items: [] }
}

type Listing = z.infer<typeof Conversations>
type Taken = Listing & { number: number }

function accept(context: Context, state: State, { items, malformed }: Listing): void {
  const unread = malformed.map(({ value }) => unreadConversation(WithId.safeParse(value).data?.id ?? null))
  const message = mismatch('Help Scout', 'GET conversations', `conversations.${malformed[0]?.at}`)
  acceptWithout(state.aside, unread, { message, read: items.length, now: context.now() })
}

/** Adds the chosen conversations that changed to those whose threads are still to be read. */
async function take(context: Context, state: State, selection: Selection, taken: Taken): Promise<Found> {
  const { items, malformed, page, number } = taken
  const known = new Map([...state.before, ...state.seen])
  const signatures = new Map(items.map((conversation) => [conversation.id, signatureOf(conversation)]))
  const latest = [...new Map(items.map((conversation) => [conversation.id, conversation])).values()]
  const changed = latest.filter(({ id }) => known.get(id) !== signatures.get(id))
  const chosen = changed.filter((conversation) => !isAbsent(conversation) && selection.includes(conversation))
  const queue = await waitingOf(context, chosen)
  state.queue = queue
  if (state.first && state.passes === 1) state.first.listed += latest.length + malformed.length
  state.page = number - 1
  state.fresh ||= changed.length > 0
  state.newest = Math.max(state.newest, ...latest.map(changedAt))
  state.unlisted += Math.max(0, expectedOn(number, page) - items.length - malformed.length)
  state.seen = remember(state.seen, [...signatures])
  return { items: [], deletedThreads: changed.filter(isAbsent).map(({ id }) => threadOf(id)) }
}

function remember(seen: Listed, page: Listed): Listed {
  const ids = new Set(page.map(([id]) => id))
  const all = [...seen.filter(([id]) => !ids.has(id)), ...page]
  return all.length <= KEPT ? all : [...all.slice(0, KEPT_FIRST), ...all.slice(KEPT_FIRST - KEPT)]
}

/**
 * Ends a pass when all of it was read. The next one begins at the latest change by Help Scout's own clock, never in the future: a
 * conversation with a wrong date must not hide the others. Returns whether the round is over.
 */
export function endPass(state: State, now: Date): boolean {
  if (!state.open || state.page > 0 || state.queue.length > 0) return false
  const latest = Math.floor(Math.min(state.newest, now.getTime()) / 1000)
  state.since = Math.max(state.since, latest - OVERLAP_SECONDS)
  if (state.seen.length === KEPT) state.seen.length = KEPT_FIRST
  state.before = [...new Map([...state.before, ...state.seen])]
    .toSorted(([a], [b]) => rank(state.seen, a) - rank(state.seen, b))
    .slice(0, KEPT)
  state.seen = []
  state.open = false
  state.missing = Math.max(state.missing, state.unlisted)
  return !state.fresh || state.passes >= MAX_PASSES
}

/** A conversation’s place in the order of reading: those of this pass first. */
function rank(seen: Listed, id: number): number {
  const index = seen.findIndex(([one]) => one === id)
  return index < 0 ? seen.length : index
}
