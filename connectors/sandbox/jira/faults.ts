import type { ServerResponse } from 'node:http'
import type { TrackerFault } from '../../kit/sample.ts'
import type { Reply } from './site.ts'

const AFTER_CREATION: ReadonlySet<TrackerFault> = new Set(['silence', 'reset', 'malformed'])

/** The next fault, and a limit that refuses every request. */
export class Faults {
  /** Seconds that every request is asked to wait; null: no limit. */
  limit: number | null = null
  #next: TrackerFault | null = null

  arm(kind: TrackerFault): void {
    this.#next = kind
  }

  /** Answers in place of the API. Returns the status, or null where it did not. */
  before(response: ServerResponse): number | null {
    const fault = this.#next
    const wait = this.limit ?? (fault === '429' ? 30 : null)
    if (fault !== null && !AFTER_CREATION.has(fault)) this.#next = null
    if (wait !== null) {
      const headers = {
        'retry-after': String(wait),
        'x-ratelimit-remaining': '0',
        'ratelimit-reason': 'jira-cost-based',
      }
      return reply(response, { status: 429, body: { errorMessages: ['Rate limit exceeded.'] } }, headers)
    }
    if (fault === '500') return reply(response, { status: 500, body: { errorMessages: ['Internal server error'] } })
    if (fault !== 'html') return null
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Log in to continue</html>')
    return 200
  }

  /** Answers wrongly after an issue was created. Returns whether it did. */
  afterCreation(response: ServerResponse): boolean {
    const fault = this.#next
    if (fault === null || !AFTER_CREATION.has(fault)) return false
    this.#next = null
    if (fault === 'reset') response.socket?.resetAndDestroy()
    if (fault === 'malformed') reply(response, { status: 201, body: { self: 'https://fernweh.atlassian.net/' } })
    return true
  }
}

/** Sends a reply and returns its status. */
export function reply(response: ServerResponse, { status, body }: Reply, headers: Record<string, string> = {}): number {
  response.writeHead(status, { 'content-type': 'application/json;charset=UTF-8', ...headers })
  response.end(body === null ? '' : JSON.stringify(body))
  return status
}
