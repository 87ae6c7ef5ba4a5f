/**
 * How a job failed, by its error's `kind`. Any other error counts as `unavailable`.
 * - `auth`: the sign-in is no longer valid; a person must act. Not retried.
 * - `rejected`: the provider refused the request. Not retried.
 * - `rate-limited`: the provider asks for a pause of `retryAfter` seconds. Retried after it, which does not count as an attempt.
 * - `unavailable`: it may work later. Retried a limited number of times, with growing, jittered pauses.
 */
type FailureKind = 'auth' | 'rejected' | 'rate-limited' | 'unavailable'

interface Failure {
  kind: FailureKind
  /** Seconds. */
  retryAfter?: number
  message: string
}

const KINDS: readonly string[] = ['auth', 'rejected', 'rate-limited', 'unavailable'] satisfies FailureKind[]
const MAX_PAUSE_SECONDS = 24 * 3600
const MAX_MESSAGE_LENGTH = 500

/** Reads any error by its properties, so that the connectors' kit need not import this module. */
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
