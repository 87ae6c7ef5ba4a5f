import type { State } from '../state/state.ts'
import { needsRevision } from './revise.ts'

/** A quiet workspace is revised again after one millisecond per this many bytes of its packed state. */
const BYTES_PER_MS = 250
/** Only two delays, so that requests close in time coincide. A small workspace shows its changes within seconds. */
const SHORT_DELAY_SECONDS = 2
const LONG_DELAY_SECONDS = 60

/** What decides whether a step revises the groups now, later or not. */
export type RevisionInputs = {
  /** nothing else waits to be assigned */
  idle: boolean
  /** the delay of an earlier `later` is over */
  settle: boolean
  /** a person's correction is applied in the same step, which a revision must not mix with */
  correcting: boolean
  /** milliseconds since the last revision; infinite if there was none */
  sinceRevisionMs: number
  /** bytes of the packed state, a measure of what a revision costs */
  stateBytes: number
}

/**
 * When to revise: `now`; `later`, after `revisionDelay` unless another step comes first; or `no`, because too little is new.
 * An idle workspace is revised for small changes too, but not in quick succession.
 */
export function planRevision(state: State, inputs: RevisionInputs): 'now' | 'later' | 'no' {
  const { idle, settle, correcting, sinceRevisionMs, stateBytes } = inputs
  if (!needsRevision(state, { idle })) return 'no'
  if (correcting) return 'later'
  const quiet = sinceRevisionMs >= stateBytes / BYTES_PER_MS
  return !idle || quiet || settle || needsRevision(state) ? 'now' : 'later'
}

/** Seconds until a revision planned for `later`, from the bytes of the packed state. */
export function revisionDelay(stateBytes: number): number {
  return stateBytes / BYTES_PER_MS <= SHORT_DELAY_SECONDS * 1_000 ? SHORT_DELAY_SECONDS : LONG_DELAY_SECONDS
}
