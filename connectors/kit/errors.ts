/**
 * What the queue does after a failure. `auth`: the sign-in has ended. `rate-limited`: try later, without counting an attempt. `rejected`: give up.
 * `unavailable`: try again.
 */
export type FailureKind = 'auth' | 'rate-limited' | 'rejected' | 'unavailable'

/** What the delivery ledger records of a failed attempt. `status` and `answer` are null without a response. */
export type LedgerEntry = {
  status: number | null
  answer: string | null
  durationMs: number
  error: string | null
}

/** What a failure has besides its message. */
export type FailureOptions = {
  /** Minimum seconds to wait, as the provider asked. */
  retryAfter?: number | undefined
  /** An `error` of null becomes the message of the failure. */
  ledger?: LedgerEntry | undefined
  /** There was no connection: nothing of the request has left this machine. */
  unsent?: boolean | undefined
  cause?: unknown
}

/**
 * A failed request to a provider. The queue decides by `kind` alone; the message is in plain words for the owner of the
 * connection, and never contains a secret, a full address or what a customer wrote.
 */
export abstract class ConnectorFailure extends Error {
  abstract readonly kind: FailureKind
  readonly retryAfter: number | undefined
  readonly ledger: LedgerEntry | undefined
  readonly unsent: boolean

  constructor(message: string, options: FailureOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.retryAfter = options.retryAfter
    this.unsent = options.unsent ?? false
    this.ledger = options.ledger && { ...options.ledger, error: options.ledger.error ?? message }
  }
}

/** The credentials no longer work: the owner must reconnect. */
export class AuthExpired extends ConnectorFailure {
  readonly kind = 'auth'
}

/** Too many requests: retry after `retryAfter` seconds, where given. */
export class RateLimited extends ConnectorFailure {
  readonly kind = 'rate-limited'
}

/** A final refusal: the same request would fail again. `gone`: the destination will never accept another event. */
export class Rejected extends ConnectorFailure {
  readonly kind = 'rejected'
  readonly gone: boolean

  constructor(message: string, options: FailureOptions & { gone?: boolean } = {}) {
    super(message, options)
    this.gone = options.gone ?? false
  }
}

/** The remote item of a tracker is no longer there: deleted, or moved out of reach. */
export class ItemGone extends ConnectorFailure {
  readonly kind = 'rejected'
}

/** No response, or one that may succeed later: retry by the schedule, not before `retryAfter` seconds where given. */
export class Unavailable extends ConnectorFailure {
  readonly kind = 'unavailable'
}

/**
 * The provider does not accept the app that signs in: its secret is wrong or has expired. The sign-in is not lost: it can be renewed once the operator
 * has corrected the app.
 */
export class AppRefused extends Unavailable {}

/** True for the four kinds above; any other error is a bug of ours. */
export function isConnectorFailure(error: unknown): error is ConnectorFailure {
  return error instanceof ConnectorFailure
}
