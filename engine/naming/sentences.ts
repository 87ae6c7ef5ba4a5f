import type { Node } from '../state/state.ts'
import { type Aims, aimsOf, isCue } from '../text/aims.ts'
import { isCourtesy } from '../text/courtesy.ts'
import type { Language } from '../text/language.ts'
import { qualityOf } from './readability.ts'
import { sentencesOf, titleOf } from './titles.ts'

/** A sentence of a kept text: what it says, how it would read as a heading (null: it cannot be one), and whether it is the first. */
export type Read = { text: string; aims: Aims; stems: Set<string>; title: Title | null; first: boolean }
/**
 * `key`: equal for names that count as the same (`keyOf`). `quality`: how well it reads, whatever the group
 * (`qualityOf`). `shorter`: what is left of it without details, as far as asked for.
 */
export type Title = { text: string; aims: Aims; key: string; quality: number; shorter?: Map<string, Title> }

/** So many texts' sentences are held, and as many again that were asked for before these. */
const HELD = 6_000

/**
 * What a kept text says never changes, and a group is named many times while it grows. But sentences take more room than all else that
 * is kept of a text: those that were not asked for lately are read again.
 */
let lately = new WeakMap<Node, Read[]>()
let before = new WeakMap<Node, Read[]>()
let held = 0

/** The sentences of a kept text. */
export function readSentences(node: Node): Read[] {
  const known = lately.get(node)
  if (known) return known
  const found = before.get(node) ?? sentencesIn(node)
  if (held === HELD) {
    before = lately
    lately = new WeakMap()
    held = 0
  }
  lately.set(node, found)
  held++
  return found
}

function sentencesIn(node: Node): Read[] {
  const all = sentencesOf(node.text)
  const telling = all.filter((text) => !isCourtesy(text))
  return (telling.length > 0 ? telling : all).map((text, place) => {
    const aims = aimsOf(text, node.language)
    const title = titleOf(text)
    return {
      text,
      aims,
      stems: stemsAmong(aims),
      title: title === null ? null : titleFrom(title, text, node.language),
      first: place === 0,
    }
  })
}

/** What is left of a sentence's title, with its aims and how it reads: worked out once. */
export function shortened(title: Title, text: string, sentence: string, language: Language): Title {
  if (text === title.text) return title
  title.shorter ??= new Map()
  const held = title.shorter.get(text)
  if (held) return held
  const found = titleFrom(text, sentence, language)
  title.shorter.set(text, found)
  return found
}

function titleFrom(text: string, sentence: string, language: Language): Title {
  const aims = aimsOf(text, language)
  const key = language === 'en' ? keyAmong(text, aims) : keyOf(text)
  return { text, aims, key, quality: qualityOf(text, aims, sentence, language) }
}

/** Names that differ in case, endings or small words alone count as the same. */
export function keyOf(name: string): string {
  return keyAmong(name, aimsOf(name))
}

function keyAmong(name: string, aims: Aims): string {
  const stems = [...stemsAmong(aims)].sort()
  return stems.length > 0 ? stems.join(' ') : name.toLowerCase()
}

/** Lets go of what was read of a text that is to be kept nowhere. */
export function forgetSentences(node: Node): void {
  lately.delete(node)
  before.delete(node)
}

function stemsAmong(aims: Aims): Set<string> {
  const stems = new Set<string>()
  for (const aim of aims) if (!isCue(aim)) stems.add(aim)
  return stems
}
