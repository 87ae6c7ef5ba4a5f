import type { Features } from './features.ts'
import type { Language } from './language.ts'
import type { Vocabulary } from './vocabulary.ts'
import { addWordVector, DIMENSIONS } from './word-vectors.ts'

/** The word-vector table must know at least this share of a statement's words. */
const MIN_KNOWN_SHARE = 0.5
/** The same for other languages: their tables are smaller, and unknown words are often the distinctive ones. */
const MIN_KNOWN_SHARE_NON_ENGLISH = 0.8
/** With fewer vectors than this the mean is damped. */
const MIN_CENTRING_COUNT = 50
/** The mean is shortened to this length before it is subtracted: if all statements say the same, the mean is their meaning. */
const MAX_MEAN_LENGTH = 0.5

/** What a row is made of: nothing, the vectors of its words, or a sentence vector. */
export const UNKNOWN = 0
export const WORDS = 1
export const SENTENCE = 2

/** The share of the words' vectors in the cosine of two statements that both have a sentence vector. */
const WORDS_WEIGHT = 0.2
/** All statements of a workspace share its subject. This is the mean cosine that is left of it in sentence vectors. */
const RESIDUAL_MEAN_COSINE = 0.08

/** The factor for the dot product of two rows when only one has a sentence vector. */
export const MIXED_FACTOR = 1 / Math.sqrt(WORDS_WEIGHT)

/**
 * One unit vector per statement, stored row by row (`dimensions` values each); all 0 if unknown. `known`: `UNKNOWN`, `WORDS`
 * (the last `DIMENSIONS` values, from the built-in table) or `SENTENCE` (those of a sentence encoder and, after them, of the table).
 */
export type VectorRows = { dimensions: number; values: Float32Array; known: Uint8Array }

type Said = { features: Features; language: Language }

/**
 * The vectors of statements: of a sentence encoder where they have one, together with sums of word vectors, else the latter alone. Mean
 * vectors are subtracted, because all feedback on one product is somewhat similar.
 */
export function vectorRows(statements: readonly Said[], vocabulary: Vocabulary): VectorRows {
  const words = wordRows(statements, vocabulary)
  const sentences = sentenceRows(statements.map(({ features }) => features))
  return sentences ? joined(words, sentences) : words
}

function wordRows(statements: readonly Said[], vocabulary: Vocabulary): VectorRows {
  const values = new Float32Array(statements.length * DIMENSIONS)
  const known = new Uint8Array(statements.length)
  statements.forEach(({ features, language }, place) => {
    const at = place * DIMENSIONS
    if (!sumWords(features, language, vocabulary, values, at)) values.fill(0, at, at + DIMENSIONS)
    else if (normalise(values, at, DIMENSIONS)) known[place] = WORDS
  })
  centre(values, known, DIMENSIONS)
  return { dimensions: DIMENSIONS, values, known }
}

/** The vectors of a sentence encoder, without those of words; null if no statement has one. */
export function sentenceRows(statements: readonly Pick<Features, 'vector'>[]): VectorRows | null {
  const dimensions = statements.find(({ vector }) => vector)?.vector?.length ?? 0
  if (dimensions === 0) return null
  const values = new Float32Array(statements.length * dimensions)
  const known = new Uint8Array(statements.length)
  statements.forEach(({ vector }, place) => {
    if (vector?.length !== dimensions) return
    values.set(vector, place * dimensions)
    if (normalise(values, place * dimensions, dimensions)) known[place] = SENTENCE
  })
  centreTo(RESIDUAL_MEAN_COSINE, values, known, dimensions)
  return { dimensions, values, known }
}

