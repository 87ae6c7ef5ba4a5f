/**
 * A call to a model that failed; `kind` and `retryAfter` (seconds) are what the queue reads. The message is worded here and
 * never contains the provider's own text, which may repeat customer feedback. `charged`: the call may have used tokens.
 */
export class ModelFailure extends Error {
  override name = 'ModelFailure'
  readonly kind: 'auth' | 'rejected' | 'rate-limited' | 'unavailable'
  readonly charged: boolean
  readonly retryAfter?: number

  constructor(kind: ModelFailure['kind'], message: string, options: { charged?: boolean; retryAfter?: number } = {}) {
    super(message)
    this.kind = kind
    this.charged = options.charged ?? false
    if (options.retryAfter !== undefined) this.retryAfter = options.retryAfter
  }
}

const DEFAULT_RETRY_SECONDS = 60
const MAX_RETRY_SECONDS = 24 * 3600
/** With these codes the request was never sent. */
const NOT_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']

/** Classifies a response whose status is not 2xx. */
export function failureOfStatus(status: number, retryAfter: string | null, now: Date): ModelFailure {
  if (status === 401 || status === 403) return new ModelFailure('auth', `the key was refused (${status})`)
  if (status === 402) return new ModelFailure('auth', 'payment is required (402)')
  if (status === 429) {
    return new ModelFailure('rate-limited', 'the rate limit is reached (429)', {
      retryAfter: secondsOf(retryAfter, now),
    })
  }
  if (status >= 300 && status < 400) {
    return new ModelFailure('rejected', `it redirects to another address (${status}); redirects are not followed`)
  }
  if (status === 408 || status === 409 || status >= 500) return new ModelFailure('unavailable', `it returned ${status}`)
  return new ModelFailure('rejected', `it rejected the request (${status})`)
}

/** Classifies a connection error. Only the error's code is reported, never its text. */
export function failureOfConnection(error: unknown): ModelFailure {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } }
  const found = [cause?.code, code].find((one): one is string => typeof one === 'string' && /^[A-Z_]{3,40}$/.test(one))
  return new ModelFailure('unavailable', `the connection failed${found ? ` (${found})` : ''}`, {
    charged: found === undefined || !NOT_SENT.includes(found),
  })
}

/** Retry-After is either a number of seconds or a date. */
function secondsOf(retryAfter: string | null, now: Date): number {
  const text = retryAfter?.trim() ?? ''
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now.getTime()) / 1000)
  return Number.isFinite(seconds) ? Math.min(MAX_RETRY_SECONDS, Math.max(1, seconds)) : DEFAULT_RETRY_SECONDS
}
