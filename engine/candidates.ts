import type { Features } from './features.ts'
import type { State } from './state.ts'
import { charScale, similarityOf, termWeight, wordScale } from './weights.ts'

const POSTINGS = 256
const SCANNED = 512
const COMPARED = 16
/** A node, its similarity with the statement asked about, and the cosine of both, which is 1 for the same words. */
export type Near = { node: number; score: number; cosine: number }

/** Squared lengths of a statement's two blocks of terms. */
type Lengths = { words: number; chars: number }

/**
 * Finds the kept statements nearest to a given one. Holds working memory, so that one is made per batch and not per
 * statement. Cost per question: about 1,024 index entries and 24 comparisons, whatever the state's size.
 */
export class Finder {
  #state: State
  #query = new Float32Array(0)
  #partial = new Float32Array(0)
  #touched: number[] = []
  #order = new Float64Array(1_024)

  constructor(state: State) {
    this.#state = state
  }

  /** The nearest kept statements, best first, at most 24; only approximately complete. */
  nearest(features: Features): Near[] {
    const state = this.#state
    const { vocabulary, postings, nodes } = state
    const { terms, counts, words } = features
    this.#reserve(vocabulary.hashes.length, nodes.length)
    const table = vocabulary.weights()
    const frequency = vocabulary.frequency
    const query = this.#query
    let wordSquares = 0
    let charSquares = 0
    const order = this.#order
    let asks = 0
    for (let i = 0; i < terms.length; i++) {
      const term = terms[i] as number
      const df = frequency[term] as number
      const weight = termWeight(counts[i] as number, df, table)
      query[term] = weight
      if (i < words) wordSquares += weight * weight
      else charSquares += weight * weight
      if (df > 0 && postings.first(term) !== 0) order[asks++] = df * 1_024 + i
    }
    const found = this.#scan(order.subarray(0, asks).sort(), terms, words)
    const asked = { words: wordSquares, chars: charSquares }
    const near: Near[] = []
    for (const node of found) near.push(this.#compare(node, table, asked))
    for (let i = 0; i < terms.length; i++) query[terms[i] as number] = 0
    near.sort((a, b) => b.score - a.score || b.node - a.node)
    return near
  }

  #reserve(terms: number, nodes: number): void {
    if (this.#query.length < terms) this.#query = new Float32Array(terms)
    if (this.#partial.length < nodes) this.#partial = new Float32Array(Math.max(1_024, nodes * 2))
  }

  /** The nodes that share the most weight among the rarest terms. */
  #scan(order: Float64Array, terms: Int32Array, words: number): number[] {
    const { postings, nodes } = this.#state
    const partial = this.#partial
    const touched = this.#touched
    const query = this.#query
    const { entries } = postings
    const holes = this.#state.dropped > 0
    touched.length = 0
    let scanned = 0
    for (let k = 0; k < order.length && scanned < SCANNED; k++) {
      const place = (order[k] as number) % 1_024
      const term = terms[place] as number
      const weight = query[term] as number
      const gain = weight * weight * (place < words ? 4 : 1)
      let read = 0
      for (let entry = postings.first(term); entry !== 0 && read < POSTINGS; entry = entries[entry + 1] as number) {
        const node = entries[entry] as number
        if (holes && nodes[node] === null) continue
        read++
        if (partial[node] === 0) touched.push(node)
        partial[node] = (partial[node] as number) + gain
      }
      scanned += read
    }
    let found = touched
    if (touched.length > COMPARED) {
      const least = this.#cutoff(touched)
      found = touched.filter((node) => (partial[node] as number) >= least)
      if (found.length > COMPARED) {
        found.sort((a, b) => (partial[b] as number) - (partial[a] as number) || b - a)
        found.length = COMPARED
      }
    } else found = touched.slice()
    for (const node of touched) partial[node] = 0
    return found
  }

  #cutoff(touched: number[]): number {
    const partial = this.#partial
    const values = new Float32Array(touched.length)
    for (let i = 0; i < touched.length; i++) values[i] = partial[touched[i] as number] as number
    values.sort()
    return values[values.length - COMPARED] as number
  }

  #compare(index: number, table: Float32Array, asked: Lengths): Near {
    const features = this.#state.nodes[index]?.features
    if (!features) return { node: index, score: 0, cosine: 0 }
    const { terms, counts, words } = features
    const frequency = this.#state.vocabulary.frequency
    const query = this.#query
    let wordDot = 0
    let wordSquares = 0
    for (let i = 0; i < words; i++) {
      const term = terms[i] as number
      const weight = termWeight(counts[i] as number, frequency[term] as number, table)
      wordSquares += weight * weight
      wordDot += weight * (query[term] as number)
    }
    let charDot = 0
    let charSquares = 0
    for (let i = words; i < terms.length; i++) {
      const term = terms[i] as number
      const weight = termWeight(counts[i] as number, frequency[term] as number, table)
      charSquares += weight * weight
      charDot += weight * (query[term] as number)
    }
    const word = wordDot * wordScale(wordSquares) * wordScale(asked.words)
    const char = charDot * charScale(charSquares) * charScale(asked.chars)
    const lengths = Math.sqrt((wordSquares + charSquares) * (asked.words + asked.chars))
    return { node: index, score: similarityOf(word + char), cosine: lengths > 0 ? (wordDot + charDot) / lengths : 0 }
  }
}
