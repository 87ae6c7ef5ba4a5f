export type FailureKind = 'auth' | 'rate-limited' | 'rejected' | 'unavailable'

/** What the delivery ledger records of a failed try. `status` and `answer` are null when no answer came. */
export type LedgerEntry = {
  status: number | null
  answer: string | null
  durationMs: number
  error: string | null
}

export type FailureOptions = {
  /** Seconds to wait at least, as the other side asked. */
  retryAfter?: number
  ledger?: LedgerEntry
  cause?: unknown
}

/**
 * A call to an outside product that failed. The queue decides on `kind` alone; the message is in plain words, for the
 * owner of the connection, and never holds a secret, a full address or what a customer wrote.
 */
export abstract class ConnectorFailure extends Error {
  abstract readonly kind: FailureKind
  readonly retryAfter: number | undefined
  readonly ledger: LedgerEntry | undefined

  constructor(message: string, options: FailureOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.retryAfter = options.retryAfter
    this.ledger = options.ledger
  }
}

/** The credentials no longer work: the owner must connect again. */
export class AuthExpired extends ConnectorFailure {
  readonly kind = 'auth'
}

/** Too many calls: wait `retryAfter` seconds (when given), then go on. */
export class RateLimited extends ConnectorFailure {
  readonly kind = 'rate-limited'
}

/** A final no: the same request would fail again. `gone` says that the destination wants nothing more, ever. */
export class Rejected extends ConnectorFailure {
  readonly kind = 'rejected'
  readonly gone: boolean

  constructor(message: string, options: FailureOptions & { gone?: boolean } = {}) {
    super(message, options)
    this.gone = options.gone ?? false
  }
}

/** No answer, or one that a later try may better: retry by the schedule, not before `retryAfter` seconds when given. */
export class Unavailable extends ConnectorFailure {
  readonly kind = 'unavailable'
}

/** True for the four kinds above; anything else that is thrown is a fault of ours. */
export function isConnectorFailure(error: unknown): error is ConnectorFailure {
  return error instanceof ConnectorFailure
}
