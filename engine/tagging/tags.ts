import { type Manner, mannerOf } from '../text/manner.ts'
import { type Measure, measure, type TagCounts } from './measures.ts'
import type { Cue, TagPlan } from './plan.ts'
import { isVariant, readWords, type TagWord } from './words.ts'

export type { TagCounts } from './measures.ts'
export { readTagPlan, type TagPlan } from './plan.ts'

/** What the engine reads of one insight to tag it. `quotes`: some of its mentions, each in its own words. */
export type TagSource = { name: string; nameByPerson?: boolean; summary: string; quotes: readonly string[] }

/** An insight made ready for any number of tags. */
export type TagText = {
  name: Part
  /** how much the name speaks for what it says */
  inName: number
  summary: Part
  quotes: Part[]
  tokens: Map<string, Set<string>>
  met: Map<string, Set<string>>
  /** words of German texts, which join what English writes apart */
  joined: Set<string>
}

/** `manner` is read when it is first asked for. */
type Part = { stems: string[]; held: Set<string>; text: string; manner?: Manner | null }

/** Rises when the same description and text may give another value than before. */
export const TAG_RULES = 2

const QUOTES_AT_MOST = 40
const IN_NAME = 0.45
/** A person who names an insight says what it is about. */
const IN_PERSONS_NAME = 0.6
const IN_SUMMARY = 0.15
const IN_QUOTES = 0.7
/** As if so many more quotes did not say it: what one of two says may be an accident. */
const SILENT = 1
/** How much has to speak for a value, and how little for the next best one. */
const CLEAR = 0.5
const MARGIN = 0.55

/** Reads an insight once. Bounded: at most 40 quotes, of each what the engine reads of a statement. */
export function readTagText({ name, nameByPerson = false, summary, quotes }: TagSource): TagText {
  const tokens = new Map<string, Set<string>>()
  const joined = new Set<string>()
  const whole = readWords([name, summary, ...quotes.slice(0, 3)].join('\n')).language
  const part = (text: string): Part => {
    const { words, language } = readWords(text, whole)
    const held = new Set<string>()
    for (const { token, stem } of words) held.add(stem).add(token)
    for (const word of held) {
      if (language === 'de') joined.add(word)
      const initial = word[0] ?? ''
      const known = tokens.get(initial)
      if (known) known.add(word)
      else tokens.set(initial, new Set([word]))
    }
    return { stems: words.map(({ stem }) => stem), held, text }
  }
  return {
    name: part(name),
    inName: nameByPerson ? IN_PERSONS_NAME : IN_NAME,
    summary: part(summary),
    quotes: quotes.slice(0, QUOTES_AT_MOST).map(part),
    tokens,
    met: new Map(),
    joined,
  }
}

/**
 * The value of a tag on an insight: one of the plan's options where the insight's words speak clearly for it and for no
 * other, a number for a plan that counts, else null. No value is better than a wrong one.
 */
export function tagValue(plan: TagPlan, text: TagText, counts: TagCounts): string | number | null {
  if (plan.kind === 'none') return null
  if (plan.kind !== 'category') return measure(plan.measure satisfies Measure, counts)
  let best: string | null = null
  let most = 0
  let second = support(plan.against, text)
  for (const { value, cues, manner } of plan.options) {
    const found = support(cues, text, manner)
    if (found > most) {
      second = Math.max(second, most)
      most = found
      best = value
    } else second = Math.max(second, found)
  }
  return most >= CLEAR && second <= MARGIN * most ? best : null
}

/** How clearly an insight speaks of any of these, from 0 to 1. */
function support(cues: readonly Cue[], text: TagText, manner: Manner | null = null): number {
  let doubt = manner === null ? 1 : 1 - presence(text, (part) => isSaidAs(part, manner))
  for (const cue of cues) {
    const wanted = cue.words.map((word) => meetings(word, text))
    if (wanted.some((set) => set.size === 0)) continue
    doubt *= 1 - presence(text, (part) => holds(part, wanted, cue.inOrder))
  }
  return 1 - doubt
}

function isSaidAs(part: Part, manner: Manner): boolean {
  if (part.manner === undefined) part.manner = mannerOf(part.text)
  return part.manner === manner
}

/** In how much of an insight something is, from 0 to 1. */
function presence(text: TagText, isIn: (part: Part) => boolean): number {
  let said = 0
  for (const quote of text.quotes) if (isIn(quote)) said++
  const present =
    (isIn(text.name) ? text.inName : 0) +
    (isIn(text.summary) ? IN_SUMMARY : 0) +
    (IN_QUOTES * said) / (text.quotes.length + SILENT)
  return Math.min(1, present)
}

/** The insight's words that are this word: the same stem, another spelling, or a longer word that is made with it. */
function meetings({ token, stem }: TagWord, text: TagText): Set<string> {
  const known = text.met.get(stem)
  if (known) return known
  const found = new Set<string>()
  for (const other of text.tokens.get(stem[0] ?? '') ?? []) {
    if (
      other === stem ||
      other === token ||
      isVariant(stem, other) ||
      (text.joined.has(other) && isCompound(stem, other))
    )
      found.add(other)
  }
  text.met.set(stem, found)
  return found
}

/** `rechnungsversand` is made with `rechnung`. */
function isCompound(part: string, whole: string): boolean {
  return part.length >= 6 && whole.length >= part.length + 4 && whole.startsWith(part)
}

function holds(part: Part, wanted: readonly Set<string>[], inOrder: boolean): boolean {
  if (!wanted.every((set) => [...set].some((stem) => part.held.has(stem)))) return false
  if (!inOrder) return true
  for (let at = 0; at + wanted.length <= part.stems.length; at++) {
    if (wanted.every((set, offset) => set.has(part.stems[at + offset] as string))) return true
  }
  return false
}
