import type { ServerResponse } from 'node:http'
import { type JsonReply, sendJson } from '../server.ts'
import { TrackerFaults } from '../tracker-faults.ts'

/** The next fault, and a limit that refuses every request. */
export class Faults extends TrackerFaults {
  /** Seconds that every request is asked to wait; null: no limit. */
  limit: number | null = null

  constructor() {
    super({
      limit: () => limitReply(30),
      error: { status: 500, body: { errorMessages: ['Internal server error'] } },
      malformed: { status: 201, body: { self: 'https://fernweh.atlassian.net/' } },
    })
  }

  override before(response: ServerResponse): number | null {
    if (this.limit === null) return super.before(response)
    sendJson(response, limitReply(this.limit))
    return response.statusCode
  }
}

function limitReply(seconds: number): JsonReply {
  const headers = {
    'retry-after': String(seconds),
    'x-ratelimit-remaining': '0',
    'ratelimit-reason': 'jira-cost-based',
  }
  return { status: 429, body: { errorMessages: ['Rate limit exceeded.'] }, headers }
}
