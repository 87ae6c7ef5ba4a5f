import type { Features } from '../text/features.ts'
import { combinedEvidence, cosine, type StatementVectors, withValues } from '../text/statement-vectors.ts'
import type { Vocabulary } from '../text/vocabulary.ts'
import { sharedEvidence, similarityOf, weighAll } from '../text/weights.ts'
import type { Pairs } from './similarity/nearest-pairs.ts'

/** Only pairs of at least this similarity are smoothed. */
const MIN_SMOOTHING_SIMILARITY = 0.55
/** Neighbours are weighted by this power of their similarity. */
const SIMILARITY_POWER = 4

/**
 * Moves each vector halfway towards the mean of its close neighbours, so that messages borrow what others say in more
 * words. Vectors without close neighbours are unchanged, so that outliers are not drawn in.
 */
export function smoothVectors(vectors: StatementVectors, { from, to, scores }: Pairs): StatementVectors {
  const { dimensions, values, known } = vectors
  const sums = new Float32Array(values.length)
  const weights = new Float32Array(known.length)
  const lend = (giver: number, taker: number, weight: number) => {
    weights[taker] = (weights[taker] as number) + weight
    const at = giver * dimensions
    const into = taker * dimensions
    for (let i = 0; i < dimensions; i++)
      sums[into + i] = (sums[into + i] as number) + weight * (values[at + i] as number)
  }
  for (let p = 0; p < from.length; p++) {
    const score = scores[p] as number
    const a = from[p] as number
    const b = to[p] as number
    if (score < MIN_SMOOTHING_SIMILARITY || known[a] === 0 || known[a] !== known[b]) continue
    lend(a, b, score ** SIMILARITY_POWER)
    lend(b, a, score ** SIMILARITY_POWER)
  }
  const moved = Float32Array.from(values)
  for (let place = 0; place < known.length; place++) {
    const weight = weights[place] as number
    if (weight === 0) continue
    const at = place * dimensions
    for (let i = at; i < at + dimensions; i++) moved[i] = (moved[i] as number) + (sums[i] as number) / weight
  }
  return withValues(vectors, moved)
}

/** Rescores pairs with other vectors. Keeps, per statement, the `k` best of at least `minScore`. */
export function rescorePairs(
  { from, to }: Pairs,
  statements: Features[],
  vocabulary: Vocabulary,
  vectors: StatementVectors,
  k: number,
  minScore: number,
): Pairs {
  const { known, lengthFactors, languages } = vectors
  const weights = weighAll(statements, vocabulary)
  const own = new Float32Array(vocabulary.size)
  const others: number[][] = statements.map(() => [])
  from.forEach((place, pair) => {
    ;(others[place] as number[]).push(pair)
  })
  const scores = new Float32Array(from.length)
  const ranked: number[][] = statements.map(() => [])
  statements.forEach(({ terms }, place) => {
    if (others[place]?.length === 0) return
    for (let t = 0; t < terms.length; t++) own[terms[t] as number] = weights[place]?.[t] as number
    for (const pair of others[place] as number[]) {
      const other = to[pair] as number
      const shared = sharedEvidence(statements[other] as Features, weights[other] as Float32Array, own)
      const evidence =
        known[place] === 0 || known[other] === 0
          ? shared
          : combinedEvidence(
              shared,
              cosine(vectors, place, other),
              (lengthFactors[place] as number) * (lengthFactors[other] as number),
              languages[place] !== languages[other],
            )
      scores[pair] = similarityOf(evidence)
      if ((scores[pair] as number) < minScore) continue
      ranked[place]?.push(pair)
      ranked[other]?.push(pair)
    }
    for (let t = 0; t < terms.length; t++) own[terms[t] as number] = 0
  })
  const kept = new Set<number>()
  for (const pairs of ranked) {
    pairs.sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b)
    for (const pair of pairs.slice(0, k)) kept.add(pair)
  }
  const chosen = [...kept].sort((a, b) => a - b)
  return {
    from: Int32Array.from(chosen, (pair) => from[pair] as number),
    to: Int32Array.from(chosen, (pair) => to[pair] as number),
    scores: Float32Array.from(chosen, (pair) => scores[pair] as number),
  }
}
