import { ContractError } from '@groundswell/contract/errors.ts'

type Rule = { most: number; withinMs: number }

const MOST_KEYS = 50_000

/** Counts tries by key in a sliding pair of windows, in this process only. */
export class Throttle {
  readonly #rule: Rule
  #current = new Map<string, number>()
  #previous = new Map<string, number>()
  #startedAt = 0

  constructor(rule: Rule) {
    this.#rule = rule
  }

  /** True when the key has used up its tries. */
  isSpent(key: string, now: number): boolean {
    this.#turn(now)
    const share = 1 - (now - this.#startedAt) / this.#rule.withinMs
    const count = (this.#current.get(key) ?? 0) + (this.#previous.get(key) ?? 0) * share
    return count >= this.#rule.most
  }

  /** Throws `too_many_requests` when the key has used up its tries. */
  check(key: string, now: number): void {
    if (this.isSpent(key, now)) {
      throw new ContractError('too_many_requests', 'Too many tries: wait a few minutes and try again')
    }
  }

  /** Counts one try. */
  count(key: string, now: number): void {
    this.#turn(now)
    if (this.#current.size >= MOST_KEYS) this.#current.clear()
    this.#current.set(key, (this.#current.get(key) ?? 0) + 1)
  }

  /** Counts one try, or throws `too_many_requests` when none is left. */
  spend(key: string, now: number): void {
    this.check(key, now)
    this.count(key, now)
  }

  /** Forgets the tries of a key, as after a success. */
  clear(key: string): void {
    this.#current.delete(key)
    this.#previous.delete(key)
  }

  #turn(now: number): void {
    const passed = now - this.#startedAt
    if (passed < this.#rule.withinMs && passed >= 0) return
    this.#previous = passed < 2 * this.#rule.withinMs && passed >= 0 ? this.#current : new Map()
    this.#current = new Map()
    this.#startedAt = now
  }
}
