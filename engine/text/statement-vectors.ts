import { seededRandom } from '../clustering/random.ts'
import type { Features } from './features.ts'
import type { Language } from './language.ts'
import type { Vocabulary } from './vocabulary.ts'
import { addWordVector, DIMENSIONS } from './word-vectors.ts'

/** The word-vector table must know at least this share of a statement's words. */
const MIN_KNOWN_SHARE = 0.5
/** The same for other languages: their tables are smaller, and unknown words are often the distinctive ones. */
const MIN_KNOWN_SHARE_NON_ENGLISH = 0.8
/** Below this cosine, vectors add no evidence. */
const MIN_COSINE = 0.3
/** The evidence of two statements of eight words with equal vectors. */
const SAME_MEANING_EVIDENCE = 2
/** How much more vector similarity counts for longer statements. */
const LENGTH_EXPONENT = 0.8
const TYPICAL_WORDS = 8
/** Scale of combined evidence relative to that of words alone. */
const COMBINED_SCALE = 0.76
/**
 * Statements in different languages share few words even when they say the same. They are credited with part of the
 * word evidence that statements of one language have at the same cosine: this much per 1 of cosine above the minimum.
 * The lower quartile of that evidence is 0.7 at a cosine of 0.5, 1.4 at 0.7 and 2.7 at 0.9 (CLINC150 and HWU64).
 */
const TRANSLATION_EVIDENCE = 3

/** Bits of a sketch: the sides of random hyperplanes on which a vector lies. */
const SKETCH_BITS = 64
const SKETCH_WORDS = SKETCH_BITS / 32
/**
 * Vectors with a cosine of 0.45 differ in about 22 bits, unrelated ones in 32; above this Hamming distance the cosine
 * is not computed.
 */
const MAX_SKETCH_DISTANCE = 28
/** The same for statements that share almost no words: only a cosine of 0.65 or more (about 18 bits) can link them. */
const MAX_SKETCH_DISTANCE_ALONE = 24
const LITTLE_EVIDENCE = 0.25
/** With this much word evidence the cosine is always computed. */
const STRONG_EVIDENCE = 1

/** What a row is made of. */
export const UNKNOWN = 0
export const WORDS = 1
export const SENTENCE = 2

/** The share of the words' vectors in the cosine of two statements that both have a sentence vector. */
const WORDS_WEIGHT = 0.2
/** Statements of one workspace are alike in what it is about: so much of that is left of a sentence vector. */
const RESIDUAL_MEAN_COSINE = 0.08

/**
 * One unit vector per statement, stored row by row (`dimensions` values each); all 0 if unknown. `known`: `UNKNOWN`, `WORDS`
 * (the last `DIMENSIONS` values, from the built-in table) or `SENTENCE` (those of a sentence encoder before them, both weighted).
 * `sketches`: random-hyperplane sketches for quick rejection. `lengthFactors`: see `lengthFactor`. `languages`: by
 * statement.
 */
export type StatementVectors = {
  dimensions: number
  values: Float32Array
  known: Uint8Array
  sketches: Int32Array
  lengthFactors: Float32Array
  languages: Language[]
}

/** Stores an external vector compactly: unit length in steps of 1/508, clamped to ±127/508. */
export function quantise(vector: ArrayLike<number>): Int8Array {
  let squares = 0
  for (let i = 0; i < vector.length; i++) squares += (vector[i] as number) ** 2
  const scale = squares > 0 ? 508 / Math.sqrt(squares) : 0
  return Int8Array.from(vector, (value) => Math.max(-127, Math.min(127, Math.round(value * scale))))
}

/**
 * The vectors of statements: external ones if the workspace has them, else sums of word vectors. The mean vector is
 * subtracted, because all feedback on one product is somewhat similar.
 */
export function statementVectors(
  statements: { features: Features; language: Language }[],
  vocabulary: Vocabulary,
): StatementVectors {
  const words = wordRows(statements, vocabulary)
  const sentences = sentenceRows(statements)
  const { values, known, dimensions } = sentences ? joined(words, sentences) : words
  const lengthFactors = Float32Array.from(statements, ({ features }) => lengthFactor(features.words))
  const languages = statements.map(({ language }) => language)
  return { dimensions, values, known, sketches: sketchesOf(values, known, dimensions), lengthFactors, languages }
}

type Rows = Pick<StatementVectors, 'dimensions' | 'values' | 'known'>

