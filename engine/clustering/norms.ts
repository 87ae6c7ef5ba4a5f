import type { Reader, Writer } from '../state/bytes.ts'
import type { Vocabulary } from '../text/vocabulary.ts'
import { trigramScale, wordScale } from '../text/weights.ts'
import type { ForwardIndex } from './forward-index.ts'

/** A length holds for so many comparisons, and while the texts grow by less than a quarter. */
const MAX_USES = 16
/** Numbers a node: squared length of its stems, of its pieces, how many more comparisons they hold for, and how many texts there were. */
const FIELDS = 4
const NGRAMS = 1
const USES_LEFT = 2
const TEXTS = 3

/**
 * Squared lengths of the kept statements' two blocks of terms (longer pieces of words left out), worked out when they are first needed and again when the
 * vocabulary may have moved: comparing would take twice as long if they were made anew each time. Part of the state, so that a
 * restored one goes on exactly as the stored one would have. What is known of one node lies side by side: it is read at once.
 */
export class NormCache {
  #values = new Float32Array(FIELDS << 10)
  /** the same memory as whole numbers */
  #counts = new Uint32Array(this.#values.buffer)
  /** what each of a node's two blocks is multiplied by: powers take long to work out */
  #scales = new Float64Array(2 << 10)

  /** Makes sure that `words` and `chars` of a node may be read. */
  refresh(node: number, rows: ForwardIndex, vocabulary: Vocabulary): void {
    this.#grow(node + 1)
    const at = node * FIELDS
    const counts = this.#counts
    const left = counts[at + USES_LEFT] as number
    if (left > 0 && vocabulary.texts < (counts[at + TEXTS] as number) * 1.25) {
      counts[at + USES_LEFT] = left - 1
      return
    }
    rows.squaredNorms(node, vocabulary)
    this.#values[at] = rows.words
    this.#values[at + NGRAMS] = rows.chars
    counts[at + USES_LEFT] = MAX_USES
    counts[at + TEXTS] = vocabulary.texts
    this.#scale(node)
  }

  /** The squared length of a node's stems. */
  words(node: number): number {
    return this.#values[node * FIELDS] as number
  }

  /** The squared length of a node's pieces of words. */
  chars(node: number): number {
    return this.#values[node * FIELDS + NGRAMS] as number
  }

  /** What its stems are multiplied by, see `weights.ts`. */
  wordScale(node: number): number {
    return this.#scales[2 * node] as number
  }

  /** What its pieces of words are multiplied by. */
  ngramScale(node: number): number {
    return this.#scales[2 * node + 1] as number
  }

  /** Moves what is known of the nodes that stay to their new numbers, -1: it goes. Numbers only become smaller, in the same order. */
  renumber(renamed: Int32Array, size: number): void {
    this.#grow(renamed.length)
    for (let from = 0; from < renamed.length; from++) {
      const to = renamed[from] as number
      if (to < 0 || to === from) continue
      this.#counts.copyWithin(to * FIELDS, from * FIELDS, (from + 1) * FIELDS)
      this.#scales.copyWithin(2 * to, 2 * from, 2 * (from + 1))
    }
    this.#counts.fill(0, size * FIELDS)
  }

  /** Stores what is known of so many nodes, one kind of number after the other. */
  write(out: Writer, size: number): void {
    this.#grow(size)
    for (const place of [0, NGRAMS]) out.block(bytesOf(this.#column(place, size)))
    out.block(Uint8Array.from(this.#column(USES_LEFT, size)))
    out.block(bytesOf(this.#column(TEXTS, size)))
  }

  /** Restores what `write` stored. */
  static from(from: Reader): NormCache {
    const lengths = new NormCache()
    for (let place = 0; place < FIELDS; place++) {
      const bytes = from.block()
      lengths.#fill(place, place === USES_LEFT ? bytes : new Uint32Array(bytes.buffer))
    }
    for (let node = 0; node < lengths.#scales.length / 2; node++) lengths.#scale(node)
    return lengths
  }

  #scale(node: number): void {
    this.#scales[2 * node] = wordScale(this.words(node))
    this.#scales[2 * node + 1] = trigramScale(this.chars(node))
  }

  #column(place: number, size: number): Uint32Array {
    return Uint32Array.from({ length: size }, (_, node) => this.#counts[node * FIELDS + place] as number)
  }

  #fill(place: number, column: Uint8Array | Uint32Array): void {
    this.#grow(column.length)
    for (let node = 0; node < column.length; node++) this.#counts[node * FIELDS + place] = column[node] as number
  }

  #grow(room: number): void {
    if (this.#values.length >= room * FIELDS) return
    let length = 1 << 10
    while (length < room) length *= 2
    const values = new Float32Array(length * FIELDS)
    const counts = new Uint32Array(values.buffer)
    const scales = new Float64Array(length * 2)
    counts.set(this.#counts)
    scales.set(this.#scales)
    this.#values = values
    this.#counts = counts
    this.#scales = scales
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
