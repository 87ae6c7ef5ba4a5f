import { reindex, type State } from '../../state/state.ts'
import type { Features } from '../../text/features.ts'
import { termRarity } from '../../text/vocabulary.ts'
import { logCount, similarityOf, trigramScale, wordScale } from '../../text/weights.ts'
import { heapify, takeSmallest } from './heap.ts'
import type { NormCache } from './norms.ts'
import { MAX_READ } from './postings.ts'

const MAX_SCANNED = 512
const MAX_COMPARED = 16
/** Higher frequencies are treated as equal. */
const MAX_FREQUENCY = 1 << 20
/** The search ends early when this many neighbours are all in one issue. */
const UNANIMOUS_COUNT = 6
/** From this similarity on, a neighbour votes for its issue. */
export const MIN_SIMILARITY = 0.52
/** From this cosine on, a statement adds nothing to the kept one. */
export const DUPLICATE_COSINE = 0.93
/** A kept statement, its issue, its similarity to the query, and their cosine (1 for equal words). */
export type Neighbour = { node: number; issue: number; score: number; cosine: number }

/** The query's squared norm (without 4- and 5-grams) and the length normalisation of each block. */
type Query = { squares: number; words: number; chars: number }

const finders = new WeakMap<State, NeighbourFinder>()

/** The finder of a state, created once because its working memory grows with the vocabulary. */
export function finderFor(state: State): NeighbourFinder {
  let finder = finders.get(state)
  if (!finder) {
    finder = new NeighbourFinder(state)
    finders.set(state, finder)
  }
  return finder
}

/**
 * Finds the kept statements nearest to a query. Owns working memory, see `finderFor`. Cost per query: about 512 index
 * entries and at most 16 comparisons, independent of the state's size.
 */
export class NeighbourFinder {
  #state: State
  /** by term: what one occurrence in a kept statement adds to the shared weight */
  #query = new Float32Array(0)
  /** by node: the weight shared with the query among the terms read so far */
  #partial = new Float32Array(0)
  /** nodes with a nonzero `#partial`, possibly repeated: checking for repeats would cost more */
  #touched = new Int32Array(MAX_SCANNED + MAX_READ)
  /** the query's indexed terms as frequency × 1,024 + position, a min-heap: the rarest first */
  #heap = new Int32Array(1_024)
  #waiting = 0
  #best = new Int32Array(MAX_COMPARED)
  /** shared weight of each */
  #shares = new Float32Array(MAX_COMPARED)
  #own: NormCache | undefined

  /** With its own `norms` it does not change the state. */
  constructor(state: State, lengths?: NormCache) {
    this.#state = state
    this.#own = lengths
  }

