import type { Context } from '../connector.ts'
import { HelpScoutRefusal } from './client.ts'
import { isAbsent, signatureOf } from './conversations/conversation.ts'
import { findConversation } from './conversations/find-conversation.ts'
import { fullPage } from './conversations/full-page.ts'
import { listConversations } from './conversations/list-conversations.ts'
import type { Found } from './conversations/read-conversation.ts'
import type { State } from './cursor.ts'
import { threadOf } from './item.ts'
import type { Selection } from './selection.ts'

const DAY_SECONDS = 86_400

/**
 * Begins a sweep once a day: lists do not show which conversations were deleted, and without an event nothing else does. It is about the
 * conversations that the state remembers, which are those that changed last.
 */
export function beginSweep(state: State, now: Date): void {
  if (state.sweep || state.before.length === 0) return
  const time = Math.floor(now.getTime() / 1000)
  const isDue = state.sweptAt > 0 && Math.abs(time - state.sweptAt) >= DAY_SECONDS
  if (isDue) state.sweep = { page: 1, left: state.before.map(([id]) => id) }
  if (isDue || state.sweptAt === 0) state.sweptAt = time
}

/**
 * One request of a sweep. The latest changes are listed, as many as are remembered. Those that the list lacks are requested one by one,
 * and removed only if Help Scout no longer has them: a conversation may also have moved between two pages, or to another inbox.
 */
export async function sweep(context: Context, state: State, selection: Selection): Promise<Found> {
  const { page, left } = state.sweep ?? { page: 0, left: [] }
  if (page > 0) return await sweepPage(context, state, selection, { page, left })
  const [id = 0, ...rest] = left
  const gone = (await isGone(context, id)) ? [id] : []
  continueSweep(state, { page, left: rest })
  return remove(state, gone)
}

type Sweep = NonNullable<State['sweep']>

async function sweepPage(context: Context, state: State, selection: Selection, { page, left }: Sweep): Promise<Found> {
  const request = (number: number) => listConversations(context, selection, { sortOrder: 'desc', page: number })
  const { items, page: info } = await fullPage(request, page, page === 1)
  const listed = new Set(items.map(({ id }) => id))
  const isLast = page >= Math.min(info.totalPages, Math.ceil(state.before.length / info.size))
  continueSweep(state, { page: isLast ? 0 : page + 1, left: left.filter((id) => !listed.has(id)) })
  // One that was listed like this before has been removed already.
  const known = new Map(state.before)
  const gone = items.filter((one) => isAbsent(one) && known.has(one.id) && known.get(one.id) !== signatureOf(one))
  return remove(
    state,
    gone.map(({ id }) => id),
  )
}

/** The conversation that the sweep requests next; null while it lists some. */
export const sweptNext = ({ sweep: open }: State): number | null => (open?.page === 0 ? (open.left[0] ?? null) : null)

/** Goes on without the conversation that the sweep requested: it is not known whether it was deleted. */
export function skipSwept(state: State): void {
  const { page, left } = state.sweep ?? { page: 0, left: [] }
  continueSweep(state, { page, left: left.slice(1) })
}

function continueSweep(state: State, next: Sweep): void {
  state.sweep = next.left.length === 0 ? null : next
}

/** They are forgotten, so that a conversation that is restored is read again. */
function remove(state: State, ids: readonly number[]): Found {
  const gone = new Set(ids)
  state.before = state.before.filter(([id]) => !gone.has(id))
  return { items: [], deletedThreads: ids.map(threadOf) }
}

async function isGone(context: Context, id: number): Promise<boolean> {
  try {
    const { conversation } = await findConversation(context, id)
    return conversation === null || isAbsent(conversation)
  } catch (error) {
    if (error instanceof HelpScoutRefusal && error.status === 403) return false
    throw error
  }
}
