import type { Http } from '../connector.ts'
import { RateLimited } from './errors.ts'
import { retryAfter } from './retry-after.ts'

const UNSAID_SECONDS = 30

/**
 * Keeps the requests of one connection within the provider's limits, whichever jobs make them: one at a time, and none to an
 * address (without its query) that has returned 429 until the requested pause is over (30 s where it is not specified). A
 * request during a pause is refused as `RateLimited` and not sent. `clock` is in milliseconds since 1970.
 */
export function limited(http: Http, clock: () => number = Date.now): Http {
  const closedUntil = new Map<string, number>()
  let last: Promise<unknown> = Promise.resolve()
  return {
    request(request) {
      const turn = last.then(async () => {
        const address = request.url.split('?')[0] ?? request.url
        const left = Math.ceil(((closedUntil.get(address) ?? 0) - clock()) / 1000)
        if (left > 0)
          throw new RateLimited(`The provider asked for a pause; ${left} seconds are left`, { retryAfter: left })
        closedUntil.delete(address)
        request.signal?.throwIfAborted()
        const answer = await http.request(request)
        if (answer.status === 429) {
          const seconds = retryAfter(answer.headers, new Date(clock())) ?? UNSAID_SECONDS
          closedUntil.set(address, clock() + seconds * 1000)
        }
        return answer
      })
      last = turn.catch(() => undefined)
      return turn
    },
  }
}
