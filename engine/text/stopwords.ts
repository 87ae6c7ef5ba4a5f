import { LEXICONS, type Lexicon } from '../lexicons/lexicons.ts'
import type { Language } from './language.ts'

/**
 * Words that say nothing about the subject of a sentence. They are weighted down in long statements, but not dropped,
 * because short questions differ by how they ask.
 */
const ENGLISH_AND_GERMAN: ReadonlySet<string> = new Set([...LEXICONS.en.STOPWORDS, ...LEXICONS.de.STOPWORDS])

const BY_LANGUAGE: Readonly<Record<string, ReadonlySet<string>>> = {
  ...Object.fromEntries(
    Object.entries<Lexicon>(LEXICONS).map(([language, { STOPWORDS }]) => [language, new Set(STOPWORDS)]),
  ),
  en: ENGLISH_AND_GERMAN,
  de: ENGLISH_AND_GERMAN,
}

/** Whether a lower-case word is a stop word of the language. English and German share one list. */
export function isStopword(token: string, language: Language = 'en'): boolean {
  return (BY_LANGUAGE[language] ?? ENGLISH_AND_GERMAN).has(token)
}