/** Rows of both, one after the other: sentence vectors first. */
function joined(words: VectorRows, sentences: VectorRows): VectorRows {
  const size = words.known.length
  const dimensions = sentences.dimensions + words.dimensions
  const values = new Float32Array(size * dimensions)
  const known = words.known.slice()
  for (let place = 0; place < size; place++) {
    const at = place * dimensions
    const hasSentence = sentences.known[place] === SENTENCE
    const share = !hasSentence ? 1 : words.known[place] === UNKNOWN ? 0 : WORDS_WEIGHT
    if (hasSentence) known[place] = SENTENCE
    const put = ({ values: from, dimensions: width }: VectorRows, offset: number, weight: number) => {
      for (let i = 0; i < width; i++) values[at + offset + i] = weight * (from[place * width + i] as number)
    }
    if (share < 1) put(sentences, 0, Math.sqrt(1 - share))
    if (share > 0) put(words, sentences.dimensions, Math.sqrt(share))
  }
  return { dimensions, values, known }
}

/** Subtracts as much of the mean vector as leaves a mean cosine of `residual`; nothing if it is lower. */
function centreTo(residual: number, values: Float32Array, known: Uint8Array, dimensions: number): void {
  const mean = new Float32Array(dimensions)
  let size = 0
  for (let place = 0; place < known.length; place++) {
    if (known[place] === UNKNOWN) continue
    size++
    for (let i = 0; i < dimensions; i++) mean[i] = (mean[i] as number) + (values[place * dimensions + i] as number)
  }
  for (let i = 0; i < dimensions; i++) mean[i] = (mean[i] as number) / Math.max(size, MIN_CENTRING_COUNT)
  const cosine = mean.reduce((sum, value) => sum + value * value, 0)
  if (cosine <= residual) return
  // (1 - s)² c / (1 - 2 s c + s² c) = residual, for the share s of a mean whose squared length c is the mean cosine
  const a = cosine * (1 - residual)
  const root = Math.sqrt(residual * a * (1 - cosine))
  const taken = (a - root) / a
  for (let place = 0; place < known.length; place++) {
    if (known[place] === UNKNOWN) continue
    const at = place * dimensions
    for (let i = 0; i < dimensions; i++) values[at + i] = (values[at + i] as number) - taken * (mean[i] as number)
    if (!normalise(values, at, dimensions)) known[place] = UNKNOWN
  }
}

function sumWords(
  { terms, counts, words }: Features,
  language: Language,
  vocabulary: Vocabulary,
  values: Float32Array,
  at: number,
): boolean {
  let found = 0
  for (let i = 0; i < words; i++) {
    const hash = vocabulary.hashes[terms[i] as number] as number
    if (addWordVector(hash, language, (counts[i] as number) / 4, values, at)) found++
  }
  return found > 0 && found >= words * (language === 'en' ? MIN_KNOWN_SHARE : MIN_KNOWN_SHARE_NON_ENGLISH)
}

/** Scales a row to length 1. False, changing nothing, if it is all 0. */
export function normalise(values: Float32Array, at: number, dimensions: number): boolean {
  let squares = 0
  for (let i = at; i < at + dimensions; i++) squares += (values[i] as number) ** 2
  if (squares === 0) return false
  const scale = 1 / Math.sqrt(squares)
  for (let i = at; i < at + dimensions; i++) values[i] = (values[i] as number) * scale
  return true
}

function centre(values: Float32Array, known: Uint8Array, dimensions: number): void {
  const mean = new Float32Array(dimensions)
  let size = 0
  for (let place = 0; place < known.length; place++) {
    if (known[place] === 0) continue
    size++
    for (let i = 0; i < dimensions; i++) mean[i] = (mean[i] as number) + (values[place * dimensions + i] as number)
  }
  const share = 1 / Math.max(size, MIN_CENTRING_COUNT)
  const length = share * Math.sqrt(mean.reduce((sum, value) => sum + value * value, 0))
  const taken = length > MAX_MEAN_LENGTH ? (share * MAX_MEAN_LENGTH) / length : share
  for (let place = 0; place < known.length; place++) {
    if (known[place] === 0) continue
    const at = place * dimensions
    for (let i = 0; i < dimensions; i++) values[at + i] = (values[at + i] as number) - taken * (mean[i] as number)
    if (!normalise(values, at, dimensions)) known[place] = 0
  }
}
