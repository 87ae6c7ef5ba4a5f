/**
 * A call of the model that brought no answer; `kind` and `retryAfter` (seconds) as the queue reads them. The message is our
 * own words, since a provider's may repeat what customers wrote. `charged`: whether tokens may have been used up.
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

const USUAL_PAUSE_SECONDS = 60
const MAX_PAUSE_SECONDS = 24 * 3600
/** Of these it is known that nothing was sent. */
const NOT_REACHED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']

/** What an answer that is not 2xx means. */
export function failureOfStatus(status: number, retryAfter: string | null, now: Date): ModelFailure {
  if (status === 401 || status === 403) return new ModelFailure('auth', `it refuses the key (${status})`)
  if (status === 402) return new ModelFailure('auth', 'it asks for payment (402)')
  if (status === 429) {
    const seconds = secondsOf(retryAfter, now)
    return new ModelFailure('rate-limited', 'it asks for a pause (429)', { retryAfter: seconds })
  }
  if (status >= 300 && status < 400) {
    return new ModelFailure('rejected', `it sends us to another address (${status}), which is not followed`)
  }
  if (status === 408 || status === 409 || status >= 500) return new ModelFailure('unavailable', `it answers ${status}`)
  return new ModelFailure('rejected', `it refuses the request (${status})`)
}

/** What an error of the connection means. Only its code is told, never its text. */
export function failureOfConnection(error: unknown): ModelFailure {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } }
  const found = [cause?.code, code].find((one): one is string => typeof one === 'string' && /^[A-Z_]{3,40}$/.test(one))
  return new ModelFailure('unavailable', `the connection failed${found ? ` (${found})` : ''}`, {
    charged: found === undefined || !NOT_REACHED.includes(found),
  })
}

/** Retry-After as seconds or as a date. */
function secondsOf(retryAfter: string | null, now: Date): number {
  const text = retryAfter?.trim() ?? ''
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now.getTime()) / 1000)
  return Number.isFinite(seconds) ? Math.min(MAX_PAUSE_SECONDS, Math.max(1, seconds)) : USUAL_PAUSE_SECONDS
}
