import { type Features, MAX_TERMS } from '../../text/features.ts'
import type { ForwardIndex } from './forward-index.ts'

/** A term's list that reaches this length is trimmed to the newest nodes. */
const MAX_LIST_LENGTH = 1_024
const TRIMMED_LIST_LENGTH = MAX_LIST_LENGTH / 2
/** At least this many of a term's newest live nodes are available, as long as `isUsable`. */
export const MAX_READ = 256

/**
 * Inverted index: the newest nodes that hold a term, oldest first. The nodes of a term are contiguous, because
 * scanning them dominates query time, in a block whose length is a power of two; a full block is moved to one of
 * twice the length. Nodes are only added: readers skip dead ones, and rebuilding the index drops them.
 */
export class Postings {
  /** the nodes of term `t` are the `spans[2 * t + 1]` entries from `nodes[spans[2 * t]]` on */
  nodes: Int32Array
  spans: Int32Array
  #size = 0
  /** dead nodes when the index was built */
  #dead = 0

  constructor(terms = 1 << 12, entries = 1 << 14) {
    this.nodes = new Int32Array(entries)
    this.spans = new Int32Array(2 * terms)
  }

  /** The index of nodes 0, 1, 2 … with these rows; null nodes are skipped. */
  static of(nodes: readonly unknown[], rows: ForwardIndex): Postings {
    const row = new Int32Array(MAX_TERMS)
    const sizes = documentFrequencies(nodes, rows, row)
    let entries = 0
    for (const size of sizes) entries += blockLength(Math.min(size, TRIMMED_LIST_LENGTH))
    const postings = new Postings(sizes.length, entries + (entries >> 1))
    const { spans } = postings
    for (let term = 0, at = 0; term < sizes.length; term++) {
      const size = Math.min(sizes[term] as number, TRIMMED_LIST_LENGTH)
      spans[2 * term] = at
      spans[2 * term + 1] = size
      at += blockLength(size)
      postings.#size = at
    }
    // Newest first, so that the oldest are the ones that do not fit.
    for (let node = nodes.length - 1; node >= 0; node--) {
      if (nodes[node] === null) {
        postings.#dead++
        continue
      }
      const length = rows.indexedTerms(node, row)
      for (let i = 0; i < length; i++) {
        const term = row[i] as number
        const left = Math.min(sizes[term] as number, TRIMMED_LIST_LENGTH)
        if (left === 0) continue
        postings.nodes[(spans[2 * term] as number) + left - 1] = node
        sizes[term] = left - 1
      }
    }
    return postings
  }

  /** Whether the lists still have enough live nodes when this many nodes are dead; if not, rebuild the index. */
  isUsable(dead: number): boolean {
    return dead - this.#dead <= TRIMMED_LIST_LENGTH - MAX_READ
  }

  /** Adds a node, newer than all before it. */
  add(node: number, { terms, short }: Features): void {
    for (let i = 0; i < short; i++) {
      const term = terms[i] as number
      if (2 * term >= this.spans.length) this.spans = grown(this.spans, 2 * (term + 1))
      let count = this.spans[2 * term + 1] as number
      if (count === MAX_LIST_LENGTH) count = this.#trim(term)
      else if (blockLength(count) === count) this.#move(term, count)
      this.nodes[(this.spans[2 * term] as number) + count] = node
      this.spans[2 * term + 1] = count + 1
    }
  }

  /** Drops the older half of a list. Returns the remaining length. */
  #trim(term: number): number {
    const start = this.spans[2 * term] as number
    this.nodes.copyWithin(start, start + MAX_LIST_LENGTH - TRIMMED_LIST_LENGTH, start + MAX_LIST_LENGTH)
    return TRIMMED_LIST_LENGTH
  }

  #move(term: number, count: number): void {
    const needed = blockLength(count + 1)
    if (this.#size + needed > this.nodes.length) this.nodes = grown(this.nodes, this.#size + needed)
    const start = this.spans[2 * term] as number
    const { nodes } = this
    const end = this.#size
    // Most blocks hold one or two nodes, for which a loop is faster than `copyWithin`.
    for (let i = 0; i < count; i++) nodes[end + i] = nodes[start + i] as number
    this.spans[2 * term] = this.#size
    this.#size += needed
  }
}

/** The length of the block for this many nodes. */
function blockLength(count: number): number {
  return count < 2 ? count : 1 << (32 - Math.clz32(count - 1))
}

/** How many nodes hold each term. */
function documentFrequencies(nodes: readonly unknown[], rows: ForwardIndex, row: Int32Array): Int32Array {
  let counts: Int32Array = new Int32Array(1 << 12)
  for (let node = 0; node < nodes.length; node++) {
    if (nodes[node] === null) continue
    const length = rows.indexedTerms(node, row)
    for (let i = 0; i < length; i++) {
      const term = row[i] as number
      if (term >= counts.length) counts = grown(counts, term + 1)
      counts[term] = (counts[term] as number) + 1
    }
  }
  return counts
}

function grown(values: Int32Array, needed: number): Int32Array<ArrayBuffer> {
  let length = Math.max(1, values.length)
  while (length < needed) length *= 2
  const wider = new Int32Array(length)
  wider.set(values)
  return wider
}
