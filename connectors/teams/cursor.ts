import * as z from 'zod/mini'
import { nothingAside, SetAside } from '../kit/set-aside.ts'

const Count = z.int().check(z.nonnegative())
const Millis = z.number().check(z.nonnegative())

/**
 * What reads root posts: `list` all of them, `delta` what changed, `scan` the recent ones for new replies. `next`: the query of the next
 * page. `began`: Graph's time at the first request. `seen`: posts so far. `idle`: consecutive pages without a post. `plain`: without the replies
 * of the posts, which were too large.
 */
const Round = z.object({
  step: z.enum(['list', 'delta', 'scan']),
  next: z.nullable(z.string()),
  began: z.nullable(Millis),
  seen: Count,
  idle: Count,
  plain: z._default(z.boolean(), false),
})
export type Round = z.infer<typeof Round>

/**
 * The root whose replies are being read: the earlier pages. `began`: Graph's time at the first of them. `ids`: of the replies that exist.
 * `again`: it was started a second time, after Graph no longer accepted its position.
 */
const Reading = z.object({
  next: z.nullable(z.string()),
  began: z.nullable(Millis),
  ids: z.array(z.string()),
  idle: Count,
  again: z.boolean(),
})
export type Reading = z.infer<typeof Reading>

/**
 * One channel. Times are in epoch milliseconds. `since`: Graph's time when the last completed round began. `lists`: when
 * Microsoft last refused its delta, so that posts are listed. `roots`: posts whose replies are still to be read. `refused`: the status with which the channel was refused.
 */
const Channel = z.object({
  key: z.string(),
  start: Millis,
  since: z.nullable(Millis),
  delta: z.nullable(z.string()),
  lists: z.nullable(Millis),
  round: z.nullable(Round),
  roots: z.array(z.string()),
  reading: z.nullable(Reading),
  refused: z.nullable(z.int()),
  /** Threads that were refused, or whose pages did not come to an end: they are read again in the next round. */
  unread: z.array(z.string()),
})
export type ChannelState = z.infer<typeof Channel>

/**
 * `turn`: the channels of this round that are not finished, the first one being read. `aside`: channels and posts that could not be read, by
 * their ids.
 */
const State = z.object({
  version: z.literal(1),
  channels: z.array(Channel),
  turn: z.array(z.string()),
  aside: SetAside,
})
export type State = z.infer<typeof State>

/** Parses a stored cursor; nothing stored is null. */
export const cursor = z._default(z.nullable(State), null)

/** A copy of the state to work on. A cursor that cannot be parsed starts from the beginning: an item that is read twice is stored once. */
export function openState(value: unknown): State {
  const parsed = State.safeParse(value).data
  return parsed ? structuredClone(parsed) : { version: 1, channels: [], turn: [], aside: nothingAside() }
}

const newChannel = (key: string, start: number): ChannelState => ({
  key,
  start,
  since: null,
  delta: null,
  lists: null,
  round: null,
  roots: [],
  reading: null,
  refused: null,
  unread: [],
})

const DAY_MS = 86_400_000

/** The state of a channel. An earlier start date reads it from the beginning. Chosen again later, it resumes. */
export function channelState(state: State, key: string, start: number): ChannelState {
  const found = state.channels.find((channel) => channel.key === key)
  if (found && start >= found.start - DAY_MS) return found
  const made = newChannel(key, start)
  state.channels = [...state.channels.filter((channel) => channel.key !== key), made]
  return made
}
