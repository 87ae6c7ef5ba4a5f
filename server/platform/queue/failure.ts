/**
 * How an errand failed, as its error's `kind` says. What is not one of these counts as `unavailable`.
 * - `auth`: the sign-in is no longer good; a person must act. Not tried again.
 * - `rejected`: the other side understood and refused. Not tried again.
 * - `rate-limited`: the other side asks for a pause of `retryAfter` seconds. Tried again then, and no try is used up.
 * - `unavailable`: it may work later. Tried again with growing, jittered pauses, a bounded number of times.
 */
type FailureKind = 'auth' | 'rejected' | 'rate-limited' | 'unavailable'

export interface Failure {
  kind: FailureKind
  /** Seconds. */
  retryAfter?: number
  message: string
}

const KINDS: readonly string[] = ['auth', 'rejected', 'rate-limited', 'unavailable'] satisfies FailureKind[]
const MAX_PAUSE_SECONDS = 24 * 3600
const MAX_MESSAGE_LENGTH = 500

/** Reads an error of any making. The interface is its properties, so that the connectors' kit need not import us. */
export function readFailure(error: unknown): Failure {
  const { kind, retryAfter } = (error ?? {}) as { kind?: unknown; retryAfter?: unknown }
  const known = typeof kind === 'string' && KINDS.includes(kind) ? (kind as FailureKind) : 'unavailable'
  const seconds =
    typeof retryAfter === 'number' && Number.isFinite(retryAfter) && retryAfter >= 0 ? retryAfter : undefined
  const message = (error instanceof Error ? error.message : String(error)).slice(0, MAX_MESSAGE_LENGTH)
  return {
    kind: known,
    message,
    ...(seconds === undefined ? {} : { retryAfter: Math.min(seconds, MAX_PAUSE_SECONDS) }),
  }
}
