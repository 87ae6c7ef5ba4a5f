import type { Changes } from '../model.ts'
import { ChangeRecorder } from '../state/recorder.ts'
import type { Node, State } from '../state/state.ts'
import { REASON_SUBJECTLESS } from './assign.ts'

/** Records that a node has no subject, or has one after all. Without one it leaves its issue, unless a person put it there. */
export function setSubjectless(state: State, index: number, subjectless: boolean, recorder: ChangeRecorder): void {
  const node = state.nodes[index] as Node
  node.subjectless = subjectless
  if (subjectless && node.issue > 0 && node.pin < 0) recorder.move(index, 0, 0, REASON_SUBJECTLESS)
}

/**
 * Records for these statements whether they have a subject, after a person or a better classifier said so. One that has a subject after all
 * waits for a revision. Unknown ids are skipped. Changes the state in place; returns what the caller must store.
 */
export function reclassify(
  state: State,
  statements: readonly { statementId: string; subjectless: boolean }[],
): Changes {
  const recorder = new ChangeRecorder(state)
  for (const { statementId, subjectless } of statements) {
    const statement = state.statementIndex.get(statementId)
    if (statement === undefined) continue
    const index = state.statementNodes[statement] as number
    if (state.nodes[index]?.followers[0] !== statement) continue
    setSubjectless(state, index, subjectless, recorder)
    if (!subjectless) state.pendingMatches++
  }
  return recorder.changes()
}
