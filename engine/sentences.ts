import { type Aims, aimsOf, isCue } from './aims.ts'
import type { Language } from './language.ts'
import type { Node } from './state.ts'
import { sentencesOf, titleOf } from './titles.ts'

/** A sentence of a kept text: what it says, how it would read as a heading (null: it cannot be one), and whether it is the first. */
export type Read = { text: string; aims: Aims; stems: Set<string>; title: Title | null; first: boolean }
export type Title = { text: string; aims: Aims }

/** What a kept text says never changes, and a group is named many times while it grows. */
const known = new WeakMap<Node, Read[]>()

/** The sentences of a kept text. */
export function readSentences(node: Node): Read[] {
  const held = known.get(node)
  if (held) return held
  const found = sentencesOf(node.text).map((text, place) => {
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
  known.set(node, found)
  return found
}

/** Lets go of what was read of a text that is to be kept nowhere. */
export function forgetSentences(node: Node): void {
  known.delete(node)
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
