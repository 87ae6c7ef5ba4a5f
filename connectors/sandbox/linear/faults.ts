import type { ServerResponse } from 'node:http'
import type { TrackerFault } from '../../kit/sample.ts'

const HOUR_MS = 3_600_000
const AFTER_CREATION: ReadonlySet<TrackerFault> = new Set(['silence', 'reset', 'malformed'])

/** The next fault, and the budget of requests. */
export class Faults {
  /** Requests an hour. Null: no limit. */
  limit: number | null = 2500
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
      this.#resetAt = this.#now() + HOUR_MS
    }
    this.#used += 1
    const limit = this.limit ?? Number.MAX_SAFE_INTEGER
    return { headers: limitHeaders(limit, limit - this.#used, this.#resetAt), over: this.#used > limit }
  }

  /** Answers in place of the API. Returns whether it did. */
  before(response: ServerResponse): boolean {
    const fault = this.#next
    if (fault === null || AFTER_CREATION.has(fault)) return false
    this.#next = null
    if (fault === '429') refuseLimit(response, limitHeaders(2500, 0, this.#now() + 30_000))
    else if (fault === '500')
      reply(response, 500, { errors: [{ message: 'x', extensions: { code: 'INTERNAL_SERVER_ERROR' } }] })
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>')
    return true
  }

  /** Answers wrongly after an issue was created. Returns whether it did. */
  afterCreation(response: ServerResponse): boolean {
    const fault = this.#next
    if (fault === null || !AFTER_CREATION.has(fault)) return false
    this.#next = null
    if (fault === 'reset') response.socket?.resetAndDestroy()
    if (fault === 'malformed') reply(response, 200, { data: { issueCreate: { success: true } } })
    return true
  }
}

function limitHeaders(limit: number, remaining: number, resetAt: number): Record<string, string> {
  return {
    'x-ratelimit-requests-limit': String(limit),
    'x-ratelimit-requests-remaining': String(Math.max(remaining, 0)),
    'x-ratelimit-requests-reset': String(resetAt),
  }
}

/** Linear's way to say that a limit is reached: status 400 and a code. */
export function refuseLimit(response: ServerResponse, headers: Record<string, string>): void {
  const extensions = { type: 'ratelimited', code: 'RATELIMITED', statusCode: 400, userPresentableMessage: 'Rate limit' }
  reply(response, 400, { errors: [{ message: 'Rate limit exceeded', extensions }] }, headers)
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
