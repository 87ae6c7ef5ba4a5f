import type { AnalysedText } from '../text/features.ts'
import { forEachPhrase, PHRASE_CUES } from './phrase-cues.ts'
import { SHAPE_CUES, writeShapes } from './shape-cues.ts'

/** UTF-16 units read of a statement; longer ones are rare and show their kind early. */
const MAX_LENGTH = 1_000
/** The longest statement of each length cue, in words. A statement has the first cue that it fits; a longer one has none. */
const LENGTHS = [0, 1, 2, 4, 8, 16, 32]

const PHRASES = PHRASE_CUES.length
const OPENS = PHRASES
const ENDS = 2 * PHRASES
const REPEATS = 3 * PHRASES
const LENGTH = 4 * PHRASES
const COVERED = LENGTH + LENGTHS.length
const SHAPES = COVERED + 1
const GREETING = 1 << PHRASE_CUES.indexOf('greeting')

/** The number of cues. */
export const CUES: number = SHAPES + SHAPE_CUES.length

/**
 * Writes the cues of a statement, each 0 to 1, into `into` from offset `at` on, where it is all 0. `analysed`: of this
 * text.
 */
export function writeCues(text: string, analysed: AnalysedText, into: Float32Array, at: number): void {
  const read = text.length > MAX_LENGTH ? text.slice(0, MAX_LENGTH) : text
  const { tokens, noiseFlags, language } = analysed
  writePhrases(tokens, into, at)
  const length = LENGTHS.findIndex((words) => tokens.length <= words)
  if (length >= 0) into[at + LENGTH + length] = 1
  writeShapes({ text: read, tokens, noiseFlags, language }, into, at + SHAPES)
}

function writePhrases(tokens: readonly string[], into: Float32Array, at: number): void {
  const covered = new Uint8Array(tokens.length)
  /** The first token after greetings. */
  let opening = 0
  forEachPhrase(tokens, (cues, place, length) => {
    covered.fill(1, place, place + length)
    if ((cues & GREETING) !== 0 && place === opening) opening = place + length
    for (let number = 0; number < PHRASES; number++) {
      if ((cues & (1 << number)) === 0) continue
      const held = at + number
      if (into[held] === 1) into[held + REPEATS] = 1
      into[held] = 1
      if (place === 0 || place === opening) into[held + OPENS] = 1
      if (place + length === tokens.length) into[held + ENDS] = 1
    }
  })
  let sum = 0
  for (const one of covered) sum += one
  into[at + COVERED] = tokens.length > 0 ? sum / tokens.length : 0
}