  /**
   * The nearest kept statements, best first, at most 16; approximate. Fewer if the first ones agree on one issue and
   * the state has no rules.
   */
  nearest(features: Features): Neighbour[] {
    const { vocabulary, postings, dropped } = this.#state
    const { terms } = features
    if (!postings.isUsable(dropped)) reindex(this.#state)
    this.#reserve(vocabulary.hashes.length, this.#state.nodes.length)
    const asked = this.#ask(features)
    const found = this.#scan(features)
    const near: Neighbour[] = []
    let agree = this.#state.rules.size === 0
    let first: Neighbour | undefined
    for (let i = 0; i < found; i++) {
      const one = this.#compare(this.#best[i] as number, asked)
      first ??= one
      insertSorted(near, one)
      agree &&= one.issue > 0 && one.score >= MIN_SIMILARITY && one.issue === first.issue
      if (agree && (near.length === UNANIMOUS_COUNT || one.cosine >= DUPLICATE_COSINE)) break
    }
    for (let i = 0; i < features.short; i++) this.#query[terms[i] as number] = 0
    return near
  }

  #reserve(terms: number, nodes: number): void {
    if (this.#query.length < terms) this.#query = new Float32Array(terms)
    if (this.#partial.length < nodes) this.#partial = new Float32Array(Math.max(1_024, nodes * 2))
  }

  /** Spreads the query's term weights by term, and queues the terms that others hold by rarity. */
  #ask({ terms, counts, words, short }: Features): Query {
    const { vocabulary } = this.#state
    const { frequency } = vocabulary
    const table = vocabulary.weights()
    const query = this.#query
    const heap = this.#heap
    let waiting = 0
    let wordSquares = 0
    let charSquares = 0
    for (let i = 0; i < short; i++) {
      const term = terms[i] as number
      const held = frequency[term] as number
      const rarity = termRarity(table, held)
      const weight = logCount(counts[i] as number) * rarity
      query[term] = weight * rarity
      if (i < words) wordSquares += weight * weight
      else charSquares += weight * weight
      if (held > 0) heap[waiting++] = Math.min(held, MAX_FREQUENCY) * 1_024 + i
    }
    heapify(heap, waiting)
    this.#waiting = waiting
    return { squares: wordSquares + charSquares, words: wordScale(wordSquares), chars: trigramScale(charSquares) }
  }

  /** Fills `#best` with the nodes that share the most weight among the rarest terms. Returns how many. */
  #scan({ terms, counts, words }: Features): number {
    const { postings, nodes, dropped } = this.#state
    const { nodes: holders, spans } = postings
    const partial = this.#partial
    const touched = this.#touched
    const query = this.#query
    const heap = this.#heap
    let scanned = 0
    let met = 0
    for (let left = this.#waiting; left > 0 && scanned < MAX_SCANNED; left--) {
      const place = takeSmallest(heap, left) & 1_023
      const term = terms[place] as number
      const held = spans[2 * term + 1]
      if (!held) continue
      const gain = (query[term] as number) * logCount(counts[place] as number) * (place < words ? 4 : 1)
      const start = spans[2 * term] as number
      let read = 0
      for (let at = start + held - 1; at >= start && read < MAX_READ; at--) {
        const node = holders[at] as number
        if (dropped > 0 && nodes[node] === null) continue
        read++
        touched[met++] = node
        partial[node] = (partial[node] as number) + gain
      }
      scanned += read
    }
    return this.#choose(met)
  }

  /** Fills `#best` with the touched nodes that share most, newest first among equals, and clears `#partial`. */
  #choose(met: number): number {
    const partial = this.#partial
    const best = this.#best
    const shares = this.#shares
    let found = 0
    let least = 0
    for (let i = 0; i < met; i++) {
      const node = this.#touched[i] as number
      const shared = partial[node] as number
      partial[node] = 0
      if (shared === 0 || shared < least) continue
      let at = found
      while (at > 0) {
        const theirs = shares[at - 1] as number
        if (theirs > shared || (theirs === shared && (best[at - 1] as number) > node)) break
        at--
      }
      if (at === MAX_COMPARED) continue
      if (found < MAX_COMPARED) found++
      for (let place = found - 1; place > at; place--) {
        best[place] = best[place - 1] as number
        shares[place] = shares[place - 1] as number
      }
      best[at] = node
      shares[at] = shared
      if (found === MAX_COMPARED) least = shares[MAX_COMPARED - 1] as number
    }
    return found
  }

  #compare(node: number, asked: Query): Neighbour {
    const { forwardIndex, vocabulary } = this.#state
    const lengths = this.#own ?? this.#state.norms
    lengths.refresh(node, forwardIndex, vocabulary)
    forwardIndex.dotProduct(node, this.#query)
    const word = forwardIndex.words * lengths.wordScale(node) * asked.words
    const char = forwardIndex.chars * lengths.ngramScale(node) * asked.chars
    const both = Math.sqrt((lengths.words(node) + lengths.chars(node)) * asked.squares)
    const cosine = both > 0 ? (forwardIndex.words + forwardIndex.chars) / both : 0
    return { node, issue: forwardIndex.issue(node), score: similarityOf(word + char), cosine }
  }
}

/** Inserts into a list sorted by similarity, newest first among equals. */
function insertSorted(near: Neighbour[], one: Neighbour): void {
  let at = near.push(one) - 1
  for (; at > 0; at--) {
    const other = near[at - 1] as Neighbour
    if (other.score > one.score || (other.score === one.score && other.node > one.node)) break
    near[at] = other
  }
  near[at] = one
}
