import { LEXICONS } from '../lexicons/lexicons.ts'
import type { Language } from './language.ts'

/**
 * Words that say nothing about the subject of a sentence. They are weighted down in long statements, but not dropped,
 * because short questions differ by how they ask.
 */
const ENGLISH_AND_GERMAN: ReadonlySet<string> = new Set([...LEXICONS.en.STOPWORDS, ...LEXICONS.de.STOPWORDS])

const OTHER_LANGUAGES: Partial<Record<Language, ReadonlySet<string>>> = {
  fr: new Set(LEXICONS.fr.STOPWORDS),
  es: new Set(LEXICONS.es.STOPWORDS),
  pt: new Set(LEXICONS.pt.STOPWORDS),
}

/** Whether a lower-case word is a stop word of the language. English and German share one list. */
export function isStopword(token: string, language: Language = 'en'): boolean {
  return (OTHER_LANGUAGES[language] ?? ENGLISH_AND_GERMAN).has(token)
}
