import { randomInt } from 'node:crypto'

/** Ids begin with a letter, so that none is a number, by which objects would be sorted. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const SIGNS = `${LETTERS}0123456789`

/**
 * Unique random ids for the texts of one message, so that no text can refer to another. Of 33,696, so that one that a text names is one of 31 others
 * with a chance of one in a thousand.
 */
export class RandomIds {
  readonly #known = new Map<string, string>()
  readonly #used = new Set<string>()

  /** The id for this key, always the same. */
  of(key: string): string {
    const known = this.#known.get(key)
    if (known) return known
    let id = ''
    do id = [LETTERS, SIGNS, SIGNS].map((signs) => signs[randomInt(signs.length)]).join('')
    while (this.#used.has(id))
    this.#used.add(id)
    this.#known.set(key, id)
    return id
  }
}
