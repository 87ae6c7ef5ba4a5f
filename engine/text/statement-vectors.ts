import { seededRandom } from '../clustering/random.ts'
import { dotAt } from './dot.ts'
import type { Features } from './features.ts'
import type { Language } from './language.ts'
import { MIXED_FACTOR, normalise, UNKNOWN, type VectorRows, vectorRows } from './vector-rows.ts'
import type { Vocabulary } from './vocabulary.ts'

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

/**
 * The vector of each statement. `lengthFactors`: see `lengthFactor`. `languages`: by statement.
 */
export type StatementVectors = VectorRows & {
  lengthFactors: Float32Array
  languages: Language[]
}

/** The vectors of statements, see `vectorRows`. */
export function statementVectors(
  statements: { features: Features; language: Language }[],
  vocabulary: Vocabulary,
): StatementVectors {
  const { values, known, dimensions } = vectorRows(statements, vocabulary)
  const lengthFactors = Float32Array.from(statements, ({ features }) => lengthFactor(features.words))
  const languages = statements.map(({ language }) => language)
  return { dimensions, values, known, lengthFactors, languages }
}

/** Random-hyperplane sketches of vectors, for quick rejection by `addVectorEvidence`. */
export function sketchesOf({ values, known, dimensions }: VectorRows): Int32Array {
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

/** The number of bits in both words. */
function countBits(one: number, other: number): number {
  let a = one - ((one >>> 1) & 0x55555555)
  let b = other - ((other >>> 1) & 0x55555555)
  a = (a & 0x33333333) + ((a >>> 2) & 0x33333333)
  b = (b & 0x33333333) + ((b >>> 2) & 0x33333333)
  const sum = a + b
  return Math.imul((sum & 0x0f0f0f0f) + ((sum >>> 4) & 0x0f0f0f0f), 0x01010101) >>> 24
}

/** The cosine of two rows. If only one has a sentence vector, only the dimensions that both have are compared. */
export function cosine({ dimensions, values, known }: StatementVectors, a: number, b: number): number {
  const product = dotAt(values, a * dimensions, values, b * dimensions, dimensions)
  return known[a] === known[b] ? product : product * MIXED_FACTOR
}

/**
 * Replaces the word evidence in `sums` of each statement before `place` by the combined evidence, see
 * `combinedEvidence`. Skips the cosine where the sketches are too far apart. `sketches`: see `sketchesOf`.
 */
export function addVectorEvidence(
  vectors: StatementVectors,
  sketches: Int32Array,
  place: number,
  sums: Float32Array,
): void {
  const { known, lengthFactors, languages } = vectors
  const kind = known[place]
  if (kind === UNKNOWN) return
  const a = sketches[place * SKETCH_WORDS] as number
  const b = sketches[place * SKETCH_WORDS + 1] as number
  const length = lengthFactors[place] as number
  const language = languages[place]
  for (let j = 0; j < place; j++) {
    const shared = sums[j] as number
    const at = j * SKETCH_WORDS
    const differ = countBits((sketches[at] as number) ^ a, (sketches[at + 1] as number) ^ b)
    // Nearly all pairs end here.
    if (differ > MAX_SKETCH_DISTANCE && shared < STRONG_EVIDENCE && known[j] === kind) {
      if (shared > 0) sums[j] = shared * COMBINED_SCALE
      continue
    }
    if (known[j] === UNKNOWN) continue
    const translated = languages[j] !== language
    const isFar = known[j] === kind && differ > MAX_SKETCH_DISTANCE_ALONE && shared < LITTLE_EVIDENCE && !translated
    sums[j] = isFar
      ? shared * COMBINED_SCALE
      : combinedEvidence(shared, cosine(vectors, place, j), length * (lengthFactors[j] as number), translated)
  }
}

/** The cosine of a row and a unit vector. */
export function cosineWith({ dimensions, values }: StatementVectors, place: number, other: Float32Array): number {
  return dotAt(values, place * dimensions, other, 0, dimensions)
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
  return { ...vectors, values }
}
