import { ContractError } from '@groundswell/contract/errors.ts'

/** At most `max` attempts within `windowMs`. */
export type Rule = { max: number; windowMs: number }

const MAX_KEYS = 50_000

/** Counts attempts by key in a pair of sliding windows, in this process only. */
export class Throttle {
  readonly #rule: Rule
  #current = new Map<string, number>()
  #previous = new Map<string, number>()
  #startedAt = 0

  constructor(rule: Rule) {
    this.#rule = rule
  }

  /** True when the key has used up its attempts. */
  isSpent(key: string, now: number): boolean {
    this.#turn(now)
    const share = 1 - (now - this.#startedAt) / this.#rule.windowMs
    const count = (this.#current.get(key) ?? 0) + (this.#previous.get(key) ?? 0) * share
    return count >= this.#rule.max
  }

  /** Throws `too_many_requests` when the key has used up its attempts. */
  check(key: string, now: number): void {
    if (this.isSpent(key, now)) refuseTry()
  }

  /** Counts one attempt. */
  count(key: string, now: number): void {
    this.#turn(now)
    if (this.#current.size >= MAX_KEYS) this.#current.clear()
    this.#current.set(key, (this.#current.get(key) ?? 0) + 1)
  }

  /** Counts one attempt, or throws `too_many_requests` when none is left. */
  spend(key: string, now: number): void {
    this.check(key, now)
    this.count(key, now)
  }

  /** Counts one attempt and returns true, or false when none is left. Atomic within the process. */
  take(key: string, now: number): boolean {
    if (this.isSpent(key, now)) return false
    this.count(key, now)
    return true
  }

  /** Refunds one attempt, if it still counts. */
  refund(key: string, now: number): void {
    this.#turn(now)
    for (const counts of [this.#current, this.#previous]) {
      const count = counts.get(key) ?? 0
      if (count === 0) continue
      counts.set(key, count - 1)
      return
    }
  }

  /** Resets the attempts of a key, as after a success. */
  clear(key: string): void {
    this.#current.delete(key)
    this.#previous.delete(key)
  }

  #turn(now: number): void {
    const passed = now - this.#startedAt
    if (passed < this.#rule.windowMs && passed >= 0) return
    this.#previous = passed < 2 * this.#rule.windowMs && passed >= 0 ? this.#current : new Map()
    this.#current = new Map()
    this.#startedAt = now
  }
}

/** Throws `too_many_requests`. */
export function refuseTry(): never {
  throw new ContractError('too_many_requests', 'Too many attempts: wait a few minutes and try again')
}
