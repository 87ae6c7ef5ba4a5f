import { KOREAN_ENDINGS, KOREAN_PARTICLES } from '../lexicons/korean.ts'

const FIRST_SYLLABLE = 0xac00
const HANGUL = /^[\uac00-\ud7a3]+$/
const HAN_PAIR = /^\p{sc=Han}{2}$/u
/** A shorter stem would be that of many words. */
const MIN_STEM = 2

const endings = endingPattern(KOREAN_ENDINGS)
const particles = endingPattern(KOREAN_PARTICLES)

/** Whether a word consists of Hangul syllables alone. */
export function isHangul(word: string): boolean {
  return word.charCodeAt(0) >= FIRST_SYLLABLE && HANGUL.test(word)
}

/** Whether a token is two Chinese characters, as a text without spaces is cut. */
export function isPairOfHan(token: string): boolean {
  return token.length === 2 && HAN_PAIR.test(token)
}

/** A word letter by letter: a Hangul syllable as its two or three letters, so that forms of one word share most of them. */
export function lettersOf(word: string): string {
  return isHangul(word) ? word.normalize('NFD') : word
}

/** A Hangul word without the ending of a verb or, if it has none, without a particle. At least two syllables stay. */
export function koreanStem(word: string): string {
  const verb = withoutMatch(word, endings)
  return verb === word ? withoutMatch(word, particles) : verb
}

function withoutMatch(word: string, pattern: RegExp): string {
  const at = pattern.exec(word)?.index ?? 0
  return at >= MIN_STEM ? word.slice(0, at) : word
}

/** Matches the longest of them at the end of a word: the leftmost match ends there, too. */
function endingPattern(list: readonly string[]): RegExp {
  return new RegExp(`(?:${list.join('|')})$`)
}
