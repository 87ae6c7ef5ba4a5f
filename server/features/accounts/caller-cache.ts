import type { Caller } from '../../platform/http/handle.ts'

type Entry = { caller: Caller; until: number }

const MOST = 10_000

/**
 * Callers of verified tokens, by the token's hash in hex, so that a poll needs no query. At most 10,000, the least
 * recently used go first; each is asked for anew after its time, whatever was or was not heard of its end.
 */
export class CallerCache {
  readonly #entries = new Map<string, Entry>()
  /** Rises whenever something is forgotten: what was read before that must not be kept after it. */
  #age = 0

  /** The caller of a token, unless it is unknown here or due to be asked for anew. */
  get(key: string, now: number): Caller | null {
    const entry = this.#entries.get(key)
    if (!entry) return null
    this.#entries.delete(key)
    if (entry.until <= now) return null
    this.#entries.set(key, entry)
    return entry.caller
  }

  /** Call before reading a sign-in; the returned function keeps what was read, unless something ended meanwhile. */
  reading(): (key: string, caller: Caller, until: number) => void {
    const age = this.#age
    return (key, caller, until) => {
      if (age !== this.#age) return
      this.#entries.set(key, { caller, until })
      if (this.#entries.size > MOST) this.#forgetOldest()
    }
  }

  /** Forgets by what the channel says: `token:<hex>` or `account:<id>`; anything else forgets all. */
  forget(message: string): void {
    this.#age += 1
    const [kind, id] = message.split(':', 2)
    if (kind === 'token' && id) {
      this.#entries.delete(id)
    } else if (kind === 'account' && id) {
      for (const [key, entry] of this.#entries) if (entry.caller.accountId === id) this.#entries.delete(key)
    } else {
      this.#entries.clear()
    }
  }

  #forgetOldest(): void {
    const oldest = this.#entries.keys().next().value
    if (oldest !== undefined) this.#entries.delete(oldest)
  }
}
