import type { ServerResponse } from 'node:http'
import type { TrackerFault } from '../../kit/sample.ts'

const MINUTE_MS = 60_000
const AFTER_CREATION: ReadonlySet<TrackerFault> = new Set(['silence', 'reset', 'malformed'])

/** The next fault, and the budget of requests. */
export class Faults {
  /** Requests a minute. Null: no limit. ClickUp's own is 100 up to the Business plan. */
  limit: number | null = null
  readonly #now: () => number
  #next: TrackerFault | null = null
  #used = 0
  #resetAt = 0

  constructor(now: () => number) {
    this.#now = now
  }

  arm(kind: TrackerFault): void {
    this.#next = kind
  }

  /** The headers of every response; `over`: the budget is used up. */
  spend(): { headers: Record<string, string>; over: boolean } {
    if (this.#now() >= this.#resetAt) {
      this.#used = 0
      this.#resetAt = this.#now() + MINUTE_MS
    }
    this.#used += 1
    const limit = this.limit ?? 10_000
    return { headers: limitHeaders(limit, limit - this.#used, this.#resetAt), over: this.#used > limit }
  }

  /** Answers in place of the API. Returns whether it did. */
  before(response: ServerResponse): boolean {
    const fault = this.#next
    if (fault === null || AFTER_CREATION.has(fault)) return false
    this.#next = null
    if (fault === '429') refuseLimit(response, limitHeaders(100, 0, this.#now() + 30_000))
    else if (fault === '500') reply(response, 500, { err: 'Internal server error', ECODE: 'SERVER_001' })
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>')
    return true
  }

  /** Answers wrongly after a task was created. Returns whether it did. */
  afterCreation(response: ServerResponse): boolean {
    const fault = this.#next
    if (fault === null || !AFTER_CREATION.has(fault)) return false
    this.#next = null
    if (fault === 'reset') response.socket?.resetAndDestroy()
    if (fault === 'malformed') reply(response, 200, { ok: true })
    return true
  }
}

/** The reset is in epoch seconds. */
function limitHeaders(limit: number, remaining: number, resetAt: number): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(Math.max(remaining, 0)),
    'x-ratelimit-reset': String(Math.ceil(resetAt / 1000)),
  }
}

/** ClickUp's way to say that a limit is reached. It sends no `Retry-After`. */
export function refuseLimit(response: ServerResponse, headers: Record<string, string>): void {
  reply(response, 429, { err: 'Rate limit reached', ECODE: 'APP_002' }, headers)
}

export function reply(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
  response.end(JSON.stringify(body))
}
