import type { HttpResponse } from '../connector.ts'
import { AuthExpired, type ConnectorFailure, RateLimited, Rejected, Unavailable } from './errors.ts'
import { retryAfter } from './http/retry-after.ts'
import { ledgerEntry } from './ledger.ts'

/** What the message and the ledger entry of a failure are made with. */
export type FailureContext = {
  /** The provider's name, as its users know it. */
  who: string
  /** The request, as a message may show it: `GET tickets.list`. */
  call?: string
  now: Date
  /** Removed from the ledger. */
  secrets: readonly (string | null | undefined)[]
}

/** The failure for the status of a response: 401 credentials, 429 rate limit, 5xx temporary, any other final. */
export function failureOf(answer: HttpResponse, { who, call, now, secrets }: FailureContext): ConnectorFailure {
  const { status } = answer
  const words = (text: string) => `${who} answered ${status}${call ? ` to ${call}` : ''}: ${text}`
  const options = (message: string) => ({
    ledger: ledgerEntry(answer, message, secrets),
    retryAfter: retryAfter(answer.headers, now),
  })
  if (status === 401) {
    const message = words('the credentials no longer work. Connect again')
    return new AuthExpired(message, options(message))
  }
  if (status === 429) {
    const message = words('too many requests')
    return new RateLimited(message, options(message))
  }
  if (status >= 500 || status === 408) {
    const message = words('it is temporarily unavailable')
    return new Unavailable(message, options(message))
  }
  const message = words('it refused the request')
  return new Rejected(message, options(message))
}
