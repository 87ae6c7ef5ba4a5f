import { LEXICONS, type Lexicon } from '../lexicons/lexicons.ts'
import { PhraseTable } from './phrase-table.ts'

/** A cue of the lexicons that some language has. */
type CueName = keyof Lexicon['KIND_CUES']

/** The cues, in the order of their numbers. */
export const PHRASE_CUES: readonly CueName[] = [
  ...new Set(Object.values<Lexicon>(LEXICONS).flatMap(({ KIND_CUES }) => Object.keys(KIND_CUES) as CueName[])),
]

const TABLE = new PhraseTable()
for (const { KIND_CUES } of Object.values<Lexicon>(LEXICONS)) {
  PHRASE_CUES.forEach((name, number) => {
    for (const phrase of KIND_CUES[name] ?? []) TABLE.add(phrase, 1 << number)
  })
}

/**
 * Calls `found` for each phrase of any language in these tokens: its cues as bits, the place of its first token, and
 * its number of tokens. Phrases may overlap.
 */
export function forEachPhrase(
  tokens: readonly string[],
  found: (cues: number, place: number, length: number) => void,
): void {
  TABLE.forEach(tokens, found)
}
