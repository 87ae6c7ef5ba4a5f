import * as de from './de.ts'
import * as en from './en.ts'
import * as es from './es.ts'
import * as fr from './fr.ts'
import * as pt from './pt.ts'
import type {
  DetailSigns,
  IntentSigns,
  KindCues,
  LetterSigns,
  MeasureSigns,
  NoiseSigns,
  OptionSigns,
  ReadabilitySigns,
  TagSigns,
  TitleSigns,
  Tones,
} from './signs.ts'

type Words = readonly string[]
/** Replaces a match: a pattern with its anchors and flags, and its replacement. */
type Rewriting = readonly [pattern: RegExp, replacement: string]

/**
 * What the algorithms know about a language: word lists and patterns. The optional ones describe what other languages do not
 * have, or where their words are not collected yet.
 */
export type Lexicon = {
  /** the stem of a lower-case word */
  STEM: (word: string) => string
  /** say nothing about the subject of a sentence */
  STOPWORDS: Words
  /** after these comes a noun, with or without what describes it: articles, possessives, prepositions */
  NOUN_LEADS: Words
  /** nouns that say too little to name a theme, and what is often taken for one */
  VAGUE_NOUNS: Words
  /** stop words that carry meaning where the text matches the pattern: `id`, written `ID` */
  STOPWORD_HOMOGRAPHS?: Readonly<Record<string, RegExp>>
  /** the most common words, for language detection, without content words of another language */
  COMMON_WORDS: Words
  /** letters that English does not have, for language detection */
  LETTERS?: RegExp
  /** what is elided before an apostrophe (`l'export`), and the words that show that a text elides */
  ELISIONS?: RegExp
  ELISION_CONTEXT?: RegExp

  /** words of chit-chat, of "us too", and those that express the agreement in it */
  CHAT_WORDS: Words
  AGREEMENT_WORDS: Words
  AGREEMENT_CUES: Words
  /** one of them is in every automatic reply, thanks and channel notice */
  NOISE_PATTERN_WORDS: Words
  NOISE_SIGNS: NoiseSigns
  LETTER_SIGNS: LetterSigns
  /** courtesies and filler sentences, as whole sentences */
  COURTESIES: readonly RegExp[]
  /** phrases that ask for something */
  REQUEST_PHRASES: RegExp

  /** words of each intent cue, see `text/intents.ts` */
  INTENT_CUES: Readonly<Record<string, Words>>
  /** the same for words that mean something else in another language: only in texts of this language */
  OWN_INTENT_CUES?: Readonly<Record<string, Words>>
  INTENT_SIGNS: IntentSigns
  /** the cue of each particle of a directional verb */
  DIRECTION_PARTICLES?: Readonly<Record<string, string>>
  /** begin a yes-or-no question */
  YES_NO_STARTERS: Words
  /** after `how`: ask for a figure, or what something is like */
  HOW_MEASURES?: Words
  COPULAS?: Words
  KIND_CUES: KindCues
  TONES: Tones
  PROBLEM_SIGNS: readonly (readonly [weight: number, sign: RegExp])[]
  REQUEST_SIGNS: readonly (readonly [weight: number, sign: RegExp])[]

  TITLE_SIGNS: TitleSigns
  /** a word that negates a sentence, as a whole lower-case word */
  NEGATIONS: RegExp
  /** openings of a sentence that its title leaves out, in this order, with their anchors and flags */
  LEAD_INS?: readonly RegExp[]
  /** change the word order of a whole title; of one that is short enough */
  TITLE_REWRITINGS?: readonly Rewriting[]
  SHORT_TITLE_REWRITINGS?: readonly Rewriting[]
  /** make a phrase of a chosen title: `I can't open it` → `can't open it` */
  NAME_REWRITINGS?: readonly Rewriting[]
  /** words in capitals, and words with another spelling in a title */
  ACRONYMS?: Words
  TITLE_SPELLINGS?: Readonly<Record<string, string>>
  DETAIL_SIGNS: DetailSigns
  READABILITY_SIGNS: ReadabilitySigns
  /** verbs and contractions: a title without any is at best a label */
  VERBS?: Words
  /** verbs that start an imperative title */
  IMPERATIVES?: Words

  /** labels of tags for problems and for requests */
  PROBLEM_LABELS: Words
  REQUEST_LABELS: Words
  /** labels of the same meaning, and how people express it, by meaning */
  LABEL_CUES: Readonly<Record<string, { labels: Words; cues: Words }>>
  /** words about feedback itself or about tagging */
  META_WORDS: Words
  /** words that may describe a measure */
  MEASURE_WORDS: Words
  MEASURE_SIGNS: MeasureSigns
  TAG_SIGNS: TagSigns
  OPTION_SIGNS: OptionSigns
  /** different words that the stemmer conflates */
  FALSE_FRIENDS?: Words
  /** the one word for `log in`, by its particle; and for its other spellings */
  SIGN_IN_PARTICLES?: Readonly<Record<string, string>>
  SIGN_IN_SPELLINGS?: Readonly<Record<string, string>>
}

/** The languages with word lists. New ones come last: stored states number them in this order. */
export const LEXICONS = { en, de, fr, es, pt } as const satisfies Record<string, Lexicon>

const ALL: readonly Lexicon[] = Object.values(LEXICONS)

/** A list of all languages, one language after the other. */
export function listOfAll<Entry>(pick: (lexicon: Lexicon) => readonly Entry[] | undefined): readonly Entry[] {
  return ALL.flatMap((lexicon) => pick(lexicon) ?? [])
}

/** The union of a word list over all languages. */
export function wordsOfAll(pick: (lexicon: Lexicon) => readonly string[] | undefined): ReadonlySet<string> {
  return new Set(listOfAll(pick))
}

/** The union of a table over all languages. */
export function tableOfAll<Value>(
  pick: (lexicon: Lexicon) => Readonly<Record<string, Value>> | undefined,
): ReadonlyMap<string, Value> {
  return new Map(ALL.flatMap((lexicon) => Object.entries(pick(lexicon) ?? {})))
}

/** An alternation of a pattern over all languages, as the source of a regular expression. */
export function alternationOfAll(pick: (lexicon: Lexicon) => RegExp | readonly RegExp[] | undefined): string {
  return ALL.flatMap((lexicon) => pick(lexicon) ?? [])
    .map(({ source }) => source)
    .join('|')
}

type SignGroup =
  | 'DETAIL_SIGNS'
  | 'INTENT_SIGNS'
  | 'LETTER_SIGNS'
  | 'MEASURE_SIGNS'
  | 'NOISE_SIGNS'
  | 'OPTION_SIGNS'
  | 'READABILITY_SIGNS'
  | 'TAG_SIGNS'
  | 'TITLE_SIGNS'

/**
 * Looks up the signs of a group: the alternatives of all languages for a name, as a group of a regular expression. Throws if no
 * language has any, because an empty group would match everywhere.
 */
export function signsOfAll<Group extends SignGroup>(group: Group): (name: keyof Lexicon[Group] & string) => string {
  return (name) => {
    const alternatives = alternationOfAll((lexicon) => {
      const signs: Readonly<Record<string, RegExp | undefined>> = lexicon[group]
      return signs[name]
    })
    if (alternatives === '') throw new Error(`No language has ${name} in ${group}`)
    return `(?:${alternatives})`
  }
}
