import type { ServerResponse } from 'node:http'
import type { TrackerFault } from '../kit/sample.ts'
import { type JsonReply, sendJson } from './server.ts'

/** What the faults of one provider look like. */
export type TrackerFaultShapes = {
  /** The refusal that asks for a pause of 30 seconds. */
  limit: () => JsonReply
  error: JsonReply
  /** The answer to a creation without the fields that are read. */
  malformed: JsonReply
}

const AFTER_CREATION: ReadonlySet<TrackerFault> = new Set(['silence', 'reset', 'malformed'])

/** What goes wrong next at a tracker, once. Ending the sign-in on `revoked` is the stand-in's part. */
export class TrackerFaults {
  readonly #shapes: TrackerFaultShapes
  #next: TrackerFault | null = null

  constructor(shapes: TrackerFaultShapes) {
    this.#shapes = shapes
  }

  arm(kind: TrackerFault): void {
    this.#next = kind
  }

  /** Answers in place of the API. Returns the status, or null where it did not. */
  before(response: ServerResponse): number | null {
    const fault = this.#next
    if (fault === null || AFTER_CREATION.has(fault)) return null
    this.#next = null
    if (fault === '429') sendJson(response, this.#shapes.limit())
    else if (fault === '500') sendJson(response, this.#shapes.error)
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>')
    return response.statusCode
  }

  /** Answers wrongly after an item was created. Returns whether it did. */
  afterCreation(response: ServerResponse): boolean {
    const fault = this.#next
    if (fault === null || !AFTER_CREATION.has(fault)) return false
    this.#next = null
    if (fault === 'reset') response.socket?.resetAndDestroy()
    if (fault === 'malformed') sendJson(response, this.#shapes.malformed)
    return true
  }
}

/** A budget of requests in a window, in milliseconds. */
export class Budget {
  /** Null: no limit. */
  limit: number | null
  readonly #windowMs: number
  readonly #now: () => number
  #used = 0
  #resetAt = 0

  constructor(limit: number | null, windowMs: number, now: () => number) {
    this.limit = limit
    this.#windowMs = windowMs
    this.#now = now
  }

  /** Counts a request. `over`: the budget is used up. `resetAt` is in epoch milliseconds. */
  spend(): { limit: number; remaining: number; resetAt: number; over: boolean } {
    if (this.#now() >= this.#resetAt) {
      this.#used = 0
      this.#resetAt = this.#now() + this.#windowMs
    }
    this.#used += 1
    const limit = this.limit ?? Number.MAX_SAFE_INTEGER
    return {
      limit,
      remaining: Math.max(limit - this.#used, 0),
      resetAt: this.#resetAt,
      over: this.#used > limit,
    }
  }
}
