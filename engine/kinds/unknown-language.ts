import { OTHER_LANGUAGE_WORDS } from '../lexicons/other-languages.ts'
import type { AnalysedText } from '../text/features.ts'
import { type KnownLanguage, languageHints, stem } from '../text/language.ts'
import { isStopword } from '../text/stopwords.ts'
import { knowsStem } from '../text/word-vectors.ts'
import { mashedShare } from './mashed.ts'

/** With fewer words a language cannot be told, and names and slang are common. */
const MIN_WORDS = 3
/** Longer words are compounds and names of code, which are in no table. */
const MAX_LENGTH = 12
const MAX_MASHED_SHARE = 0.5
/** A letter that none of the five languages has, in this share of words, shows another one. */
const MAX_FOREIGN_SHARE = 0.1
const FOREIGN_LETTER = /(?![a-zàáâãäæçèéêëìíîïñòóôõöœßùúûüÿºª])\p{L}/u
/** A text is in another language if it has at least this many common words of one, and no fewer than of the five. */
const MIN_OTHERS = 2
/** The least share of known words in a text of the five languages, whatever its spelling, and the fewest words that it is judged by. */
const MIN_KNOWN_SHARE = 0.35
const MIN_WORDS_FOR_SHARE = 6

const WORD = /^\p{L}+$/u
const OTHERS: ReadonlySet<string> = new Set(OTHER_LANGUAGE_WORDS)

/**
 * Whether a statement is in a language without word lists, by its letters and words. Keys hit at random are no language.
 */
export function isUnknownLanguage({ tokens, language }: AnalysedText): boolean {
  if (language === 'other') return true
  const words = tokens.filter((token) => token.length <= MAX_LENGTH && WORD.test(token))
  if (words.length < MIN_WORDS) return false
  const common = words.filter((word) => languageHints(word) !== 0).length
  const foreign = words.filter((word) => FOREIGN_LETTER.test(word)).length
  const others = words.filter((word) => OTHERS.has(word)).length
  const isForeign = foreign > words.length * MAX_FOREIGN_SHARE || (others >= MIN_OTHERS && others >= common)
  if (isForeign) return mashedShare(words) <= MAX_MASHED_SHARE
  // Stemming costs more than everything else, and few statements have so few common words.
  const needed = words.length * MIN_KNOWN_SHARE
  if (words.length < MIN_WORDS_FOR_SHARE || common >= needed || mashedShare(words) > MAX_MASHED_SHARE) return false
  return words.filter((word) => isKnown(word, language)).length < needed
}

function isKnown(word: string, language: KnownLanguage): boolean {
  return languageHints(word) !== 0 || isStopword(word, language) || knowsStem(stem(word, language), language)
}
