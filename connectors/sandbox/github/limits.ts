import { TrackerFaults } from '../tracker-faults.ts'
import { type Reply, refuse } from './reply.ts'

const PRIMARY = 5000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const SECONDARY = 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.'

/** GitHub's limits: requests an hour, content a minute, and the secondary one. */
export class Limits {
  /** Issues and comments a minute. */
  content = 80
  readonly #now: () => number
  #used = 0
  #resetAt: number
  #secondary: { until: number; isSaid: boolean } | null = null
  #created: number[] = []
  #isTooQuick = false

  constructor(now: () => number) {
    this.#now = now
    this.#resetAt = now() + HOUR_MS
  }

  /** The hourly request budget is used up; it resets after this many seconds. */
  exhaust(seconds: number): void {
    this.#used = PRIMARY
    this.#resetAt = this.#now() + seconds * 1000
  }

  /** Every request is refused for so long. `isSaid` false: without a header that says for how long. */
  secondary(seconds: number, isSaid = true): void {
    this.#secondary = { until: this.#now() + seconds * 1000, isSaid }
  }

  /** The next content is refused because it follows another too quickly. */
  tooQuick(): void {
    this.#isTooQuick = true
  }

  /** The refusal of a request; null where it is within the limits. */
  refusal(isCreation: boolean): Reply | null {
    const now = this.#now()
    if (now >= this.#resetAt) {
      this.#used = 0
      this.#resetAt = now + HOUR_MS
    }
    if (this.#used >= PRIMARY) return refuse(403, 'API rate limit exceeded for this sign-in.', this.headers())
    this.#used += 1
    if (this.#secondary && this.#secondary.until > now) {
      const seconds = String(Math.ceil((this.#secondary.until - now) / 1000))
      return refuse(403, SECONDARY, this.#secondary.isSaid ? { 'retry-after': seconds } : {})
    }
    if (!isCreation) return null
    if (this.#isTooQuick) {
      this.#isTooQuick = false
      const errors = [{ resource: 'Issue', field: 'data', code: 'unprocessable', message: 'was submitted too quickly' }]
      return { status: 422, body: { message: 'Validation Failed', documentation_url: '', errors } }
    }
    this.#created = this.#created.filter((at) => at > now - MINUTE_MS)
    if (this.#created.length >= this.content) return refuse(403, SECONDARY, { 'retry-after': '60' })
    this.#created.push(now)
    return null
  }

  /** Headers of every response. */
  headers(): Record<string, string> {
    return {
      'x-ratelimit-limit': String(PRIMARY),
      'x-ratelimit-remaining': String(Math.max(PRIMARY - this.#used, 0)),
      'x-ratelimit-reset': String(Math.ceil(this.#resetAt / 1000)),
    }
  }
}

/** The faults of GitHub: its limit is a 403 of the secondary limit. */
export const createFaults = (): TrackerFaults =>
  new TrackerFaults({
    limit: () => refuse(403, SECONDARY, { 'retry-after': '30' }),
    error: refuse(500, 'Server Error'),
    malformed: { status: 201, body: { ok: true } },
  })
