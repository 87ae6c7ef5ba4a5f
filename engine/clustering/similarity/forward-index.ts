import type { Features } from '../../text/features.ts'
import { termRarity, type Vocabulary } from '../../text/vocabulary.ts'
import { logCount, termWeight } from '../../text/weights.ts'

/** Entries in a page; longer than any row. */
const PAGE_BITS = 14
const PAGE_LENGTH = 1 << PAGE_BITS
const HEADER_LENGTH = 4
const INDEXED_OFFSET = 1
const TOTAL_OFFSET = 2
const ISSUE_OFFSET = 3
/** Rows are defragmented when dropped ones take up more than this share. */
const MAX_WASTE_SHARE = 1 / 8

/**
 * The terms of kept statements, by node. A row holds the number of stems, of indexed terms and of all terms, the
 * issue, then the terms, each with its count in the lowest 8 bits. Rows are packed into pages: a hundred thousand
 * small arrays would take twice the memory and scatter it.
 */
export class ForwardIndex {
  pages: Int32Array[] = []
  /** offset of a node's row: page × 16,384 + offset in the page */
  starts = new Int32Array(1 << 10)
  /** results of the last `dotProduct` or `squaredNorms` */
  words = 0
  chars = 0
  #nodes = 0
  /** where the next row may start */
  #end = 0

