import type { Caller } from '../../platform/http/handle.ts'
import { CLOCK_JUMP_MS } from './lifetimes.ts'

/** The caller of a token, and when the token was issued and expires, in milliseconds. */
export type VerifiedCaller = { caller: Caller; issuedAt: number; expiresAt: number }

const MAX_COUNT = 10_000

/**
 * Callers of verified tokens by the token's hash, so that polling costs next to nothing. At most 10,000, evicting the least
 * recently used; none outlives its token.
 */
export class CallerCache {
  readonly #entries = new Map<string, VerifiedCaller>()
  /** Incremented by each eviction: what was read before one must not be stored after it. */
  #age = 0

  /** The caller of a token; null when it is not cached, has expired, or is from too far ahead. */
  get(key: string, now: number): Caller | null {
    const entry = this.#entries.get(key)
    if (!entry) return null
    this.#entries.delete(key)
    if (entry.expiresAt <= now || entry.issuedAt > now + CLOCK_JUMP_MS) return null
    this.#entries.set(key, entry)
    return entry.caller
  }

  /**
   * Call before verifying a token. The returned function stores its caller, unless an entry was invalidated in the meantime.
   */
  reading(): (key: string, verified: VerifiedCaller) => void {
    const age = this.#age
    return (key, verified) => {
      if (age !== this.#age) return
      this.#entries.set(key, verified)
      if (this.#entries.size > MAX_COUNT) this.#forgetOldest()
    }
  }

  /** Evicts the entries of `session:<id>` or `account:<id>`. */
  forget(subject: string): void {
    this.#age += 1
    const [kind, id] = subject.split(':', 2)
    for (const [key, { caller }] of this.#entries) {
      if (kind === 'session' ? caller.session.id === id : caller.accountId === id) this.#entries.delete(key)
    }
  }

  #forgetOldest(): void {
    const oldest = this.#entries.keys().next().value
    if (oldest !== undefined) this.#entries.delete(oldest)
  }
}
