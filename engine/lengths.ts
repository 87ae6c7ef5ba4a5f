import type { Reader, Writer } from './bytes.ts'
import type { Features } from './features.ts'
import { rarityIn, type Vocabulary } from './vocabulary.ts'
import { termWeight } from './weights.ts'

/** A length holds for so many comparisons, and while the texts grow by less than a quarter. */
const USES = 16

/**
 * Squared lengths of the kept statements' two blocks of terms (longer pieces of words left out), worked out when they are first needed and again when the
 * vocabulary may have moved: comparing would take twice as long if they were made anew each time. Part of the state, so that a
 * restored one goes on exactly as the stored one would have.
 */
export class Lengths {
  words: Float32Array = new Float32Array(1 << 10)
  chars: Float32Array = new Float32Array(1 << 10)
  /** how many more comparisons they hold for; 0: they are to be worked out */
  uses: Uint8Array = new Uint8Array(1 << 10)
  /** how many texts there were when they were worked out */
  texts: Uint32Array = new Uint32Array(1 << 10)

  /** Makes sure that `words` and `chars` of a node may be read. */
  refresh(node: number, features: Features, vocabulary: Vocabulary): void {
    this.#widen(node + 1)
    const uses = this.uses[node] as number
    if (uses > 0 && vocabulary.texts < (this.texts[node] as number) * 1.25) {
      this.uses[node] = uses - 1
      return
    }
    const { terms, counts, words, short } = features
    const table = vocabulary.weights()
    const { frequency } = vocabulary
    let wordSquares = 0
    let charSquares = 0
    for (let i = 0; i < short; i++) {
      const weight = termWeight(counts[i] as number, rarityIn(table, frequency[terms[i] as number] as number))
      if (i < words) wordSquares += weight * weight
      else charSquares += weight * weight
    }
    this.words[node] = wordSquares
    this.chars[node] = charSquares
    this.uses[node] = USES
    this.texts[node] = vocabulary.texts
  }

  /** Moves what is known of the nodes that stay to their new numbers, -1: it goes. Numbers only become smaller, in the same order. */
  rename(renamed: Int32Array, size: number): void {
    this.#widen(renamed.length)
    for (let from = 0; from < renamed.length; from++) {
      const to = renamed[from] as number
      if (to < 0 || to === from) continue
      this.words[to] = this.words[from] as number
      this.chars[to] = this.chars[from] as number
      this.uses[to] = this.uses[from] as number
      this.texts[to] = this.texts[from] as number
    }
    for (const column of [this.words, this.chars, this.uses, this.texts]) column.fill(0, size)
  }

  /** Stores what is known of so many nodes. */
  write(out: Writer, size: number): void {
    this.#widen(size)
    out.block(bytesOf(this.words.subarray(0, size)))
    out.block(bytesOf(this.chars.subarray(0, size)))
    out.block(this.uses.subarray(0, size))
    out.block(bytesOf(this.texts.subarray(0, size)))
  }

  /** Restores what `write` stored. */
  static from(from: Reader): Lengths {
    const lengths = new Lengths()
    lengths.words = new Float32Array(from.block().buffer)
    lengths.chars = new Float32Array(from.block().buffer)
    lengths.uses = from.block()
    lengths.texts = new Uint32Array(from.block().buffer)
    return lengths
  }

  #widen(room: number): void {
    if (this.uses.length >= room) return
    let length = 1 << 10
    while (length < room) length *= 2
    const words = new Float32Array(length)
    const chars = new Float32Array(length)
    const uses = new Uint8Array(length)
    const texts = new Uint32Array(length)
    words.set(this.words)
    chars.set(this.chars)
    uses.set(this.uses)
    texts.set(this.texts)
    this.words = words
    this.chars = chars
    this.uses = uses
    this.texts = texts
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array | Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
