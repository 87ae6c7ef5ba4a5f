import { randomUUID } from 'node:crypto'

/** Random ids for what is sent in one message, each once: a text can refer to nothing else in it. */
export class RandomIds {
  readonly #known = new Map<string, string>()
  readonly #used = new Set<string>()

  /** The id of what has this key, always the same. */
  of(key: string): string {
    const known = this.#known.get(key)
    if (known) return known
    let id = ''
    do id = randomUUID().slice(0, 5)
    while (this.#used.has(id))
    this.#used.add(id)
    this.#known.set(key, id)
    return id
  }
}
