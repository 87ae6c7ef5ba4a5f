import { type Tone, toneOf } from '../kinds/tone.ts'
import { comparedLanguage } from './space.ts'
import type { Node, State } from './state.ts'

/** The reason of a statement that left an issue of the other tone. */
export const REASON_TONE = 'praise and complaints are kept apart'

/** A kept text hardly ever changes, and is compared often. */
const known = new WeakMap<Node, { text: string; tone: Tone }>()

/** The tone of the text by which a node is compared. */
export function nodeTone(node: Node): Tone {
  const text = node.point ?? node.text
  const held = known.get(node)
  if (held?.text === text) return held.tone
  const tone = toneOf(text, comparedLanguage(node))
  known.set(node, { text, tone })
  return tone
}

/** Whether one praises and the other complains. */
export function areOpposed(a: Tone, b: Tone): boolean {
  return a !== null && b !== null && a !== b
}

/** Whether a tone is opposed to that of an issue, see `issueTone`. */
export function opposesIssue(state: State, tone: Tone, issueId: number): boolean {
  return tone !== null && areOpposed(tone, issueTone(state, issueId))
}

/** The tone of most kept statements of an issue that have one, without those that people put there: a complaint where both are as many. */
export function issueTone(state: State, issueId: number): Tone {
  let praise = 0
  let complaints = 0
  const nodes = state.issues.get(issueId)?.nodes
  let left = nodes?.size ?? 0
  for (const index of nodes ?? []) {
    // The others cannot change it.
    if (complaints > 0 && complaints >= praise + left) return 'complaint'
    if (praise > complaints + left) return 'praise'
    left--
    const node = state.nodes[index]
    if (!node || node.pin >= 0) continue
    const tone = nodeTone(node)
    if (tone === 'praise') praise++
    else if (tone === 'complaint') complaints++
  }
  return praise + complaints === 0 ? null : praise > complaints ? 'praise' : 'complaint'
}
