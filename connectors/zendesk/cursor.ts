import * as z from 'zod/mini'
import type { SyncProgress } from '../connector.ts'
import { openState as openStored } from '../kit/open-state.ts'
import { nothingAside, SetAside } from '../kit/set-aside.ts'
import { Agents } from './conversation/agents.ts'
import type { Selection } from './selection.ts'

const Count = z.int().check(z.nonnegative())

/** A ticket of the last export page whose comments are still to be read. `updated` is in epoch milliseconds. */
const WaitingTicket = z.object({
  id: Count,
  updated: z.number(),
  requester: z.nullable(z.int()),
  assignee: z.optional(z.nullable(z.int())),
  /** People in copy. */
  ccs: z.optional(z.array(z.int())),
  /** It came through a channel of conversations. */
  messaging: z.optional(z.boolean()),
  /** Zendesk's number of comments, where it returned one. */
  count: z.nullable(z.int()),
  attributes: z.record(z.string(), z.string()),
})
export type WaitingTicket = z.infer<typeof WaitingTicket>

/** The ticket that is being read: the comments of earlier pages, and where the next page begins. */
const Reading = z.object({
  after: z.nullable(z.string()),
  /** External ids of its public comments. */
  ids: z.array(z.string()),
  got: Count,
  idle: Count,
})
export type Reading = z.infer<typeof Reading>

/**
 * The position of a sync. `from` is the start time of the export, in epoch seconds, sent only while `after` is null; `newest`: up to
 * where the export was read, by the same clock. `ended`: the waiting tickets are the last of this round.
 */
const State = z.object({
  version: z.literal(1),
  key: z.string(),
  start: Count,
  from: Count,
  after: z.nullable(z.string()),
  newest: Count,
  ended: z.boolean(),
  /** The cursor was refused, and no other one was accepted since. */
  restarted: z.boolean(),
  tickets: z.array(WaitingTicket),
  reading: z.nullable(Reading),
  /** Tickets that were exported and last changed between `start` and `until`, for the comparison with Zendesk's own count. */
  tally: z.object({ until: z.number(), seen: Count, counted: z.nullable(Count), at: z.number() }),
  /** Zendesk's number of tickets during the first round; null if it did not say. */
  expected: z.optional(z.nullable(Count)),
  /** Tickets with missing comments. */
  short: z.array(z.object({ id: Count, missing: Count })),
  agents: z._default(Agents, {}),
  /** Tickets that could not be read, by their ids, and those of them that this round still has to read again. */
  aside: SetAside,
  again: z._default(z.array(Count), () => []),
})
export type State = z.infer<typeof State>

/** Parses a stored cursor; nothing stored is null. */
export const cursor = z._default(z.nullable(State), null)

/** A copy of the state to work on, see the kit. One that begins again still knows who the agents are. */
export const openState = (value: unknown, selection: Selection, now: Date): State =>
  openStored(State, value, selection, (start, former) => newState(start, selection.key, now, { ...former?.agents }))

/** Nothing has been compared with Zendesk's count, which is done at the end of each round. */
export const isFirstRound = ({ tally }: State): boolean => tally.counted === null && tally.at === 0

/** What a cursor says about its first round. */
export function progress(value: unknown): SyncProgress | null {
  const state = State.safeParse(value).data
  if (!state || !isFirstRound(state) || typeof state.expected !== 'number') return null
  const read = Math.max(0, state.tally.seen - state.tickets.length)
  return { noun: 'ticket', read, total: Math.max(read, state.expected) }
}

/** Zendesk refuses a start in the last minute. */
function newState(start: number, key: string, now: Date, agents: Agents): State {
  const from = Math.max(0, Math.min(start, Math.floor(now.getTime() / 1000) - 61))
  return {
    version: 1,
    key,
    start: from,
    from,
    after: null,
    newest: 0,
    ended: false,
    restarted: false,
    tickets: [],
    reading: null,
    tally: { until: now.getTime(), seen: 0, counted: null, at: 0 },
    short: [],
    agents,
    aside: nothingAside(),
    again: [],
  }
}
