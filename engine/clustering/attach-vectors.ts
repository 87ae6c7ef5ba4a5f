import { nodesWithRejections, removeRejected } from '../corrections/rejections.ts'
import { hasRule } from '../corrections/rules.ts'
import type { Changes } from '../model.ts'
import { nodeContent } from '../state/node-content.ts'
import { ChangeRecorder } from '../state/recorder.ts'
import { isEncoded } from '../state/space.ts'
import { isEcho, type Node, type State, splitStatement } from '../state/state.ts'
import { isAboutItsConversation } from '../text/agreement.ts'
import { analyse } from '../text/features.ts'
import { isAgreement } from '../text/noise.ts'
import { quantise } from '../text/packed-vectors.ts'
import { leavesConversation } from './assign.ts'
import { placeByMeaning } from './place-by-meaning.ts'
import { setSubjectless } from './reclassify.ts'

/** A vector that was computed after its statement was assigned. `text`, `at`: of the statement. */
export type LateVector = {
  statementId: string
  text: string
  /** see `Statement` */
  point?: string
  at: number
  vector: ArrayLike<number>
  /** as the vector tells, see `Statement`; absent: what was known stays */
  subjectless?: boolean
  /** people decided that, see `Statement` */
  taught?: boolean
}

/**
 * Adds vectors of the state's encoder to statements that it holds. A reply that is about something else than its conversation leaves it,
 * unless it opens by agreeing, and a pending statement joins the issue that means the same, if there is one. Everything else waits for a revision. Unknown ids and
 * statements in other languages are skipped. Changes the state in place; returns what the caller must store.
 */
export function attachVectors(state: State, vectors: readonly LateVector[]): Changes {
  const recorder = new ChangeRecorder(state)
  const placed: number[] = []
  const replies: LateVector[] = []
  for (const late of vectors) {
    const statement = state.statementIndex.get(late.statementId)
    if (statement === undefined) continue
    const index = state.statementNodes[statement] as number
    const node = state.nodes[index] as Node
    if (isEcho(state, statement)) replies.push(late)
    else if (node.followers[0] === statement && isEncoded(state, node)) {
      const isNew = !node.vector
      const issue = state.issues.get(node.issue)
      if (isNew && issue) issue.changed++
      node.vector ??= quantise(late.vector)
      if (isNew && late.subjectless !== undefined) setSubjectless(state, index, late.subjectless, recorder)
      placed.push(index)
    }
  }
  // After the messages that they reply to.
  for (const reply of replies) {
    const own = leave(state, reply, recorder)
    if (own !== null) placed.push(own)
  }
  placeByMeaning(state, placed, recorder)
  removeRejected(state, nodesWithRejections(state), recorder)
  return recorder.changes()
}

/** The node of its own that a reply gets when it is about something else; null: it stays. */
function leave(
  state: State,
  { statementId, text, point, at, vector, subjectless = false, taught = false }: LateVector,
  recorder: ChangeRecorder,
): number | null {
  const statement = state.statementIndex.get(statementId) as number
  const first = state.nodes[state.statementNodes[statement] as number] as Node
  if (hasRule(first) || !(subjectless || leavesConversation(first.vector, vector))) return null
  const { tokens, language } = analyse(text)
  if (isAgreement(tokens) || !isEncoded(state, { language })) return null
  if (!taught && isAboutItsConversation(text, { subjectless })) return null
  const own = splitStatement(state, statement, {
    ...nodeContent(state, text, point),
    at,
    issue: first.issue,
    subjectless,
  })
  ;(state.nodes[own] as Node).vector = quantise(vector)
  recorder.move(own, 0, 0, 'about something else than its conversation')
  return own
}

/** Ids of the statements that others are compared with and whose vectors the state lacks. */
export function statementsWithoutVector(state: State): string[] {
  const ids: string[] = []
  for (const node of state.nodes) {
    if (!node || node.vector || node.text === '' || !isEncoded(state, node)) continue
    const [first] = node.followers
    if (first !== undefined && !isEcho(state, first)) ids.push(state.statementIds[first] as string)
  }
  return ids
}
