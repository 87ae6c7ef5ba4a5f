import type { Http } from '../connector.ts'

/** Sends the requests of one connection one at a time, in order, whichever jobs of this process make them. */
export function oneAtATime(http: Http): Http {
  let last: Promise<unknown> = Promise.resolve()
  return {
    request(request) {
      const turn = last.then(() => {
        request.signal?.throwIfAborted()
        return http.request(request)
      })
      last = turn.catch(() => undefined)
      return turn
    },
  }
}
