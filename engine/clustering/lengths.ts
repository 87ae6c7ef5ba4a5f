import type { Reader, Writer } from '../state/bytes.ts'
import type { Vocabulary } from '../text/vocabulary.ts'
import { shortScale, wordScale } from '../text/weights.ts'
import type { Rows } from './rows.ts'

/** A length holds for so many comparisons, and while the texts grow by less than a quarter. */
const USES = 16
/** Numbers a node: squared length of its stems, of its pieces, how many more comparisons they hold for, and how many texts there were. */
const WIDTH = 4
const CHARS = 1
const LEFT = 2
const TEXTS = 3

/**
 * Squared lengths of the kept statements' two blocks of terms (longer pieces of words left out), worked out when they are first needed and again when the
 * vocabulary may have moved: comparing would take twice as long if they were made anew each time. Part of the state, so that a
 * restored one goes on exactly as the stored one would have. What is known of one node lies side by side: it is read at once.
 */
export class Lengths {
  #values = new Float32Array(WIDTH << 10)
  /** the same memory as whole numbers */
  #counts = new Uint32Array(this.#values.buffer)
  /** what each of a node's two blocks is multiplied by: powers take long to work out */
  #scales = new Float64Array(2 << 10)

  /** Makes sure that `words` and `chars` of a node may be read. */
  refresh(node: number, rows: Rows, vocabulary: Vocabulary): void {
    this.#widen(node + 1)
    const at = node * WIDTH
    const counts = this.#counts
    const left = counts[at + LEFT] as number
    if (left > 0 && vocabulary.texts < (counts[at + TEXTS] as number) * 1.25) {
      counts[at + LEFT] = left - 1
      return
    }
    rows.square(node, vocabulary)
    this.#values[at] = rows.words
    this.#values[at + CHARS] = rows.chars
    counts[at + LEFT] = USES
    counts[at + TEXTS] = vocabulary.texts
    this.#scale(node)
  }

  /** The squared length of a node's stems. */
  words(node: number): number {
    return this.#values[node * WIDTH] as number
  }

  /** The squared length of a node's pieces of words. */
  chars(node: number): number {
    return this.#values[node * WIDTH + CHARS] as number
  }

  /** What its stems are multiplied by, see `weights.ts`. */
  wordScale(node: number): number {
    return this.#scales[2 * node] as number
  }

  /** What its pieces of words are multiplied by. */
  charScale(node: number): number {
    return this.#scales[2 * node + 1] as number
  }

  /** Moves what is known of the nodes that stay to their new numbers, -1: it goes. Numbers only become smaller, in the same order. */
  rename(renamed: Int32Array, size: number): void {
    this.#widen(renamed.length)
    for (let from = 0; from < renamed.length; from++) {
      const to = renamed[from] as number
      if (to < 0 || to === from) continue
      this.#counts.copyWithin(to * WIDTH, from * WIDTH, (from + 1) * WIDTH)
      this.#scales.copyWithin(2 * to, 2 * from, 2 * (from + 1))
    }
    this.#counts.fill(0, size * WIDTH)
  }

  /** Stores what is known of so many nodes, one kind of number after the other. */
  write(out: Writer, size: number): void {
    this.#widen(size)
    for (const place of [0, CHARS]) out.block(bytesOf(this.#column(place, size)))
    out.block(Uint8Array.from(this.#column(LEFT, size)))
    out.block(bytesOf(this.#column(TEXTS, size)))
  }

  /** Restores what `write` stored. */
  static from(from: Reader): Lengths {
    const lengths = new Lengths()
    for (let place = 0; place < WIDTH; place++) {
      const bytes = from.block()
      lengths.#fill(place, place === LEFT ? bytes : new Uint32Array(bytes.buffer))
    }
    for (let node = 0; node < lengths.#scales.length / 2; node++) lengths.#scale(node)
    return lengths
  }

  #scale(node: number): void {
    this.#scales[2 * node] = wordScale(this.words(node))
    this.#scales[2 * node + 1] = shortScale(this.chars(node))
  }

  #column(place: number, size: number): Uint32Array {
    return Uint32Array.from({ length: size }, (_, node) => this.#counts[node * WIDTH + place] as number)
  }

  #fill(place: number, column: Uint8Array | Uint32Array): void {
    this.#widen(column.length)
    for (let node = 0; node < column.length; node++) this.#counts[node * WIDTH + place] = column[node] as number
  }

  #widen(room: number): void {
    if (this.#values.length >= room * WIDTH) return
    let length = 1 << 10
    while (length < room) length *= 2
    const values = new Float32Array(length * WIDTH)
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
