import { defineCache } from '../../platform/caches.ts'
import { RetryLater } from '../../platform/http/errors.ts'

/** Lists of a workspace that wait while another one is read. */
const MAX_WAITING = 3
const RETRY_SECONDS = 5

/** One piece of work at a time for each key, in order. */
class Turns {
  readonly #last = new Map<string, Promise<unknown>>()
  readonly #waiting = new Map<string, number>()

  /** Runs `work` after what was taken before with the key. Throws `RetryLater` when too many wait. */
  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const waiting = this.#waiting.get(key) ?? 0
    if (waiting > MAX_WAITING) {
      const message = 'Other lists of this workspace are being read: try again when that is done'
      throw new RetryLater('too_many_requests', message, RETRY_SECONDS)
    }
    this.#waiting.set(key, waiting + 1)
    const before = this.#last.get(key)
    const mine = (before ?? Promise.resolve()).then(work, work)
    this.#last.set(key, mine)
    try {
      return await mine
    } finally {
      const left = (this.#waiting.get(key) ?? 1) - 1
      if (left > 0) this.#waiting.set(key, left)
      else {
        this.#waiting.delete(key)
        this.#last.delete(key)
      }
    }
  }
}

/** Reading a list takes seconds of CPU time, in slices between which others are answered: a workspace takes one share of it. */
export const oneListAtATime = defineCache('lists of customers', () => new Turns())
