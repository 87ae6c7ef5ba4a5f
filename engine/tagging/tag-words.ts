import { signsOfAll, tableOfAll, wordsOfAll } from '../lexicons/lexicons.ts'
import { guessLanguage, type Language, stem } from '../text/language.ts'
import { normalise, tokenise } from '../text/normalise.ts'
import { isStopword } from '../text/stopwords.ts'

/** Words about feedback itself or about tagging, which say nothing about a subject. */
const META_WORDS = wordsOfAll((lexicon) => lexicon.META_WORDS)

/** Different words that a stemmer conflates. */
const FALSE_FRIENDS = wordsOfAll((lexicon) => lexicon.FALSE_FRIENDS)
const SIGN_IN_VERB = new RegExp(`^${signsOfAll('TAG_SIGNS')('signInVerb')}$`)
const SIGN_IN_PARTICLES = tableOfAll((lexicon) => lexicon.SIGN_IN_PARTICLES)
const SIGN_IN_SPELLINGS = tableOfAll((lexicon) => lexicon.SIGN_IN_SPELLINGS)

/** A text needs this many words for its language to be guessed. */
const MIN_LANGUAGE_TOKENS = 8

/** A word with its stem. `isStopword`: in English or in its text's language. */
export type TagWord = { token: string; stem: string; isStopword: boolean }

/**
 * A text's words in order. `log in` and `sign on` become one word, however they are written. `given`: the language of
 * the surrounding text, for texts too short to guess.
 */
export function tagWordsOf(text: string, given?: Language): { words: TagWord[]; language: Language } {
  const tokens = joinSignIn(tokenise(normalise(text)))
  const language = given !== undefined && tokens.length < MIN_LANGUAGE_TOKENS ? given : guessLanguage(tokens)
  const words = tokens.map((token) => ({
    token,
    stem: stemOf(token, language),
    isStopword: isStopword(token) || isStopword(token, language),
  }))
  return { words, language }
}

/** Whether a word can identify a subject. */
export function isContentWord({ token, isStopword }: TagWord): boolean {
  return token.length > 1 && token !== '0' && !isStopword && !META_WORDS.has(token)
}

/** Whether two words are likely spellings of one: they share most trigrams, or swap letters. */
export function isSpellingVariant(one: string, other: string): boolean {
  if (one.length < 6 || other.length < 6 || Math.abs(one.length - other.length) > 2 || one[0] !== other[0]) return false
  if (one.length === other.length && one.at(-1) === other.at(-1) && sortedLetters(one) === sortedLetters(other))
    return true
  const first = trigrams(one)
  const second = trigrams(other)
  let shared = 0
  for (const three of second) if (first.has(three)) shared++
  return (2 * shared) / (first.size + second.size) >= 0.7
}

function stemOf(token: string, language: Language): string {
  return FALSE_FRIENDS.has(token) ? token : stem(token, language)
}

function joinSignIn(tokens: readonly string[]): string[] {
  const out: string[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as string
    const joined = SIGN_IN_VERB.test(token) ? SIGN_IN_PARTICLES.get(tokens[at + 1] ?? '') : undefined
    if (joined !== undefined) at++
    out.push(joined ?? SIGN_IN_SPELLINGS.get(token) ?? token)
  }
  return out
}

function sortedLetters(word: string): string {
  return Array.from(word).sort().join('')
}

function trigrams(word: string): Set<string> {
  const padded = ` ${word} `
  const found = new Set<string>()
  for (let at = 0; at + 3 <= padded.length; at++) found.add(padded.slice(at, at + 3))
  return found
}
