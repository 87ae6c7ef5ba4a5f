import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as spanish } from '@orama/stemmers/spanish'

export type Language = 'en' | 'de' | 'fr' | 'es' | 'pt' | 'other'
/** A language with a stemmer. On equal scores the first wins. */
export type KnownLanguage = Exclude<Language, 'other'>

const STEMMERS: Record<KnownLanguage, (word: string) => string> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  pt: portuguese,
}
const KNOWN_LANGUAGES = Object.keys(STEMMERS) as KnownLanguage[]

const words = (list: string) => new Set(list.split(/\s+/))

/**
 * The most common words of each language, without those that are content words in another: `comment`, `son`, `sin`,
 * `os`.
 */
const COMMON_WORDS: Record<KnownLanguage, Set<string>> = {
  en: words(
    'the is are was a an and or to of in on for with my your i you it we this that not do does have has can how what why when there be at from if im me about some please our would should could',
  ),
  de: words(
    'der die das ist sind war ein eine einen und oder zu von im auf für mit mein meine dein ich du es wir ihr dies nicht kein keine habe hat haben kann wie was warum wann wenn bei aus nach noch auch beim den dem des sich seit bitte wird werden sie einer einem eines zum zur als dass diese dieser dieses alle alles nur über ohne können konnte konnten wurde wurden gibt hier dann mehr mir mich uns unser unsere unseren unserer ihre euch jede jeder jedes sehr immer wieder schon doch muss müssen möchte möchten würde wäre hätte hätten gerne etwas nichts viel viele zwischen waren gute danke hallo jetzt heute',
  ),
  fr: words(
    'le la les un une des du et est sont ne pas je vous nous il elle ce cette ces dans pour sur avec mon ma mes votre vos qui que quand pourquoi avons avez peut peux depuis très être été mais cest jai nest au aux en de par si ou nos leur leurs notre tout tous toute toutes cet sous vers trop beaucoup chaque aucun aucune deux fois même aussi encore toujours jamais rien lorsque était ont suis faire fait puis quel quelle où veuillez merci bonjour cela plusieurs après avant entre se à',
  ),
  es: words(
    'el la un una del y en es que por para con su mi mis pero como cómo cuando cuándo qué porque más muy está están puede puedo se lo al nos también desde este esta esto hemos tengo quiero nuestra nuestro de los las si sobre entre hay ha han hasta todo toda todos todas cada otro otra ser sus tu tus les ya solo aquí ahora siempre nunca nada mucho muchas demasiado demasiadas tiene tienen hace hacer sería gustaría debe pueden podemos gracias hola favor vez veces así donde dónde quién cuál estos estas ese esa eso era fue sido',
  ),
  pt: words(
    'o um uma e da em na não é são meu minha que por para com se mas como quando porque mais muito está estão pode posso ao já também desde este esta isso você vocês nós pelo pela temos tenho quero nossa nosso à de das ou seu sua seus suas nos nas aos sem ser foi foram será tem têm ter só apenas aqui agora sempre nunca nada muita muitas demais cada todo toda todos todas outro outra qualquer mesmo até entre sobre onde quem qual eu meus minhas ele ela eles consigo consegue podem podemos gostaria gostaríamos deve obrigado obrigada olá favor vez vezes há às num numa esse essa era seria',
  ),
}

/** The languages in which a word is common. */
const LANGUAGES_OF = new Map<string, KnownLanguage[]>()
for (const language of KNOWN_LANGUAGES) {
  for (const word of COMMON_WORDS[language]) LANGUAGES_OF.set(word, [...(LANGUAGES_OF.get(word) ?? []), language])
}

/** Letters used by the language and not by English. */
const LETTERS: [KnownLanguage, RegExp][] = [
  ['de', /[äöüß]/],
  ['fr', /[œàâçéèêëîïôùû]/],
  ['es', /[ñáéíóú]/],
  ['pt', /[ãõáâàçéêíóôú]/],
]
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

/** The stem of a lower-case word; unchanged for `other` and for words with digits. Never throws. */
export function stem(word: string, language: Language): string {
  if (language === 'other' || word.length < 3 || /\d/.test(word)) return word
  return STEMMERS[language](word)
}
