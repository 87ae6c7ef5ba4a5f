import * as z from 'zod/mini'
import type { SyncProgress } from '../connector.ts'
import { openState as openStored } from '../kit/open-state.ts'
import { nothingAside, SetAside } from '../kit/set-aside.ts'
import type { Selection } from './selection.ts'

const Count = z.int().check(z.nonnegative())

/** A conversation of the last page whose threads are still to be read. */
const Waiting = z.object({
  id: Count,
  link: z.string(),
  /** Help Scout's number of threads, where it returned one. */
  count: z.nullable(Count),
  attributes: z.record(z.string(), z.string()),
})
export type Waiting = z.infer<typeof Waiting>

/** The conversation that is being read: its next page, and the ids of the threads of earlier pages. */
const Reading = z.object({
  page: Count,
  shown: z.array(Count),
  hidden: z.array(Count),
  /** Help Scout's number of threads when the first page was read. */
  total: z.nullable(Count),
  /** It is being read a second time, because its threads moved during the first. */
  again: z.boolean(),
})
export type Reading = z.infer<typeof Reading>

/** Conversations as they were listed: id, and a hash of everything by which a change shows. */
const Listed = z.array(z.tuple([Count, z.string()]))
export type Listed = z.infer<typeof Listed>

/** The position of a sync, which reads the list in passes: see `read-list.ts`. */
const State = z.object({
  version: z.literal(1),
  key: z.string(),
  start: Count,
  /** The time from which this pass lists changes, in epoch seconds, and the latest change so far, in milliseconds, by Help Scout's clock. */
  since: Count,
  newest: Count,
  /** A pass has begun. `page`: its next page, 0 after the last; `pages`: how many there were at its beginning. */
  open: z.boolean(),
  passes: Count,
  page: Count,
  pages: Count,
  /** This pass has listed a change. */
  fresh: z.boolean(),
  queue: z.array(Waiting),
  reading: z.nullable(Reading),
  /** The conversations that this pass has listed, and those that earlier passes listed. */
  seen: Listed,
  before: Listed,
  /** The conversations of a sweep for deleted ones that were not found yet; `page`: its next page, 0 after the last. See `sweep.ts`. */
  sweep: z.nullable(z.object({ page: Count, left: z.array(Count) })),
  /** When the last sweep began, in epoch seconds by this machine's clock; 0 before the first round has ended. */
  sweptAt: Count,
  /** The largest number of conversations that Help Scout counted in one pass but did not list; `unlisted`: in this one. */
  unlisted: Count,
  missing: Count,
  /** The first round: Help Scout's number of conversations at its beginning, and how many were listed. Null after it. */
  first: z._default(z.nullable(z.object({ total: Count, listed: Count })), null),
  /** Conversations with missing threads. */
  short: z.array(z.object({ id: Count, missing: Count })),
  /** Conversations that could not be read, by their ids, and those of them that this round still has to read again. */
  aside: SetAside,
  again: z._default(z.array(Count), () => []),
})
export type State = z.infer<typeof State>

/** Parses a stored cursor; nothing stored is null. */
export const cursor = z._default(z.nullable(State), null)

/** A copy of the state to work on, see the kit. */
export const openState = (value: unknown, selection: Selection): State =>
  openStored(State, value, selection, (start) => newState(start, selection.key))

/** What a cursor says about its first round. */
export function progress(value: unknown): SyncProgress | null {
  const { first, queue } = State.safeParse(value).data ?? { first: null, queue: [] }
  if (!first) return null
  const read = Math.max(0, first.listed - queue.length)
  return { noun: 'conversation', read, total: Math.max(read, first.total) }
}

function newState(start: number, key: string): State {
  return {
    version: 1,
    key,
    start,
    since: start,
    newest: 0,
    open: false,
    passes: 0,
    page: 0,
    pages: 0,
    fresh: false,
    queue: [],
    reading: null,
    seen: [],
    before: [],
    sweep: null,
    sweptAt: 0,
    unlisted: 0,
    missing: 0,
    first: null,
    short: [],
    aside: nothingAside(),
    again: [],
  }
}
