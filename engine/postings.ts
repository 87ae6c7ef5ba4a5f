/**
 * Which nodes hold a term, oldest first. The nodes of one term lie side by side, in a block whose length is a power of two, because
 * reading them is what most of a question's time goes into; a full block moves to one twice as long. Lists only grow; a
 * node that died is skipped by the reader and drops out when the index is built anew.
 */
export class Postings {
  /** the nodes of term `t` are `nodes[starts[t]]` to `nodes[starts[t] + counts[t] - 1]` */
  nodes: Int32Array
  starts: Int32Array
  counts: Int32Array
  #size = 0

  constructor(terms = 1 << 12, entries = 1 << 14) {
    this.nodes = new Int32Array(entries)
    this.starts = new Int32Array(terms)
    this.counts = new Int32Array(terms)
  }

  /** The index of nodes 0, 1, 2 … that hold these terms; null: a node that is to be left out. */
  static of(held: (Int32Array | null)[]): Postings {
    const sizes = countOf(held)
    let entries = 0
    for (const size of sizes) entries += blockFor(size)
    const postings = new Postings(sizes.length, entries)
    let at = 0
    for (let term = 0; term < sizes.length; term++) {
      postings.starts[term] = at
      at += blockFor(sizes[term] as number)
    }
    postings.#size = at
    held.forEach((terms, node) => {
      if (terms) postings.#fill(node, terms)
    })
    return postings
  }

  /** Adds a node, newer than all before it, to the lists of its terms. */
  add(node: number, terms: Int32Array): void {
    for (let i = 0; i < terms.length; i++) {
      const term = terms[i] as number
      if (term >= this.starts.length) this.#widen(term + 1)
      const count = this.counts[term] as number
      if (blockFor(count) === count) this.#move(term, count)
      this.nodes[(this.starts[term] as number) + count] = node
      this.counts[term] = count + 1
    }
  }

  /** How many nodes hold a term, dead ones included. */
  held(term: number): number {
    return term < this.counts.length ? (this.counts[term] as number) : 0
  }

  #fill(node: number, terms: Int32Array): void {
    const { nodes, starts, counts } = this
    for (let i = 0; i < terms.length; i++) {
      const term = terms[i] as number
      const count = counts[term] as number
      nodes[(starts[term] as number) + count] = node
      counts[term] = count + 1
    }
  }

  #move(term: number, count: number): void {
    const room = blockFor(count + 1)
    if (this.#size + room > this.nodes.length) this.nodes = widened(this.nodes, this.#size + room)
    const start = this.starts[term] as number
    this.nodes.copyWithin(this.#size, start, start + count)
    this.starts[term] = this.#size
    this.#size += room
  }

  #widen(terms: number): void {
    this.starts = widened(this.starts, terms)
    this.counts = widened(this.counts, terms)
  }
}

/** The length of the block for so many nodes. */
function blockFor(count: number): number {
  return count < 2 ? count : 1 << (32 - Math.clz32(count - 1))
}

/** How many nodes hold each term. */
function countOf(held: (Int32Array | null)[]): Int32Array {
  let counts: Int32Array = new Int32Array(1 << 12)
  for (const terms of held) {
    if (!terms) continue
    for (let i = 0; i < terms.length; i++) {
      const term = terms[i] as number
      if (term >= counts.length) counts = widened(counts, term + 1)
      counts[term] = (counts[term] as number) + 1
    }
  }
  return counts
}

function widened(values: Int32Array, room: number): Int32Array<ArrayBuffer> {
  let length = Math.max(1, values.length)
  while (length < room) length *= 2
  const wider = new Int32Array(length)
  wider.set(values)
  return wider
}
