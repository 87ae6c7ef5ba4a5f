import { type Aims, aimsOf, isCue } from './aims.ts'
import type { Language } from './language.ts'
import type { Node } from './state.ts'
import { sentencesOf, titleOf } from './titles.ts'

/** A sentence of a kept text: what it says, how it would read as a heading (null: it cannot be one), and whether it is the first. */
export type Read = { text: string; aims: Aims; stems: Set<string>; title: Title | null; first: boolean }
export type Title = { text: string; aims: Aims }

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
  return sentencesOf(node.text).map((text, place) => {
    const aims = aimsOf(text, node.language)
    const title = titleOf(text)
    return {
      text,
      aims,
      stems: stemsAmong(aims),
      title: title === null ? null : { text: title, aims: aimsOf(title, node.language) },
      first: place === 0,
    }
  })
}

/** Lets go of what was read of a text that is to be kept nowhere. */
export function forgetSentences(node: Node): void {
  lately.delete(node)
  before.delete(node)
}

/** The stems of a text's subject. */
export function stemsOf(text: string, language?: Language): Set<string> {
  return stemsAmong(aimsOf(text, language))
}

function stemsAmong(aims: Aims): Set<string> {
  const stems = new Set<string>()
  for (const aim of aims) if (!isCue(aim)) stems.add(aim)
  return stems
}
