import type { ChangeRecorder } from '../state/recorder.ts'
import type { Node, State } from '../state/state.ts'
import { isBanned, successorOf } from './rules.ts'

export const REASON_REJECTED = 'a person said that it is not this'

/**
 * Moves these nodes out of the issues that people rejected for them. Call after all other moves: a rejection also holds for an issue into
 * which those moves merge the rejected one.
 */
export function removeRejected(state: State, indices: Iterable<number>, recorder: ChangeRecorder): void {
  for (const index of indices) {
    const node = state.nodes[index] as Node
    if (node.bans.length === 0 || node.pin >= 0) continue
    const successors = node.bans.flatMap((banned) => {
      const issue = state.issues.get(successorOf(state, banned))
      return (issue && recorder.successorOf(issue)) ?? []
    })
    if (isBanned(state, node, node.issue) || successors.includes(node.issue))
      recorder.move(index, 0, 1, REASON_REJECTED)
  }
}

/** The nodes with a statement that people rejected from an issue. */
export function nodesWithRejections(state: State): Set<number> {
  const indices = new Set<number>()
  for (const [statementId, { bans }] of state.rules) {
    const statement = bans.length > 0 ? state.statementIndex.get(statementId) : undefined
    if (statement !== undefined) indices.add(state.statementNodes[statement] as number)
  }
  return indices
}
