import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as german } from '@orama/stemmers/german'

export type Language = 'en' | 'de' | 'other'

const COMMON: Record<'en' | 'de', Set<string>> = {
  en: new Set(
    'the is are was a an and or to of in on for with my your i you it we this that not do does have has can how what why when there be at from if'.split(
      ' ',
    ),
  ),
  de: new Set(
    'der die das ist sind war ein eine einen und oder zu von im auf für mit mein meine dein ich du es wir ihr dies nicht kein keine habe hat haben kann wie was warum wann wenn bei aus nach noch auch beim den dem des sich seit bitte wird werden'.split(
      ' ',
    ),
  ),
}

const STEMMERS: Record<'en' | 'de', (word: string) => string> = { en: english, de: german }
const LATIN = /^[\p{sc=Latin}\p{M}\d]+$/u

/**
 * The likely language of a tokenised statement by its most common words. Cheap and only used to choose a stemmer, so
 * that short texts without such words count as English, and scripts other than Latin as `other`.
 */
export function guessLanguage(tokens: string[]): Language {
  let en = 0
  let de = 0
  let foreign = 0
  for (const token of tokens) {
    if (COMMON.en.has(token)) en++
    if (COMMON.de.has(token)) de++
    else if (token.charCodeAt(0) > 127 || /[äöüß]/.test(token)) {
      if (/[äöüß]/.test(token)) de += 0.6
      else if (!LATIN.test(token)) foreign++
    }
  }
  if (foreign * 2 > tokens.length) return 'other'
  return de > en ? 'de' : 'en'
}

/** The stem of a lower-case word; unchanged for `other` and for words that carry digits. Never throws. */
export function stem(word: string, language: Language): string {
  if (language === 'other' || word.length < 3 || /\d/.test(word)) return word
  return STEMMERS[language](word)
}