function wordRows(statements: { features: Features; language: Language }[], vocabulary: Vocabulary): Rows {
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

/** Null if no statement has a sentence vector. */
function sentenceRows(statements: { features: Features }[]): Rows | null {
  const dimensions = statements.find(({ features }) => features.vector)?.features.vector?.length ?? 0
  if (dimensions === 0) return null
  const values = new Float32Array(statements.length * dimensions)
  const known = new Uint8Array(statements.length)
  statements.forEach(({ features }, place) => {
    const at = place * dimensions
    if (copy(features, values, at, dimensions) && normalise(values, at, dimensions)) known[place] = SENTENCE
  })
  centreTo(RESIDUAL_MEAN_COSINE, values, known, dimensions)
  return { dimensions, values, known }
}

/** Rows of both, one after the other: sentence vectors first. */
function joined(words: Rows, sentences: Rows): Rows {
  const size = words.known.length
  const dimensions = sentences.dimensions + words.dimensions
  const values = new Float32Array(size * dimensions)
  const known = words.known.slice()
  for (let place = 0; place < size; place++) {
    const at = place * dimensions
    const hasSentence = sentences.known[place] === SENTENCE
    const share = !hasSentence ? 1 : words.known[place] === UNKNOWN ? 0 : WORDS_WEIGHT
    if (hasSentence) known[place] = SENTENCE
    const put = ({ values: from, dimensions: width }: Rows, offset: number, weight: number) => {
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

function copy({ vector }: Features, values: Float32Array, at: number, dimensions: number): boolean {
  if (vector?.length !== dimensions) return false
  values.set(vector, at)
  return true
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

function normalise(values: Float32Array, at: number, dimensions: number): boolean {
  let squares = 0
  for (let i = at; i < at + dimensions; i++) squares += (values[i] as number) ** 2
  if (squares === 0) return false
  const scale = 1 / Math.sqrt(squares)
  for (let i = at; i < at + dimensions; i++) values[i] = (values[i] as number) * scale
  return true
}

/** With fewer vectors than this the mean is damped. */
const MIN_CENTRING_COUNT = 50
/** At most this length of the mean is subtracted: where all statements say the same, the mean is what they say. */
const MAX_MEAN_LENGTH = 0.5

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

function sketchesOf(values: Float32Array, known: Uint8Array, dimensions: number): Int32Array {
  const random = seededRandom(dimensions)
  const planes = Float32Array.from({ length: SKETCH_BITS * dimensions }, () => random() + random() + random() - 1.5)
  const sketches = new Int32Array(known.length * SKETCH_WORDS)
  for (let place = 0; place < known.length; place++) {
    if (known[place] === 0) continue
    const at = place * dimensions
    for (let plane = 0; plane < SKETCH_BITS; plane++) {
      let side = 0
      for (let i = 0; i < dimensions; i++)
        side += (values[at + i] as number) * (planes[plane * dimensions + i] as number)
      if (side > 0) {
        const word = place * SKETCH_WORDS + (plane >> 5)
        sketches[word] = (sketches[word] as number) | (1 << (plane & 31))
      }
    }
  }
  return sketches
}

function popCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** The cosine of two rows; of what both have if only one has a sentence vector. */
export function cosine({ dimensions, values, known }: StatementVectors, a: number, b: number): number {
  const from = a * dimensions
  const other = b * dimensions
  let sum = 0
  for (let i = 0; i < dimensions; i++) sum += (values[from + i] as number) * (values[other + i] as number)
  return known[a] === known[b] ? sum : sum * MIXED_FACTOR
}

/** What the dot product of rows of which only one has a sentence vector is multiplied by. */
export const MIXED_FACTOR = 1 / Math.sqrt(WORDS_WEIGHT)

/**
 * Replaces the word evidence in `sums` of each statement before `place` by the combined evidence, see
 * `combinedEvidence`. Skips the cosine where the sketches are too far apart.
 */
export function addVectorEvidence(vectors: StatementVectors, place: number, sums: Float32Array): void {
  const { known, sketches, lengthFactors, languages } = vectors
  if (known[place] === 0) return
  const a = sketches[place * SKETCH_WORDS] as number
  const b = sketches[place * SKETCH_WORDS + 1] as number
  const length = lengthFactors[place] as number
  const language = languages[place]
  for (let j = 0; j < place; j++) {
    if (known[j] === 0) continue
    const shared = sums[j] as number
    const at = j * SKETCH_WORDS
    const differ = popCount((sketches[at] as number) ^ a) + popCount((sketches[at + 1] as number) ^ b)
    const translated = languages[j] !== language
    const far =
      known[place] === known[j] &&
      shared < STRONG_EVIDENCE &&
      differ > (shared < LITTLE_EVIDENCE && !translated ? MAX_SKETCH_DISTANCE_ALONE : MAX_SKETCH_DISTANCE)
    sums[j] = far
      ? shared * COMBINED_SCALE
      : combinedEvidence(shared, cosine(vectors, place, j), length * (lengthFactors[j] as number), translated)
  }
}

/** The cosine of a row and a unit vector. */
export function cosineWith({ dimensions, values }: StatementVectors, place: number, other: Float32Array): number {
  const from = place * dimensions
  let sum = 0
  for (let i = 0; i < dimensions; i++) sum += (values[from + i] as number) * (other[i] as number)
  return sum
}

/** Writes the normalised mean of these rows to `into`. False if none is known. */
export function meanDirection(
  { dimensions, values, known }: StatementVectors,
  places: number[],
  into: Float32Array,
): boolean {
  into.fill(0)
  for (const place of places) {
    if (known[place] === 0) continue
    for (let i = 0; i < dimensions; i++) into[i] = (into[i] as number) + (values[place * dimensions + i] as number)
  }
  return normalise(into, 0, dimensions)
}

/**
 * The evidence that two statements say the same, from shared words (`shared`) and the cosine of their vectors
 * (`alike`). `lengths`: the product of both `lengthFactors`. `translated`: whether they are in different languages.
 * Word evidence counts less here than where it is the only evidence. See `weights.ts`.
 */
export function combinedEvidence(shared: number, alike: number, lengths: number, translated: boolean): number {
  if (alike <= MIN_COSINE) return shared * COMBINED_SCALE
  const meaning = ((SAME_MEANING_EVIDENCE * (alike - MIN_COSINE)) / (1 - MIN_COSINE)) * lengths
  const words = translated ? Math.max(shared, TRANSLATION_EVIDENCE * (alike - MIN_COSINE)) : shared
  return (words + meaning) * COMBINED_SCALE
}

/** The factor of a statement of this many words on vector evidence. */
export function lengthFactor(words: number): number {
  return (words / TYPICAL_WORDS) ** (LENGTH_EXPONENT / 2)
}

/** The same vectors with other values, normalised. */
export function withValues(vectors: StatementVectors, values: Float32Array): StatementVectors {
  const { dimensions, known } = vectors
  for (let place = 0; place < known.length; place++)
    if (known[place] !== 0) normalise(values, place * dimensions, dimensions)
  return { ...vectors, values, sketches: sketchesOf(values, known, dimensions) }
}
