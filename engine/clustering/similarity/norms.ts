import type { Reader, Writer } from '../../state/bytes.ts'
import type { Vocabulary } from '../../text/vocabulary.ts'
import { trigramScale, wordScale } from '../../text/weights.ts'
import type { ForwardIndex } from './forward-index.ts'

/** A norm is valid for this many comparisons, and while the number of texts grows by less than a quarter. */
const MAX_USES = 16
/** Fields per node: squared norm of stems and of trigrams, remaining comparisons, number of texts when computed. */
const FIELDS = 4
const NGRAMS = 1
const USES_LEFT = 2
const TEXTS = 3

/**
 * Squared norms of kept statements' stems and trigrams, computed on demand and refreshed when term frequencies may
 * have drifted; comparing would take twice as long without it. Part of the stored state, so that a restored state
 * behaves exactly like the original. A node's fields are adjacent because they are read together.
 */
export class NormCache {
  #values = new Float32Array(FIELDS << 10)
  /** the same memory as integers */
  #counts = new Uint32Array(this.#values.buffer)
  /** length normalisation of both blocks, cached because powers are slow */
  #scales = new Float64Array(2 << 10)

  /** Makes `words` and `chars` of a node valid. */
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

  /** The squared norm of a node's stems. */
  words(node: number): number {
    return this.#values[node * FIELDS] as number
  }

  /** The squared norm of a node's trigrams. */
  chars(node: number): number {
    return this.#values[node * FIELDS + NGRAMS] as number
  }

  /** Length normalisation of its stems, see `weights.ts`. */
  wordScale(node: number): number {
    return this.#scales[2 * node] as number
  }

  /** Length normalisation of its trigrams. */
  ngramScale(node: number): number {
    return this.#scales[2 * node + 1] as number
  }

  /** Renumbers nodes; -1 drops one. The order must not change. */
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

  /** Stores the norms of this many nodes, field by field. */
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

  #grow(capacity: number): void {
    if (this.#values.length >= capacity * FIELDS) return
    let length = 1 << 10
    while (length < capacity) length *= 2
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
