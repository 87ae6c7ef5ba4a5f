import type { Features } from '../../text/features.ts'
import { addVectorEvidence, type StatementVectors, sketchesOf } from '../../text/statement-vectors.ts'
import type { Vocabulary } from '../../text/vocabulary.ts'
import { evidenceOf, similarityOf, weighAll } from '../../text/weights.ts'

/** Pairs of similar statements, `from[i] < to[i]`, with their similarity. */
export type Pairs = { from: Int32Array; to: Int32Array; scores: Float32Array }

/**
 * Every pair in which one is among the `k` nearest of the other, with a similarity of at least `minScore`. Cost: the
 * sum over terms of half the squared number of statements that hold the term.
 */
export function nearestPairs(
  statements: Features[],
  vocabulary: Vocabulary,
  k: number,
  minScore: number,
  vectors?: StatementVectors,
): Pairs {
  const size = statements.length
  const { starts, held } = invert(statements, vocabulary)
  const total = starts.at(-1) ?? 0
  const holders: Holders = { ids: new Int32Array(total), weights: new Float32Array(total), fill: starts.slice() }
  const nearest = new Int32Array(size * k)
  const scores = new Float32Array(size * k)
  const filled = new Int32Array(size)
  const sums = new Float32Array(size)
  const minEvidence = evidenceOf(minScore)
  const sketches = vectors && sketchesOf(vectors)
  for (let i = 0; i < size; i++) {
    addEvidence(held[i] as Weighted, starts, holders, sums)
    if (vectors && sketches) addVectorEvidence(vectors, sketches, i, sums)
    for (let j = 0; j < i; j++) {
      const score = sums[j] as number
      if (score >= minEvidence) {
        offer(i, j, score, k, nearest, scores, filled)
        offer(j, i, score, k, nearest, scores, filled)
      }
    }
    sums.fill(0, 0, i)
    addHolder(i, held[i] as Weighted, holders)
  }
  return collectPairs(size, k, nearest, scores, filled)
}

type Weighted = { terms: Int32Array; weights: Float32Array }

/** Inverted index of the statements so far: a term's entries run from its start to its fill. */
type Holders = { ids: Int32Array; weights: Float32Array; fill: Int32Array }

/** Adds to `sums` the word evidence between each earlier statement and this one. */
function addEvidence({ terms, weights }: Weighted, starts: Int32Array, holders: Holders, sums: Float32Array): void {
  const { ids, weights: theirs, fill } = holders
  for (let t = 0; t < terms.length; t++) {
    const term = terms[t] as number
    const weight = weights[t] as number
    const until = fill[term] as number
    for (let at = starts[term] as number; at < until; at++) {
      const other = ids[at] as number
      sums[other] = (sums[other] as number) + weight * (theirs[at] as number)
    }
  }
}

function addHolder(statement: number, { terms, weights }: Weighted, { ids, weights: theirs, fill }: Holders): void {
  for (let t = 0; t < terms.length; t++) {
    const at = fill[terms[t] as number] as number
    ids[at] = statement
    theirs[at] = weights[t] as number
    fill[terms[t] as number] = at + 1
  }
}

/** The statements with weights and with terms renumbered from 0, and the offset of each term's entries. */
function invert(statements: Features[], vocabulary: Vocabulary): { starts: Int32Array; held: Weighted[] } {
  const numbers = new Int32Array(vocabulary.size)
  const weights = weighAll(statements, vocabulary)
  const all = new Int32Array(statements.reduce((sum, { terms }) => sum + terms.length, 0))
  const lengths: number[] = []
  let end = 0
  const held = statements.map(({ terms }, place): Weighted => {
    const first = end
    for (let t = 0; t < terms.length; t++) {
      const term = terms[t] as number
      if (numbers[term] === 0) numbers[term] = lengths.push(0)
      const number = (numbers[term] as number) - 1
      lengths[number] = (lengths[number] as number) + 1
      all[end++] = number
    }
    return { terms: all.subarray(first, end), weights: weights[place] as Float32Array }
  })
  const starts = new Int32Array(lengths.length + 1)
  for (let term = 0; term < lengths.length; term++)
    starts[term + 1] = (starts[term] as number) + (lengths[term] as number)
  return { starts, held }
}

/** Keeps the k best of a node in a min-heap. */
function offer(
  node: number,
  other: number,
  score: number,
  k: number,
  nearest: Int32Array,
  scores: Float32Array,
  filled: Int32Array,
): void {
  const base = node * k
  let at = filled[node] as number
  if (at < k) {
    filled[node] = at + 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if ((scores[base + parent] as number) <= score) break
      scores[base + at] = scores[base + parent] as number
      nearest[base + at] = nearest[base + parent] as number
      at = parent
    }
  } else {
    if (score <= (scores[base] as number)) return
    at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= k) break
      if (child + 1 < k && (scores[base + child + 1] as number) < (scores[base + child] as number)) child++
      if ((scores[base + child] as number) >= score) break
      scores[base + at] = scores[base + child] as number
      nearest[base + at] = nearest[base + child] as number
      at = child
    }
  }
  scores[base + at] = score
  nearest[base + at] = other
}

function collectPairs(size: number, k: number, nearest: Int32Array, scores: Float32Array, filled: Int32Array): Pairs {
  const from: number[] = []
  const to: number[] = []
  const kept: number[] = []
  for (let i = 0; i < size; i++) {
    for (let s = 0; s < (filled[i] as number); s++) {
      const j = nearest[i * k + s] as number
      if (j > i || !isListed(nearest, filled, k, j, i)) {
        from.push(Math.min(i, j))
        to.push(Math.max(i, j))
        kept.push(similarityOf(scores[i * k + s] as number))
      }
    }
  }
  return { from: Int32Array.from(from), to: Int32Array.from(to), scores: Float32Array.from(kept) }
}

function isListed(nearest: Int32Array, filled: Int32Array, k: number, node: number, other: number): boolean {
  for (let s = 0; s < (filled[node] as number); s++) if (nearest[node * k + s] === other) return true
  return false
}
