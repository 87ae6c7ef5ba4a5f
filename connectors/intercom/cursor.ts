import * as z from 'zod/mini'
import type { SyncProgress } from '../connector.ts'
import { openState as openStored } from '../kit/open-state.ts'
import { dueAgain, nothingAside, SetAside } from '../kit/set-aside.ts'
import type { Selection } from './selection.ts'

/** Epoch seconds, or a number of things. */
const Count = z.int().check(z.nonnegative())
/** A conversation and the time of its last change, in epoch seconds. */
const Change = z.tuple([z.string(), Count])
type Change = z.infer<typeof Change>

/**
 * For how long the search may lack a change, in seconds: it may list one later than newer ones. What changed in the last seconds before
 * a page is searched for again in the next round.
 */
const LAG_SECONDS = 300
/** More changes than this are not remembered: conversations that are read again need a request each, and nothing else. */
const MAX_RECENT = 1000

/**
 * The position of a sync. The search of a round asks for changes since `from`; `after` is Intercom's cursor of its next page, and
 * `newest` the newest change that was listed. `ended`: the waiting conversations are the last of this round.
 */
const State = z.object({
  version: z.literal(1),
  key: z.string(),
  start: Count,
  from: Count,
  after: z.nullable(z.string()),
  newest: Count,
  /** Up to when this round listed every change: null as long as its pages are older than the search may lag. */
  settled: z.nullable(Count),
  /** The oldest change of the last page, and whether every page so far was of later changes than the one before. */
  reached: Count,
  ascending: z.boolean(),
  ended: z.boolean(),
  /** The cursor was refused, and no other one was accepted since. */
  restarted: z.boolean(),
  /** Consecutive pages without a conversation. */
  idle: Count,
  waiting: z.array(Change),
  /** Conversations that were read, so that searching again for the same changes reads nothing twice. */
  recent: z.array(Change),
  /** The first round: Intercom's number of conversations at the time `until`, and how many of those were listed. */
  tally: z.nullable(z.object({ until: Count, total: Count, seen: Count })),
  /** The first round: Intercom's number of conversations at its beginning, and how many were listed. Null after it. */
  first: z._default(z.nullable(z.object({ total: Count, listed: Count })), null),
  /** What the first round lacked. */
  gap: z.nullable(z.object({ total: Count, seen: Count })),
  /** Conversations with missing parts, and conversations that are too large. */
  short: z.array(z.object({ id: z.string(), missing: Count })),
  large: z.array(z.string()),
  /** Conversations that could not be read, by their ids. */
  aside: SetAside,
})
export type State = z.infer<typeof State>

/** Parses a stored cursor; nothing stored is null. */
export const cursor = z._default(z.nullable(State), null)

/** A copy of the state to work on, see the kit. */
export const openState = (value: unknown, selection: Selection): State =>
  openStored(State, value, selection, (start) => newState(start, selection.key))

function newState(start: number, key: string): State {
  return {
    version: 1,
    key,
    start,
    from: start,
    after: null,
    newest: start,
    settled: null,
    reached: start,
    ascending: true,
    ended: false,
    restarted: false,
    idle: 0,
    waiting: [],
    recent: [],
    tally: null,
    first: null,
    gap: null,
    short: [],
    large: [],
    aside: nothingAside(),
  }
}

/** What a cursor says about its first round. */
export function progress(value: unknown): SyncProgress | null {
  const { first, waiting } = State.safeParse(value).data ?? { first: null, waiting: [] }
  if (!first) return null
  const read = Math.max(0, first.listed - waiting.length)
  return { noun: 'conversation', read, total: Math.max(read, first.total) }
}

/** Notes that a page was listed at `now`, with changes up to `last`, in epoch seconds. Only the first page within the lag counts. */
export function settle(state: State, last: number, now: number): void {
  const certain = Math.max(0, now - LAG_SECONDS)
  if (state.settled === null && (state.ended || last > certain)) state.settled = certain
}

/** Where the next round starts. */
const nextFrom = ({ start, newest, settled }: State): number =>
  Math.max(start, Math.min(newest, settled ?? newest - LAG_SECONDS))

/**
 * Where a search is repeated whose cursor Intercom no longer accepts. Single conversations may be listed with a newer change than the
 * one they are sorted by, so the newest change is not how far the search got.
 */
export const repeatFrom = ({ from, reached, ascending }: State): number => (ascending ? Math.max(from, reached) : from)

/** Starts the next round once everything of the last one was read. It begins with the items that were set aside. */
export function nextRound(state: State, now: Date): void {
  if (!state.ended || state.waiting.length > 0) return
  const from = nextFrom(state)
  Object.assign(state, {
    from,
    reached: from,
    ascending: true,
    settled: null,
    after: null,
    ended: false,
    idle: 0,
    first: null,
  })
  state.waiting = dueAgain(state.aside, now).map((id) => [id, 0])
}

/** Remembers a conversation that was read, and forgets those that no search lists again. */
export function remember(state: State, id: string, updated: number): void {
  const oldest = Math.min(nextFrom(state), repeatFrom(state))
  const others = state.recent.filter(([other, at]) => other !== id && at >= oldest)
  state.recent = (updated >= oldest ? [...others, [id, updated] satisfies Change] : others).slice(-MAX_RECENT)
}

/** Whether this state of a conversation, or a newer one, was read. */
export const wasRead = ({ recent }: State, id: string, updated: number): boolean =>
  recent.some(([other, at]) => other === id && at >= updated)
