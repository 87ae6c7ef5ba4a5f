import type { ServerResponse } from 'node:http'
import { type JsonReply, sendJson } from '../server.ts'
import { TrackerFaults } from '../tracker-faults.ts'

/** The next fault, limits, and the headers of slowed-down responses. */
export class Faults extends TrackerFaults {
  /** Added to every successful response, such as `retry-after` or `x-ratelimit-delay`. */
  slow: Readonly<Record<string, string>> = {}
  /** Seconds for which every request is refused. Null: none. */
  limited: number | null = null
  /** The requests that are still answered before every further one is refused. Null: all of them. */
  limitAfter: number | null = null

  constructor() {
    super({
      limit: () => limitReply(30),
      error: { status: 500, body: { message: 'customer words', typeKey: 'Exception' } },
      malformed: { body: { rev: 1 } },
    })
  }

  override before(response: ServerResponse): number | null {
    if (this.limitAfter !== null && this.limitAfter > 0) this.limitAfter -= 1
    else if (this.limitAfter === 0) this.limited ??= 30
    if (this.limited === null) return super.before(response)
    sendJson(response, limitReply(this.limited))
    return response.statusCode
  }
}

function limitReply(seconds: number): JsonReply {
  const headers = {
    'retry-after': String(seconds),
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + seconds),
  }
  return { status: 429, body: { message: 'TF400733: The request has been canceled' }, headers }
}
