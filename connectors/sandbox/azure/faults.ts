import type { ServerResponse } from 'node:http'
import type { TrackerFault } from '../../kit/sample.ts'

const AFTER_CREATION: ReadonlySet<TrackerFault> = new Set(['silence', 'reset', 'malformed'])

/** The next fault, and the headers of slowed-down responses. */
export class Faults {
  /** Added to every successful response, such as `retry-after` or `x-ratelimit-delay`. */
  slow: Readonly<Record<string, string>> = {}
  /** Seconds for which every request is refused. Null: none. */
  limited: number | null = null
  /** The requests that are still answered before every further one is refused. Null: all of them. */
  limitAfter: number | null = null
  #next: TrackerFault | null = null

  arm(kind: TrackerFault): void {
    this.#next = kind
  }

  /** Answers in place of the API. Returns whether it did. */
  before(response: ServerResponse): boolean {
    if (this.limitAfter !== null && this.limitAfter > 0) this.limitAfter -= 1
    else if (this.limitAfter === 0) this.limited ??= 30
    if (this.limited !== null) {
      refuseLimit(response, this.limited)
      return true
    }
    const fault = this.#next
    if (fault === null || AFTER_CREATION.has(fault)) return false
    this.#next = null
    if (fault === '429') refuseLimit(response, 30)
    else if (fault === '500') reply(response, 500, { message: 'customer words', typeKey: 'Exception' })
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>')
    return true
  }

  /** Answers wrongly after an item was created. Returns whether it did. */
  afterCreation(response: ServerResponse): boolean {
    const fault = this.#next
    if (fault === null || !AFTER_CREATION.has(fault)) return false
    this.#next = null
    if (fault === 'reset') response.socket?.resetAndDestroy()
    if (fault === 'malformed') reply(response, 200, { rev: 1 })
    return true
  }
}

function refuseLimit(response: ServerResponse, seconds: number): void {
  const headers = {
    'retry-after': String(seconds),
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + seconds),
  }
  reply(response, 429, { message: 'TF400733: The request has been canceled' }, headers)
}

export function reply(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const isEmpty = body === null
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
  response.end(isEmpty ? '' : JSON.stringify(body))
}
