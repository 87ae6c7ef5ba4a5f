import * as de from './de.ts'
import * as en from './en.ts'
import * as es from './es.ts'
import * as fr from './fr.ts'
import * as pt from './pt.ts'

/** Words by which a tag asks for a measure. */
type MeasureSign =
  | 'share'
  | 'growth'
  | 'week'
  | 'count'
  | 'people'
  | 'mention'
  | 'days'
  | 'since'
  | 'first'
  | 'otherTime'
/** Parts of messages without a subject. `objection`: such a message may have a subject after all. */
type NoiseSign =
  | ('greeting' | 'addressee' | 'degree' | 'thanks' | 'resolved' | 'autoReply' | 'objection')
  | ('place' | 'channelNotice')
/** Grammar of tag descriptions. `grade`: labels that occur in texts about anything. */
type TagSign = 'exclusion' | 'conjunction' | 'condition' | 'example' | 'grade'
type Signs<Name extends string> = Readonly<Partial<Record<Name, RegExp>>>

/** The word lists that every language provides. */
export type Lexicon = {
  STOPWORDS: readonly string[]
  COMMON_WORDS: readonly string[]
  CHAT_WORDS: readonly string[]
  AGREEMENT_WORDS: readonly string[]
  AGREEMENT_CUES: readonly string[]
  NOISE_PATTERN_WORDS: readonly string[]
  META_WORDS: readonly string[]
  MEASURE_WORDS: readonly string[]
  YES_NO_STARTERS: readonly string[]
  PROBLEM_LABELS: readonly string[]
  REQUEST_LABELS: readonly string[]
  INTENT_CUES: Readonly<Record<string, readonly string[]>>
  COURTESIES: readonly RegExp[]
  PROBLEM_SIGNS: readonly (readonly [weight: number, sign: RegExp])[]
  REQUEST_SIGNS: readonly (readonly [weight: number, sign: RegExp])[]
  REQUEST_PHRASES: RegExp
  MEASURE_SIGNS: Signs<MeasureSign>
  NOISE_SIGNS: Signs<NoiseSign>
  TAG_SIGNS: Signs<TagSign>
}

/** The languages with word lists. */
export const LEXICONS = { en, de, fr, es, pt } as const satisfies Record<string, Lexicon>

const ALL: readonly Lexicon[] = Object.values(LEXICONS)

/** The union of a word list over all languages. */
export function wordsOfAll(pick: (lexicon: Lexicon) => readonly string[]): ReadonlySet<string> {
  return new Set(ALL.flatMap(pick))
}

/** An alternation of a pattern over all languages, as the source of a regular expression. */
export function alternationOfAll(pick: (lexicon: Lexicon) => RegExp | readonly RegExp[] | undefined): string {
  return ALL.flatMap((lexicon) => pick(lexicon) ?? [])
    .map(({ source }) => source)
    .join('|')
}
