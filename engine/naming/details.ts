import { signsOfAll } from '../lexicons/lexicons.ts'
import { intentsOf, isCue } from '../text/intents.ts'
import type { Language } from '../text/language.ts'
import { keepsNegation } from './negation.ts'
import { isVerb, PROBLEM } from './readability.ts'
import { shortenedTitle, type Title } from './sentences.ts'

/** A word used by a smaller share of the group's messages is a detail that a name should not promise. */
export const RARE_SHARE = 0.12
/** A word below this share applies to some of the group; above `MAJORITY_SHARE`, to most of it. */
const MINORITY_SHARE = 0.35
const MAJORITY_SHARE = 0.5
const MAX_MODIFIERS = 3

const sign = signsOfAll('DETAIL_SIGNS')

const ARTICLE = new RegExp(`^${sign('article')}$`, 'i')
/** Words that leave a title incomplete when it ends with them. */
const OPEN_END = new RegExp(`^${sign('openEnd')}$`, 'i')
/** A day or an hour is always a detail, however many mention one. */
const TIME_WORD = new RegExp(`^(?:\\d+\\w*|${sign('timeStem')})$`)
const JOINING = new RegExp(
  `^(?:${signsOfAll('TITLE_SIGNS')('preposition')}|${sign('article')}|${sign('joining')})$`,
  'i',
)
const DURATION = new RegExp(`^(?:\\d.*|${sign('durationStem')})$`)
const QUESTION_START = new RegExp(`^${sign('questionStart')}$`, 'i')
/** After these, a verb may follow its subject: `does the card expire`, `will this app exchange`. */
const AUXILIARY = new RegExp(`^${sign('auxiliary')}$`, 'i')
const QUESTION_WORD = new RegExp(`^${sign('questionWord')}$`, 'i')
const PREPOSITION = new RegExp(`^${signsOfAll('TITLE_SIGNS')('preposition')}$`, 'i')
/** Endings of adjectives and adverbs, which are not compound modifiers (`my lost card`). */
const ADJECTIVE_ENDING = new RegExp(`${sign('adjectiveEnding')}$`, 'i')

/** The share of the group's messages in which each content word occurs. */
export type WordShares = Map<string, number>

/** A word with its stems. `isTime`: a day or an hour; `isNoun`: may modify the word after it. */
export type Word = { text: string; stems: string[]; isTime: boolean; isNoun: boolean }

/** Naming looks at the same words over and over. */
const wordCache = new Map<string, Word>()
const MAX_CACHED_WORDS = 20_000

/** The title of a sentence, and shorter versions without details that apply to only part of the group. */
export function titleVariants(title: Title, sentence: string, language: Language, shares: WordShares): Title[] {
  const titleWords = title.text.split(' ').map((word) => wordOf(word, language))
  const whole = withoutDetail(titleWords, shares, RARE_SHARE)
  const wider = withoutDetail(whole, shares, MINORITY_SHARE)
  const ends = wider === whole ? [whole] : [whole, wider]
  const ways = language === 'en' ? ends.concat(ends.map((way) => withoutModifiers(way, shares))) : ends
  const texts = new Set(ways.map((way) => way.map(({ text }) => text).join(' ')))
  return [...texts]
    .filter((text) => text === title.text || keepsNegation(text, title.text, language))
    .map((text) => shortenedTitle(title, text, sentence, language))
}

/**
 * A title without trailing phrases about one case (`… for Cuba`, `… at Olive Garden for two at 7`): a preposition
 * followed by words that fewer than `rare` of the group use, or by a time. What remains must still be meaningful.
 */
function withoutDetail(title: Word[], shares: WordShares, rare: number): Word[] {
  let kept = title
  for (;;) {
    const start = lastPhraseStart(kept)
    if (start < 3) break
    const rest = kept.slice(0, start)
    const phrase = kept.slice(start + 1)
    if (isOpenEnd((rest[start - 1] as Word).text) || phrase.some(({ text }) => QUESTION_WORD.test(text))) break
    if (isCommon(phrase, shares, rare) || !isCommon(rest, shares, rare)) break
    if (namesProblem(phrase) && !namesProblem(rest)) break
    const subjects = new Set(rest.flatMap(({ stems }) => stems)).size
    if (subjects < (start > 3 && QUESTION_START.test((rest[0] as Word).text) ? 1 : 2)) break
    kept = rest
  }
  return kept
}

/** Whether a stem is a figure, a time or a unit of time: `2`, `monday`, `hour`. */
export function isMeasure(stemmed: string): boolean {
  return DURATION.test(stemmed) || TIME_WORD.test(stemmed)
}

/** Whether a word without a subject may stand inside a phrase: an article, a preposition, `not`. */
export function mayJoin(word: string): boolean {
  return JOINING.test(word)
}

/** Whether a title that ends with this word is incomplete. */
export function isOpenEnd(word: string): boolean {
  return OPEN_END.test(word)
}

function namesProblem(title: Word[]): boolean {
  return title.some(({ text }) => PROBLEM.test(text))
}

/** The position of the last preposition with something after it, or -1. */
function lastPhraseStart(title: Word[]): number {
  for (let at = title.length - 2; at > 0; at--) if (PREPOSITION.test((title[at] as Word).text)) return at
  return -1
}

/**
 * Shortens `my savings account` to `my account`: removes words only some use between an article and a noun most use.
 */
function withoutModifiers(title: Word[], shares: WordShares): Word[] {
  let kept = title
  for (let at = 0; at < kept.length; at++) {
    if (!ARTICLE.test((kept[at] as Word).text)) continue
    const needsVerb = AUXILIARY.test(kept[at - 1]?.text ?? '')
    for (let noun = at + 2; noun <= at + 1 + MAX_MODIFIERS && noun < kept.length; noun++) {
      const kind = kept[noun - 1] as Word
      const word = kept[noun] as Word
      if (!kind.isNoun || shareOf(kind, shares) >= MINORITY_SHARE) break
      const next = kept[noun + 1]
      // `the screen shows local time`: the noun before it is its subject.
      if (isVerb(word.text) && next) break
      if (!word.isNoun || shareOf(word, shares) < MAJORITY_SHARE || ARTICLE.test(next?.text ?? '')) continue
      if (needsVerb && (!next || next.isNoun)) continue
      kept = [...kept.slice(0, at + 1), ...kept.slice(noun)]
      break
    }
  }
  return kept
}

function shareOf({ stems }: Word, shares: WordShares): number {
  return stems.reduce((most, stemmed) => Math.max(most, shares.get(stemmed) ?? 0), 0)
}

/** Numbers are details, however many mention one. */
function isCommon(phrase: Word[], shares: WordShares, rare: number): boolean {
  if (rare > RARE_SHARE && phrase.some(({ text }) => /\d/.test(text))) return false
  return phrase.some((word) => !word.isTime && shareOf(word, shares) >= rare)
}

/** A word with its stems; cached. */
export function wordOf(text: string, language: Language): Word {
  const key = `${language}:${text}`
  const held = wordCache.get(key)
  if (held) return held
  if (wordCache.size >= MAX_CACHED_WORDS) wordCache.clear()
  const intents = [...intentsOf(text, language)]
  const stems = intents.filter((intent) => !isCue(intent))
  const word = {
    text,
    stems,
    isTime: stems.length > 0 && stems.every((stemmed) => TIME_WORD.test(stemmed)),
    isNoun: stems.length > 0 && stems.length === intents.length && !ADJECTIVE_ENDING.test(text) && !PROBLEM.test(text),
  }
  wordCache.set(key, word)
  return word
}
