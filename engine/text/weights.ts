import type { Features } from './features.ts'
import { termRarity, type Vocabulary } from './vocabulary.ts'

/** Share of stems in a similarity; n-grams have 0.7 of their weight. */
const WORDS_SHARE = 1 / (1 + 0.7 * 0.7)
const CHARS_SHARE = 1 - WORDS_SHARE
const TRIGRAM_FACTOR = 1.4
/** How much length normalisation is applied; 1 would be the cosine. */
const LENGTH_POWER = 0.65
/** The evidence that gives a similarity of one half. */
const HALF_SIMILARITY_EVIDENCE = 1.9

const LOG_COUNT = Float32Array.from({ length: 256 }, (_, quarters) =>
  quarters < 4 ? quarters / 4 : 1 + Math.log(quarters / 4),
)

/** Term frequency weight of a count in quarters: 1 + log(occurrences). */
export function logCount(quarters: number): number {
  return LOG_COUNT[quarters] as number
}

/** Weight of a term before length normalisation: (1 + log count) × idf^0.5. */
export function termWeight(quarters: number, rarity: number): number {
  return (LOG_COUNT[quarters] as number) * rarity
}

/** Length normalisation of a stem block with this squared norm. */
export function wordScale(squares: number): number {
  return squares > 0 ? Math.sqrt(WORDS_SHARE) / squares ** (LENGTH_POWER / 2) : 0
}

/** Length normalisation of an n-gram block. */
function ngramScale(squares: number): number {
  return squares > 0 ? Math.sqrt(CHARS_SHARE) / squares ** (LENGTH_POWER / 2) : 0
}

/** The same for trigrams alone: a smaller block with a smaller norm, hence the extra factor. */
export function trigramScale(squares: number): number {
  return squares > 0 ? Math.sqrt(CHARS_SHARE * TRIGRAM_FACTOR) / squares ** (LENGTH_POWER / 2) : 0
}

/**
 * Converts evidence (0 and up) into a similarity from 0 to below 1. Evidence is a dot product with partial length
 * normalisation: sharing three rare words counts more than sharing one, however long the messages are. That lets one
 * threshold serve short questions and long letters.
 */
export function similarityOf(evidence: number): number {
  return evidence / (evidence + HALF_SIMILARITY_EVIDENCE)
}

/** The evidence that gives this similarity. */
export function evidenceOf(similarity: number): number {
  return (similarity * HALF_SIMILARITY_EVIDENCE) / (1 - similarity)
}

/**
 * The weights of a statement's terms; the dot product of two such vectors is the evidence that both say the same.
 * Uses the current document frequencies. Writes to `into` if it is long enough.
 */
export function weighTerms(features: Features, vocabulary: Vocabulary, into?: Float32Array): Float32Array {
  const { terms, counts, words } = features
  const out = into && into.length >= terms.length ? into : new Float32Array(terms.length)
  const table = vocabulary.weights()
  const { frequency } = vocabulary
  let wordSquares = 0
  let charSquares = 0
  for (let i = 0; i < terms.length; i++) {
    const weight = termWeight(counts[i] as number, termRarity(table, frequency[terms[i] as number] as number))
    out[i] = weight
    if (i < words) wordSquares += weight * weight
    else charSquares += weight * weight
  }
  const word = wordScale(wordSquares)
  const char = ngramScale(charSquares)
  for (let i = 0; i < terms.length; i++) out[i] = (out[i] as number) * (i < words ? word : char)
  return out
}

/** `weighTerms` of each statement, in one contiguous buffer. */
export function weighAll(statements: readonly Features[], vocabulary: Vocabulary): Float32Array[] {
  const all = new Float32Array(statements.reduce((sum, { terms }) => sum + terms.length, 0))
  let end = 0
  return statements.map((features) => {
    const own = all.subarray(end, end + features.terms.length)
    end += features.terms.length
    return weighTerms(features, vocabulary, own)
  })
}

/** The evidence between a statement with these weights and another, whose weights `other` holds by term id. */
export function sharedEvidence({ terms }: Features, weights: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let t = 0; t < terms.length; t++) sum += (weights[t] as number) * (other[terms[t] as number] as number)
  return sum
}

/** The similarity of two statements, 0 to below 1. */
export function similarity(a: Features, b: Features, vocabulary: Vocabulary): number {
  const left = new Map<number, number>()
  const leftWeights = weighTerms(a, vocabulary)
  for (let i = 0; i < a.terms.length; i++) left.set(a.terms[i] as number, leftWeights[i] as number)
  const rightWeights = weighTerms(b, vocabulary)
  let sum = 0
  for (let i = 0; i < b.terms.length; i++) sum += (left.get(b.terms[i] as number) ?? 0) * (rightWeights[i] as number)
  return similarityOf(sum)
}
