import { languageHints } from './language.ts'
import { noiseFlagsOf } from './noise.ts'

/**
 * Interns tokens: an id for each distinct token, with the token's language hints and noise flags. Looking a token up
 * by its characters avoids allocating a substring for every word, which is most of the cost of reading a message.
 */
export class TokenTable {
  /** by token id */
  texts: string[] = []
  languageHints = new Uint16Array(1 << 12)
  noiseFlags = new Uint8Array(1 << 12)
  #hashes = new Int32Array(1 << 12)
  #slots = new Int32Array(1 << 13)

  /** The id of a token. */
  idOf(word: string): number {
    let hash = 0
    for (let i = 0; i < word.length; i++) hash = hashStep(hash, word.charCodeAt(i))
    return this.idAt(word, 0, word.length, hash)
  }

  /** The id of the token `text.slice(from, to)`. `hash`: the hash of its characters, see `hashStep`. */
  idAt(text: string, from: number, to: number, hash: number): number {
    const slots = this.#slots
    const mask = slots.length - 1
    let at = slotHash(hash) & mask
    for (;;) {
      const number = (slots[at] as number) - 1
      if (number < 0) return this.#insert(text.slice(from, to), hash)
      if (this.#hashes[number] === hash && matchesAt(this.texts[number] as string, text, from, to)) return number
      at = (at + 1) & mask
    }
  }

  #insert(word: string, hash: number): number {
    const number = this.texts.push(word) - 1
    if (number === this.#hashes.length) this.#grow()
    this.#hashes[number] = hash
    this.languageHints[number] = languageHints(word)
    this.noiseFlags[number] = noiseFlagsOf(word)
    this.#index(number)
    return number
  }

  #index(number: number): void {
    const mask = this.#slots.length - 1
    let at = slotHash(this.#hashes[number] as number) & mask
    while (this.#slots[at] !== 0) at = (at + 1) & mask
    this.#slots[at] = number + 1
  }

  #grow(): void {
    const capacity = this.#hashes.length * 2
    const hashes = new Int32Array(capacity)
    const languageHints = new Uint16Array(capacity)
    const noiseFlags = new Uint8Array(capacity)
    hashes.set(this.#hashes)
    languageHints.set(this.languageHints)
    noiseFlags.set(this.noiseFlags)
    this.#hashes = hashes
    this.languageHints = languageHints
    this.noiseFlags = noiseFlags
    this.#slots = new Int32Array(capacity * 2)
    for (let number = 0; number < capacity / 2; number++) this.#index(number)
  }
}

/** Adds one character to a hash. */
export function hashStep(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193)
}

function slotHash(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 7
}

function matchesAt(word: string, text: string, from: number, to: number): boolean {
  if (word.length !== to - from) return false
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) !== text.charCodeAt(from + i)) return false
  return true
}
