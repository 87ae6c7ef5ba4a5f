import type { Changes } from '../model.ts'
import { forgetSentences } from '../naming/sentences.ts'
import { nodeContent } from '../state/node-content.ts'
import { ChangeRecorder } from '../state/recorder.ts'
import { isEcho, type Node, type State, splitStatement } from '../state/state.ts'
import { analyse } from '../text/features.ts'
import { isAgreement } from '../text/noise.ts'
import { REASON_SUBJECTLESS } from './assign.ts'

/**
 * Whether a statement has a subject. With `text` and `at` of the statement, this applies to it alone, not to the duplicates that are kept with it.
 * Without them it applies to all of these if the statement is the kept one, and to none otherwise.
 */
export type Reclassified = { statementId: string; subjectless: boolean; text?: string; point?: string; at?: number }

/** Records that a node has no subject, or has one after all. Without one it leaves its issue, unless a person put it there. */
export function setSubjectless(state: State, index: number, subjectless: boolean, recorder: ChangeRecorder): void {
  const node = state.nodes[index] as Node
  node.subjectless = subjectless
  if (subjectless && node.issue > 0 && node.pin < 0) recorder.move(index, 0, 0, REASON_SUBJECTLESS)
}

/**
 * Records for these statements whether they have a subject, after a person or a better classifier said so. One that has a subject after all
 * waits for a revision; one that only agrees with what it replies to stays there. Unknown ids are skipped. Changes the state in place;
 * returns what the caller must store.
 */
export function reclassify(state: State, statements: readonly Reclassified[]): Changes {
  const recorder = new ChangeRecorder(state)
  for (const one of statements) {
    const statement = state.statementIndex.get(one.statementId)
    if (statement === undefined) continue
    const index = nodeOf(state, statement, one)
    if (index === null || state.nodes[index]?.subjectless === one.subjectless) continue
    setSubjectless(state, index, one.subjectless, recorder)
    if (!one.subjectless) state.pendingMatches++
  }
  return recorder.changes()
}

/** The node that this is said of; null: of none. */
function nodeOf(state: State, statement: number, { text, point, at = 0, subjectless }: Reclassified): number | null {
  const index = state.statementNodes[statement] as number
  const node = state.nodes[index] as Node
  if (text === undefined) return node.followers[0] === statement ? index : null
  if (isEcho(state, statement) && isAgreement(analyse(text).tokens)) return null
  if (node.followers.length === 1 || node.subjectless === subjectless) return index
  const [spoke] = node.followers
  const own = splitStatement(state, statement, { ...nodeContent(state, text, point), at, issue: node.issue })
  if (spoke === statement) {
    node.text = ''
    forgetSentences(node)
  }
  return own
}
