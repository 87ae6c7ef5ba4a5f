import * as z from 'zod/mini'
import { nothingAside, SetAside } from '../kit/set-aside.ts'
import { Ts } from './schema.ts'

const MaybeTs = z.nullable(Ts)
const Count = z.int().check(z.nonnegative())

/**
 * A thread that is being read. With `oldest` only later replies are requested; without, the whole thread is counted. `last`: the
 * newest reply of the pages before.
 */
const Thread = z.object({
  ts: Ts,
  oldest: MaybeTs,
  count: Count,
  got: Count,
  cursor: z.nullable(z.string()),
  last: z._default(MaybeTs, null),
})
export type Thread = z.infer<typeof Thread>

/**
 * A pass through a channel's history, newest first. `top`: the newest message seen; `seen`: the newest message, reply or edit
 * that existed when it started; `low`: the oldest seen, from where it resumes when Slack no longer accepts `cursor`.
 */
const Walk = z.object({
  kind: z.enum(['deep', 'recent', 'new']),
  oldest: MaybeTs,
  top: MaybeTs,
  seen: MaybeTs,
  low: MaybeTs,
  cursor: z.nullable(z.string()),
  pages: Count,
  idle: Count,
  done: z.boolean(),
})
export type Walk = z.infer<typeof Walk>

/**
 * The state of a channel. `watermark`: messages are read up to here. `deep` and `recent`: replies are read up to here, of all
 * parents, or of those younger than `recentFrom`. `short`: threads that had fewer replies than Slack counts. `counts`: how many
 * replies the newest threads had, by parent.
 */
const ChannelState = z.object({
  name: z.nullable(z.string()),
  watermark: MaybeTs,
  deep: MaybeTs,
  deepAt: z.number(),
  deepPages: Count,
  recent: MaybeTs,
  recentAt: z.number(),
  recentFrom: MaybeTs,
  clamped: z.boolean(),
  walk: z.nullable(Walk),
  threads: z.array(Thread),
  short: z.array(z.object({ ts: Ts, missing: Count, tries: Count })),
  counts: z._default(z.record(z.string(), Count), {}),
  problem: z.nullable(z.string()),
})
export type ChannelState = z.infer<typeof ChannelState>

/** Each channel is parsed on its own: a malformed one starts from the beginning, and the others continue. */
const Channels = z.pipe(
  z.record(z.string(), z.unknown()),
  z.transform((stored): Record<string, ChannelState> => {
    const entries = Object.entries(stored).flatMap(([id, value]): [string, ChannelState][] => {
      const parsed = ChannelState.safeParse(value)
      return parsed.success ? [[id, parsed.data]] : []
    })
    return Object.fromEntries(entries)
  }),
)

/**
 * The position of a sync. `aside`: channels and threads that could not be read, by their ids. `left`: channels still to be read in the current round; null between two rounds. A channel that is no
 * longer known ends its round, so that the next one visits it.
 */
const State = z.pipe(
  z.object({ version: z.literal(1), left: z.nullable(z.array(z.string())), channels: Channels, aside: SetAside }),
  z.transform((state) => {
    const isWhole = state.left === null || state.left.every((id) => Object.hasOwn(state.channels, id))
    return { ...state, left: isWhole ? state.left : null }
  }),
)
export type State = z.infer<typeof State>

/** Parses a stored cursor; nothing stored is null. */
export const cursor = z._default(z.nullable(State), null)

/**
 * A copy of the state to work on. A cursor that cannot be parsed starts from the beginning: an item that is read twice is stored once.
 */
export function openState(value: unknown): State {
  const parsed = State.safeParse(value)
  return parsed.success ? structuredClone(parsed.data) : { version: 1, left: null, channels: {}, aside: nothingAside() }
}

/** A channel that has not been read yet. */
export function newChannel(name: string | null): ChannelState {
  return {
    name,
    watermark: null,
    deep: null,
    deepAt: 0,
    deepPages: 0,
    recent: null,
    recentAt: 0,
    recentFrom: null,
    clamped: false,
    walk: null,
    threads: [],
    short: [],
    counts: {},
    problem: null,
  }
}

/** The later of two; null is earlier than all. */
export function later(a: string | null, b: string | null): string | null {
  return isAfter(b, a) ? b : a
}

/** True when `a` is later than `b`. Compared as Slack counts: by seconds, then by what follows the dot. */
export function isAfter(a: string | null | undefined, b: string | null | undefined): boolean {
  if (!a) return false
  if (!b) return true
  const [seconds = '', rest = ''] = a.split('.')
  const [otherSeconds = '', otherRest = ''] = b.split('.')
  const difference = Number(seconds) - Number(otherSeconds)
  if (difference !== 0) return difference > 0
  return rest.padEnd(9, '0') > otherRest.padEnd(9, '0')
}

/** A time in Slack's format. */
export function toTs(ms: number): string {
  return `${Math.max(0, Math.floor(ms / 1000))}.000000`
}
