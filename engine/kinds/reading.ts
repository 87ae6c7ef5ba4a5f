import { type AnalysedText, analyse } from '../text/features.ts'
import { stem } from '../text/language.ts'
import { meanWordVector, DIMENSIONS as WORD_DIMENSIONS } from '../text/word-vectors.ts'
import { CUES, writeCues } from './cues.ts'

/** The spaces of vectors in which statements are compared: of the sentence encoder, or of the table of word vectors. */
export type Space = 'encoder' | 'words'

/** Numbers of a vector by space. */
export const DIMENSIONS: Readonly<Record<Space, number>> = { encoder: 384, words: WORD_DIMENSIONS }
/** A component of a unit vector is much smaller than a cue; at this scale one rate of decay suits both. */
const VECTOR_SCALE = 3

/** A statement as the classifier reads it. `vector`: of length 1, or all 0 where nothing is known. */
export type Reading = { text: string; analysed: AnalysedText; space: Space; vector: Float32Array }

/**
 * Reads a statement. `encoded`: the vector of its `textToEncode` by the built-in sentence encoder, of any length but 0; without it, or with
 * another number of components, the built-in word vectors are used.
 */
export function read(text: string, encoded?: ArrayLike<number>): Reading {
  const analysed = analyse(text)
  if (encoded?.length === DIMENSIONS.encoder) return { text, analysed, space: 'encoder', vector: unit(encoded) }
  const { tokens, language } = analysed
  const vector = meanWordVector(
    tokens.map((token) => stem(token, language)),
    language,
  )
  return { text, analysed, space: 'words', vector }
}

/** The number of inputs of the classifier. */
export function inputsOf(space: Space): number {
  return DIMENSIONS[space] + CUES
}

/** What the classifier weighs: the vector, then the cues. */
export function inputOf({ text, analysed, space, vector }: Reading): Float32Array {
  const input = new Float32Array(inputsOf(space))
  for (let i = 0; i < vector.length; i++) input[i] = (vector[i] as number) * VECTOR_SCALE
  writeCues(text, analysed, input, vector.length)
  return input
}

/** The vector at length 1; all 0 if its length is 0 or not finite. */
function unit(vector: ArrayLike<number>): Float32Array {
  let squares = 0
  for (let i = 0; i < vector.length; i++) squares += (vector[i] as number) ** 2
  const scaled = new Float32Array(vector.length)
  const scale = 1 / Math.sqrt(squares)
  if (squares === 0 || !(scale > 0) || !Number.isFinite(scale)) return scaled
  for (let i = 0; i < vector.length; i++) scaled[i] = (vector[i] as number) * scale
  return scaled
}