  /** Appends the next node's features (without the vector) and its issue. */
  add({ terms, counts, words, short }: Features, issue: number): void {
    const length = HEADER_LENGTH + terms.length
    const start = rowStart(this.#end, length)
    const page = this.#pageAt(start)
    let at = start & (PAGE_LENGTH - 1)
    page[at++] = words
    page[at++] = short
    page[at++] = terms.length
    page[at++] = issue
    for (let i = 0; i < terms.length; i++) page[at++] = ((terms[i] as number) << 8) | (counts[i] as number)
    this.#enter(start)
    this.#end = start + length
  }

  /** Copies of these nodes' features, without vectors, in contiguous buffers. */
  featuresOf(nodes: readonly number[]): Features[] {
    let total = 0
    for (const node of nodes) total += this.#sizeOf(node)
    const terms = new Int32Array(total)
    const counts = new Uint8Array(total)
    let end = 0
    return nodes.map((node) => {
      const start = this.starts[node] as number
      const page = this.pages[start >>> PAGE_BITS] as Int32Array
      const from = (start & (PAGE_LENGTH - 1)) + HEADER_LENGTH
      const first = end
      for (let at = from; at < from + (page[from - HEADER_LENGTH + TOTAL_OFFSET] as number); at++) {
        const held = page[at] as number
        terms[end] = held >>> 8
        counts[end++] = held & 255
      }
      return {
        terms: terms.subarray(first, end),
        counts: counts.subarray(first, end),
        words: page[from - HEADER_LENGTH] as number,
        short: page[from - HEADER_LENGTH + INDEXED_OFFSET] as number,
      }
    })
  }

  /** The issue of a node. */
  issue(node: number): number {
    const start = this.starts[node] as number
    return this.pages[start >>> PAGE_BITS]?.[(start & (PAGE_LENGTH - 1)) + ISSUE_OFFSET] as number
  }

  /** Sets the issue of a node. */
  setIssue(node: number, issue: number): void {
    const start = this.starts[node] as number
    const page = this.pages[start >>> PAGE_BITS] as Int32Array
    page[(start & (PAGE_LENGTH - 1)) + ISSUE_OFFSET] = issue
  }

  /** Whether a node has a stem. */
  hasStem(node: number, stem: number): boolean {
    const start = this.starts[node] as number
    const page = this.pages[start >>> PAGE_BITS] as Int32Array
    const from = (start & (PAGE_LENGTH - 1)) + HEADER_LENGTH
    const until = from + (page[from - HEADER_LENGTH] as number)
    for (let at = from; at < until; at++) if ((page[at] as number) >>> 8 === stem) return true
    return false
  }

  /** Writes a node's indexed terms to `into` and returns how many there are. */
  indexedTerms(node: number, into: Int32Array): number {
    const start = this.starts[node] as number
    const page = this.pages[start >>> PAGE_BITS] as Int32Array
    const from = (start & (PAGE_LENGTH - 1)) + HEADER_LENGTH
    const size = page[from - HEADER_LENGTH + INDEXED_OFFSET] as number
    for (let i = 0; i < size; i++) into[i] = (page[from + i] as number) >>> 8
    return size
  }

  /**
   * The dot product of a node with `weights` (by term): of stems in `words`, of indexed n-grams in `chars`. Both are
   * overwritten by the next call.
   */
  dotProduct(node: number, weights: Float32Array): void {
    const start = this.starts[node] as number
    const page = this.pages[start >>> PAGE_BITS] as Int32Array
    const from = (start & (PAGE_LENGTH - 1)) + HEADER_LENGTH
    const words = from + (page[from - HEADER_LENGTH] as number)
    const short = from + (page[from - HEADER_LENGTH + INDEXED_OFFSET] as number)
    let sum = 0
    for (let at = from; at < words; at++) {
      const held = page[at] as number
      sum += logCount(held & 255) * (weights[held >>> 8] as number)
    }
    this.words = sum
    sum = 0
    for (let at = words; at < short; at++) {
      const held = page[at] as number
      sum += logCount(held & 255) * (weights[held >>> 8] as number)
    }
    this.chars = sum
  }

  /** A node's squared norms by current frequencies: of stems in `words`, of indexed n-grams in `chars`. */
  squaredNorms(node: number, vocabulary: Vocabulary): void {
    const start = this.starts[node] as number
    const page = this.pages[start >>> PAGE_BITS] as Int32Array
    const from = (start & (PAGE_LENGTH - 1)) + HEADER_LENGTH
    const words = from + (page[from - HEADER_LENGTH] as number)
    const short = from + (page[from - HEADER_LENGTH + INDEXED_OFFSET] as number)
    const table = vocabulary.weights()
    const { frequency } = vocabulary
    this.words = 0
    this.chars = 0
    let sum = 0
    for (let at = from; at < short; at++) {
      if (at === words) {
        this.words = sum
        sum = 0
      }
      const held = page[at] as number
      const weight = termWeight(held & 255, termRarity(table, frequency[held >>> 8] as number))
      sum += weight * weight
    }
    if (short > words) this.chars = sum
    else this.words = sum
  }

  /** Renumbers nodes; -1 drops one. The order must not change. */
  renumber(renamed: Int32Array, size: number): void {
    let held = 0
    for (let from = 0; from < renamed.length; from++) {
      const to = renamed[from] as number
      if (to < 0) continue
      const start = this.starts[from] as number
      this.starts[to] = start
      held += HEADER_LENGTH + this.#sizeOf(to)
    }
    this.#nodes = size
    if (this.#end - held > this.#end * MAX_WASTE_SHARE) this.#defragment()
  }

  /**
   * Moves every row down to the end of the one before it. Rows only move down, so none is overwritten before it is
   * read.
   */
  #defragment(): void {
    let end = 0
    for (let node = 0; node < this.#nodes; node++) {
      const start = this.starts[node] as number
      const page = this.pages[start >>> PAGE_BITS] as Int32Array
      const from = start & (PAGE_LENGTH - 1)
      const length = HEADER_LENGTH + (page[from + TOTAL_OFFSET] as number)
      const to = rowStart(end, length)
      const target = this.pages[to >>> PAGE_BITS] as Int32Array
      if (target === page) page.copyWithin(to & (PAGE_LENGTH - 1), from, from + length)
      else target.set(page.subarray(from, from + length), to & (PAGE_LENGTH - 1))
      this.starts[node] = to
      end = to + length
    }
    this.#end = end
    this.pages.length = (end + PAGE_LENGTH - 1) >>> PAGE_BITS
  }

  #sizeOf(node: number): number {
    const start = this.starts[node] as number
    return this.pages[start >>> PAGE_BITS]?.[(start & (PAGE_LENGTH - 1)) + TOTAL_OFFSET] as number
  }

  #pageAt(start: number): Int32Array {
    const number = start >>> PAGE_BITS
    const known = this.pages[number]
    if (known) return known
    const page = new Int32Array(PAGE_LENGTH)
    this.pages[number] = page
    return page
  }

  #enter(start: number): void {
    if (this.#nodes === this.starts.length) {
      const wider = new Int32Array(this.starts.length * 2)
      wider.set(this.starts)
      this.starts = wider
    }
    this.starts[this.#nodes++] = start
  }
}

/** Where a row of this length may start, from `end` on: rows do not cross pages. */
function rowStart(end: number, length: number): number {
  const left = PAGE_LENGTH - (end & (PAGE_LENGTH - 1))
  return length <= left ? end : end + left
}
