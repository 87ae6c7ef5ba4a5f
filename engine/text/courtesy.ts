import { alternationOfAll } from '../lexicons/lexicons.ts'

const COURTESY = new RegExp(`^(?:${alternationOfAll((lexicon) => lexicon.COURTESIES)})$`, 'iu')
/** Longer sentences say something else too. */
const MAX_COURTESY_LENGTH = 110

/**
 * Whether a whole sentence is a courtesy or filler that occurs in letters about anything: greetings, thanks, requests for
 * help, the device used, what was tried. `let me know when it arrives` is none.
 */
export function isCourtesy(sentence: string): boolean {
  if (sentence.length > MAX_COURTESY_LENGTH) return false
  return COURTESY.test(sentence.replaceAll('’', "'").replace(/^[\s¡¿"'(-]+|[\s.,!?…:;)"'😀-🙏-]+$/gu, ''))
}
