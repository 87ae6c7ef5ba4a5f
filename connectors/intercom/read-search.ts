import type { Context } from '../connector.ts'
import { Unavailable } from '../kit/errors.ts'
import { type JsonReply, mismatch } from '../kit/http/json-call.ts'
import { withPageSize } from '../kit/page-size.ts'
import { acceptWithout } from '../kit/set-aside.ts'
import { call, IntercomRefusal, PAGE_SIZES, serverSeconds, settingsOf } from './client.ts'
import { repeatFrom, type State, settle, wasRead } from './cursor.ts'
import type { Found } from './read-conversation.ts'
import { type Listed, SearchPage, WithId } from './schema.ts'
import type { Selection } from './selection.ts'
import { unreadConversation } from './unread.ts'

/** Consecutive pages without a conversation, after which the search is considered broken. */
const MAX_IDLE = 20
/** `>` may include the second before the one that is asked for. */
const SKEW_SECONDS = 1

/** One request for the next conversations that changed. Those that are chosen wait to be read. */
export async function readSearch(context: Context, state: State, selection: Selection): Promise<Found> {
  const isFirst = state.after === null && state.newest === state.start && state.tally === null && !state.restarted
  const reply = await searchPage(context, state)
  const { items: listed, malformed } = reply.data.conversations ?? { items: [], malformed: [] }
  acceptWithout(
    state.aside,
    malformed.map(({ value }) => unreadConversation(settingsOf(context), WithId.safeParse(value).data?.id ?? null)),
    {
      message: mismatch('Intercom', 'POST conversations/search', `conversations.${malformed[0]?.at}`),
      read: listed.length,
      now: context.now(),
    },
  )
  const next = reply.data.pages?.next?.starting_after || null
  const idle = listed.length === 0 ? state.idle + 1 : 0
  if (next !== null && (next === state.after || idle > MAX_IDLE)) {
    throw new Unavailable('Intercom’s search for conversations does not advance')
  }
  const now = serverSeconds(reply, context.now())
  if (isFirst) {
    const total = reply.data.total_count ?? null
    state.tally = total === null ? null : { until: now, total, seen: 0 }
    state.first = total === null ? null : { total, listed: 0 }
  }
  // One that is listed twice was changed meanwhile: the last one counts.
  const latest = [...new Map(listed.map((conversation) => [conversation.id, conversation])).values()]
  const waiting = latest.filter(
    (conversation) => selection.includes(conversation) && !wasRead(state, conversation.id, conversation.updated_at),
  )
  for (const conversation of latest) note(state, conversation, now)
  if (state.tally) state.tally.seen += malformed.length
  if (state.first) state.first.listed += latest.length + malformed.length
  noteOrder(
    state,
    listed.map(({ updated_at }) => updated_at),
    now,
  )
  state.waiting = waiting.map(({ id, updated_at }) => [id, updated_at])
  state.idle = idle
  state.after = next
  state.ended = next === null
  settle(state, Math.max(0, ...listed.map(({ updated_at }) => updated_at)), now)
  if (state.ended && state.tally !== null) {
    const { total, seen } = state.tally
    state.gap = total > seen ? { total, seen } : null
    state.tally = null
  }
  return { items: [], pause: reply.pause }
}

function note(state: State, { created_at, updated_at }: Listed, now: number): void {
  // A change in the future must not hide all that follow.
  state.newest = Math.max(state.newest, Math.min(updated_at, now))
  if (state.tally && created_at <= state.tally.until) state.tally.seen += 1
}

function noteOrder(state: State, times: readonly number[], now: number): void {
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined) return
  const oldest = Math.min(...times)
  state.ascending &&= first <= last && oldest >= state.reached - SKEW_SECONDS
  state.reached = Math.min(oldest, now)
}

/** Whether conversations can be read at all: needs the same permission as a conversation. */
export async function probe(context: Context, state: State): Promise<void> {
  await call(context, {
    name: 'conversations/search',
    method: 'POST',
    path: '/conversations/search',
    permission: 'Read conversations',
    json: { query: { field: 'updated_at', operator: '>', value: state.from - 1 }, pagination: { per_page: 1 } },
    schema: SearchPage,
  })
}

/**
 * Oldest change first: in any other order, conversations that change meanwhile would be lost between two pages. Whether `>` includes
 * the second itself depends on Intercom, so the second before it is asked for.
 */
async function searchPage(context: Context, state: State): Promise<JsonReply<typeof SearchPage>> {
  const request = (from: number, after: string | null) =>
    withPageSize(PAGE_SIZES, (size) =>
      call(context, {
        name: 'conversations/search',
        method: 'POST',
        path: '/conversations/search',
        permission: 'Read conversations',
        json: {
          query: { field: 'updated_at', operator: '>', value: from - 1 },
          sort: { field: 'updated_at', order: 'ascending' },
          pagination: { per_page: size, ...(after === null ? {} : { starting_after: after }) },
        },
        schema: SearchPage,
      }),
    )
  if (state.after === null) return await request(state.from, null)
  try {
    const reply = await request(state.from, state.after)
    state.restarted = false
    return reply
  } catch (error) {
    const expired = error instanceof IntercomRefusal && [400, 404, 410, 422].includes(error.status)
    if (!expired || state.restarted) throw error
    const from = repeatFrom(state)
    const reply = await request(from, null)
    Object.assign(state, { from, reached: from, after: null, restarted: true, tally: null })
    return reply
  }
}
