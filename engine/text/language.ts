import { LEXICONS, type Lexicon } from '../lexicons/lexicons.ts'
import { isHangul, koreanStem } from './hangul-and-han.ts'

/** A language with a lexicon, as an ISO 639-1 code. On equal scores the first wins. */
export type KnownLanguage = keyof typeof LEXICONS
/** The language of a text; `other`: unknown, or without a lexicon. */
export type Language = KnownLanguage | 'other'

/** The codes of `LEXICONS`, in its order. */
export const KNOWN_LANGUAGES = Object.keys(LEXICONS) as KnownLanguage[]

/** The languages in which a word is common. */
const LANGUAGES_OF = new Map<string, KnownLanguage[]>()
for (const language of KNOWN_LANGUAGES) {
  for (const word of LEXICONS[language].COMMON_WORDS)
    LANGUAGES_OF.set(word, [...(LANGUAGES_OF.get(word) ?? []), language])
}

/** Letters used by the language and not by English. */
const LETTERS = KNOWN_LANGUAGES.flatMap((language) => {
  const { LETTERS: letters }: Lexicon = LEXICONS[language]
  return letters ? [[language, letters] as const] : []
})
const HAS_LETTERS = 1 << KNOWN_LANGUAGES.length
const NON_LATIN = HAS_LETTERS << KNOWN_LANGUAGES.length
const SCORES = new Float64Array(KNOWN_LANGUAGES.length)
/** A language other than German must score higher: English borrows single words from it (`las vegas`, `dot com`). */
const MIN_SCORE = 1
const LATIN = /^[\p{sc=Latin}\p{M}\d]+$/u

/**
 * Guesses the language of a tokenised statement from common words and letters. Only used to choose a stemmer and a
 * stop-word list, so texts without evidence count as English and non-Latin scripts as `other`.
 */
export function guessLanguage(tokens: string[]): Language {
  return languageFromHints(tokens.map(languageHints), tokens.length)
}

/**
 * What a token says about its language, as bits: 1, 2, 4 … for each language in which it is common, 32, 64 … for each
 * whose letters it contains, 1,024 for a non-Latin script.
 */
export function languageHints(token: string): number {
  const common = LANGUAGES_OF.get(token) ?? []
  let hints = 0
  for (const language of common) hints |= 1 << KNOWN_LANGUAGES.indexOf(language)
  if (isAscii(token)) return hints
  if (!LATIN.test(token)) hints |= NON_LATIN
  for (const [language, letters] of LETTERS) {
    if (letters.test(token) && !common.includes(language)) hints |= HAS_LETTERS << KNOWN_LANGUAGES.indexOf(language)
  }
  return hints
}

/** The likely language of `size` tokens with these hints. */
export function languageFromHints(hints: ArrayLike<number>, size: number): Language {
  SCORES.fill(0)
  let foreign = 0
  for (let i = 0; i < size; i++) {
    const hint = hints[i] as number
    if (hint === 0) continue
    if (hint & NON_LATIN) foreign++
    for (let k = 0; k < KNOWN_LANGUAGES.length; k++) {
      if (hint & (1 << k)) SCORES[k] = (SCORES[k] as number) + 1
      else if (hint & (HAS_LETTERS << k)) SCORES[k] = (SCORES[k] as number) + 0.6
    }
  }
  if (foreign * 2 > size) return 'other'
  let likely = 0
  for (let k = 1; k < KNOWN_LANGUAGES.length; k++) {
    const least = KNOWN_LANGUAGES[k] === 'de' ? 0 : MIN_SCORE
    if ((SCORES[k] as number) > Math.max(SCORES[likely] as number, least)) likely = k
  }
  return KNOWN_LANGUAGES[likely] as KnownLanguage
}

function isAscii(token: string): boolean {
  for (let i = 0; i < token.length; i++) if (token.charCodeAt(i) > 0x7f) return false
  return true
}

/** The stem of a lower-case word; unchanged for words with digits and, unless in Hangul, for `other`. Never throws. */
export function stem(word: string, language: Language): string {
  if (isHangul(word)) return koreanStem(word)
  if (language === 'other' || word.length < 3 || /\d/.test(word)) return word
  return LEXICONS[language].STEM(word)
}
