import { type Tone, toneOf } from '../kinds/tone.ts'
import type { Node } from '../state/state.ts'
import { isCourtesy } from '../text/courtesy.ts'
import { type Intents, intentsOf, isCue } from '../text/intents.ts'
import type { Language } from '../text/language.ts'
import { keepsNegation } from './negation.ts'
import { isStatement, titleQuality } from './readability.ts'
import { laterTitlesOf, splitSentences, titleOf } from './titles.ts'

/** A sentence of a kept text: its intents, its title (null if it cannot be one), and whether it is the first. */
export type AnalysedSentence = {
  text: string
  intents: Intents
  stems: Set<string>
  title: Title | null
  first: boolean
}
/**
 * `key`: equal for names that count as the same (`nameKey`). `quality`: readability, independent of the group
 * (`titleQuality`). `shorter`: cached shortened versions.
 */
export type Title = {
  text: string
  intents: Intents
  key: string
  quality: number
  tone: Tone
  shorter?: Map<string, Title>
}

/** The cache holds the sentences of this many nodes, plus as many from the previous generation. */
const MAX_CACHED_NODES = 6_000

/**
 * A kept text never changes and a group is named many times while it grows, so sentences are cached. They take more
 * memory than anything else about a text, hence the two generations: entries not used recently are analysed again.
 */
let recent = new WeakMap<Node, AnalysedSentence[]>()
let older = new WeakMap<Node, AnalysedSentence[]>()
let cached = 0

/** The sentences of a kept text. */
export function analysedSentences(node: Node): AnalysedSentence[] {
  const known = recent.get(node)
  if (known) return known
  const found = older.get(node) ?? analyseSentences(node)
  if (cached === MAX_CACHED_NODES) {
    older = recent
    recent = new WeakMap()
    cached = 0
  }
  recent.set(node, found)
  cached++
  return found
}

function analyseSentences(node: Node): AnalysedSentence[] {
  const all = splitSentences(node.text)
  const withContent = all.filter((text) => !isCourtesy(text))
  return (withContent.length > 0 ? withContent : all).map((text, place) => {
    const intents = intentsOf(text, node.language)
    const cut = titleOf(text)
    const title = cut !== null && keepsNegation(cut, text, node.language) ? cut : null
    return {
      text,
      intents,
      stems: stemsOf(intents),
      title: title === null ? null : titleFrom(title, text, node.language),
      first: place === 0,
    }
  })
}

/** By the intents of a sentence: as long as it is cached. Most sentences are never asked for them. */
const laterTitles = new WeakMap<Intents, Title[]>()

/** The titles of a sentence's later clauses that can stand alone, cached. */
export function laterTitlesIn({ text, intents }: AnalysedSentence, language: Language): Title[] {
  const held = laterTitles.get(intents)
  if (held) return held
  const found = laterTitlesOf(text)
    .filter((later) => isStatement(later, language) && keepsNegation(later, text, language))
    .map((later) => titleFrom(later, text, language))
  laterTitles.set(intents, found)
  return found
}

/** A shortened version of a title, cached. */
export function shortenedTitle(title: Title, text: string, sentence: string, language: Language): Title {
  if (text === title.text) return title
  title.shorter ??= new Map()
  const held = title.shorter.get(text)
  if (held) return held
  const found = titleFrom(text, sentence, language)
  title.shorter.set(text, found)
  return found
}

/** A text as a title. */
export function titleFrom(text: string, sentence: string, language: Language): Title {
  const intents = intentsOf(text, language)
  const key = language === 'en' ? keyFrom(text, intents) : nameKey(text)
  return { text, intents, key, quality: titleQuality(text, intents, sentence, language), tone: toneOf(text, language) }
}

/** A key that is equal for names that differ only in case, endings or stop words. */
export function nameKey(name: string): string {
  return keyFrom(name, intentsOf(name))
}

function keyFrom(name: string, intents: Intents): string {
  const stems = [...stemsOf(intents)].sort()
  return stems.length > 0 ? stems.join(' ') : name.toLowerCase()
}

/** Drops the cached sentences of a text that must not be kept. */
export function forgetSentences(node: Node): void {
  recent.delete(node)
  older.delete(node)
}

function stemsOf(intents: Intents): Set<string> {
  const stems = new Set<string>()
  for (const intent of intents) if (!isCue(intent)) stems.add(intent)
  return stems
}
