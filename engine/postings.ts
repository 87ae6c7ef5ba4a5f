/**
 * Which nodes hold a term, newest first, as linked entries of a node and the next entry's place. Lists only grow; a node
 * that died is skipped by the reader and drops out when the index is built anew.
 */
export class Postings {
  #heads = new Int32Array(1 << 12)
  #size = 2
  /** entry `e`: the node at `e`, the next entry at `e + 1` (0: none) */
  entries = new Int32Array(1 << 15)

  /** Adds a node to the lists of its terms. */
  add(node: number, terms: Int32Array): void {
    if (this.#size + 2 * terms.length > this.entries.length) {
      this.entries = widened(this.entries, this.#size + 2 * terms.length)
    }
    for (let i = 0; i < terms.length; i++) {
      const term = terms[i] as number
      if (term >= this.#heads.length) this.#heads = widened(this.#heads, term + 1)
      const entry = this.#size
      this.#size += 2
      this.entries[entry] = node
      this.entries[entry + 1] = this.#heads[term] as number
      this.#heads[term] = entry
    }
  }

  /** The first entry of a term's list; 0 is the end of every list. */
  first(term: number): number {
    return term < this.#heads.length ? (this.#heads[term] as number) : 0
  }
}

function widened(values: Int32Array, room: number): Int32Array<ArrayBuffer> {
  let length = values.length
  while (length < room) length *= 2
  const wider = new Int32Array(length)
  wider.set(values)
  return wider
}
