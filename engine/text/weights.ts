import type { Features } from './features.ts'
import { termRarity, type Vocabulary } from './vocabulary.ts'

/** Character n-grams beside the stems: 0.7 to 1. */
const WORDS_SHARE = 1 / (1 + 0.7 * 0.7)
const CHARS_SHARE = 1 - WORDS_SHARE
const TRIGRAM_FACTOR = 1.4
/** How much of a statement's length is taken out of its similarity; 1 would be the cosine. */
const LENGTH_POWER = 0.65
/** The evidence that makes a similarity of one half. */
const HALF_SIMILARITY_EVIDENCE = 1.9

const LOG_COUNT = Float32Array.from({ length: 256 }, (_, quarters) =>
  quarters < 4 ? quarters / 4 : 1 + Math.log(quarters / 4),
)

/** What so many quarters of an occurrence count: 1 + log of the occurrences. */
export function logCount(quarters: number): number {
  return LOG_COUNT[quarters] as number
}

/** The weight of a term in a statement before lengths are brought in: (1 + log count) × its rarity, idf^0.5. */
export function termWeight(quarters: number, rarity: number): number {
  return (LOG_COUNT[quarters] as number) * rarity
}

/** What a block of terms of this squared length is multiplied by. */
export function wordScale(squares: number): number {
  return squares > 0 ? Math.sqrt(WORDS_SHARE) / squares ** (LENGTH_POWER / 2) : 0
}

/** The same for character n-grams. */
function ngramScale(squares: number): number {
  return squares > 0 ? Math.sqrt(CHARS_SHARE) / squares ** (LENGTH_POWER / 2) : 0
}

/**
 * The same for pieces of three letters alone: there are fewer of them than of all, so that their lengths are taken out less,
 * and what they say counts more for it.
 */
export function trigramScale(squares: number): number {
  return squares > 0 ? Math.sqrt(CHARS_SHARE * TRIGRAM_FACTOR) / squares ** (LENGTH_POWER / 2) : 0
}

/**
 * Evidence (0 and up) as a similarity from 0 to below 1. Evidence is a product of weights of which a statement's length is taken
 * out only in part: sharing three rare words says more than sharing one, however long the messages are, which the cosine
 * forgets. That makes one threshold serve short questions and long letters alike.
 */
export function similarityOf(evidence: number): number {
  return evidence / (evidence + HALF_SIMILARITY_EVIDENCE)
}

/** The evidence that gives this similarity. */
export function evidenceOf(similarity: number): number {
  return (similarity * HALF_SIMILARITY_EVIDENCE) / (1 - similarity)
}

/**
 * The weights of a statement's terms: the product of two such vectors is the evidence that both say the same. Uses the
 * frequencies of now, so that old statements follow the language of the workspace. Writes to `into` when it is long enough.
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

/** The same of each of these statements, one after the other in memory. */
export function weighAll(statements: readonly Features[], vocabulary: Vocabulary): Float32Array[] {
  const all = new Float32Array(statements.reduce((sum, { terms }) => sum + terms.length, 0))
  let end = 0
  return statements.map((features) => {
    const own = all.subarray(end, end + features.terms.length)
    end += features.terms.length
    return weighTerms(features, vocabulary, own)
  })
}

/** The evidence that a statement with these weights says the same as another, whose weights are in `other` by term. */
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
