import { type Sentiment, sentimentOf } from '../text/sentiment.ts'
import { type Measure, measureValue, type TagCounts } from './measures.ts'
import type { Cue, TagPlan } from './plan.ts'
import { isSpellingVariant, type TagWord, tagWordsOf } from './tag-words.ts'

export type { TagCounts } from './measures.ts'
export { parseTagPlan, type TagPlan } from './plan.ts'

/** The texts of one insight. `quotes`: some of its mentions, verbatim. */
export type TagSource = { name: string; nameByPerson?: boolean; summary: string; quotes: readonly string[] }

/** An insight prepared for evaluating any number of tags. */
export type TagText = {
  name: Part
  /** weight of a match in the name */
  nameWeight: number
  summary: Part
  quotes: Part[]
  tokens: Map<string, Set<string>>
  matches: Map<string, Set<string>>
  /** words of German texts, where compounds are matched */
  germanWords: Set<string>
}

/** `sentiment` is computed on first use. */
type Part = { stems: string[]; held: Set<string>; text: string; sentiment?: Sentiment | null }

/** Incremented when the same description and text may give a different value. */
export const TAG_RULES_VERSION = 2

const MAX_QUOTES = 40
const NAME_WEIGHT = 0.45
/** A name given by a person is more reliable. */
const PERSON_NAME_WEIGHT = 0.6
const SUMMARY_WEIGHT = 0.15
const QUOTES_WEIGHT = 0.7
/** Added to the number of quotes: a match in one of two may be an accident. */
const SILENT_QUOTES = 1
/** The support a value needs, and the maximum support of the runner-up relative to it. */
const MIN_SUPPORT = 0.5
const MAX_RUNNER_UP_RATIO = 0.55

/** Analyses an insight once. Reads at most 40 quotes, each as far as a statement is read. */
export function prepareTagText({ name, nameByPerson = false, summary, quotes }: TagSource): TagText {
  const tokens = new Map<string, Set<string>>()
  const germanWords = new Set<string>()
  const whole = tagWordsOf([name, summary, ...quotes.slice(0, 3)].join('\n')).language
  const part = (text: string): Part => {
    const { words, language } = tagWordsOf(text, whole)
    const held = new Set<string>()
    for (const { token, stem } of words) held.add(stem).add(token)
    for (const word of held) {
      if (language === 'de') germanWords.add(word)
      const initial = word[0] ?? ''
      const known = tokens.get(initial)
      if (known) known.add(word)
      else tokens.set(initial, new Set([word]))
    }
    return { stems: words.map(({ stem }) => stem), held, text }
  }
  return {
    name: part(name),
    nameWeight: nameByPerson ? PERSON_NAME_WEIGHT : NAME_WEIGHT,
    summary: part(summary),
    quotes: quotes.slice(0, MAX_QUOTES).map(part),
    tokens,
    matches: new Map(),
    germanWords,
  }
}

/**
 * The value of a tag on an insight: an option if the insight clearly supports it and no other, a number for a plan
 * that counts, else null. No value is better than a wrong one.
 */
export function tagValue(plan: TagPlan, text: TagText, counts: TagCounts): string | number | null {
  if (plan.kind === 'none') return null
  if (plan.kind !== 'category') return measureValue(plan.measure satisfies Measure, counts)
  let best: string | null = null
  let most = 0
  let second = support(plan.against, text)
  for (const { value, cues, sentiment } of plan.options) {
    const found = support(cues, text, sentiment)
    if (found > most) {
      second = Math.max(second, most)
      most = found
      best = value
    } else second = Math.max(second, found)
  }
  return most >= MIN_SUPPORT && second <= MAX_RUNNER_UP_RATIO * most ? best : null
}

/** How clearly an insight matches any of these cues, 0 to 1. */
function support(cues: readonly Cue[], text: TagText, sentiment: Sentiment | null = null): number {
  let doubt = sentiment === null ? 1 : 1 - presence(text, (part) => hasSentiment(part, sentiment))
  for (const cue of cues) {
    const wanted = cue.words.map((word) => matchingWords(word, text))
    if (wanted.some((set) => set.size === 0)) continue
    doubt *= 1 - presence(text, (part) => containsWords(part, wanted, cue.inOrder))
  }
  return 1 - doubt
}

function hasSentiment(part: Part, sentiment: Sentiment): boolean {
  if (part.sentiment === undefined) part.sentiment = sentimentOf(part.text)
  return part.sentiment === sentiment
}

/** How much of an insight satisfies a predicate, 0 to 1. */
function presence(text: TagText, isIn: (part: Part) => boolean): number {
  let matching = 0
  for (const quote of text.quotes) if (isIn(quote)) matching++
  const present =
    (isIn(text.name) ? text.nameWeight : 0) +
    (isIn(text.summary) ? SUMMARY_WEIGHT : 0) +
    (QUOTES_WEIGHT * matching) / (text.quotes.length + SILENT_QUOTES)
  return Math.min(1, present)
}

/** The insight's words that match: same stem, spelling variant, or German compound. */
function matchingWords({ token, stem }: TagWord, text: TagText): Set<string> {
  const known = text.matches.get(stem)
  if (known) return known
  const found = new Set<string>()
  for (const other of text.tokens.get(stem[0] ?? '') ?? []) {
    if (
      other === stem ||
      other === token ||
      isSpellingVariant(stem, other) ||
      (text.germanWords.has(other) && isCompound(stem, other))
    )
      found.add(other)
  }
  text.matches.set(stem, found)
  return found
}

/** `rechnungsversand` is a compound of `rechnung`. */
function isCompound(part: string, whole: string): boolean {
  return part.length >= 6 && whole.length >= part.length + 4 && whole.startsWith(part)
}

function containsWords(part: Part, wanted: readonly Set<string>[], inOrder: boolean): boolean {
  if (!wanted.every((set) => [...set].some((stem) => part.held.has(stem)))) return false
  if (!inOrder) return true
  for (let at = 0; at + wanted.length <= part.stems.length; at++) {
    if (wanted.every((set, offset) => set.has(part.stems[at + offset] as string))) return true
  }
  return false
}
