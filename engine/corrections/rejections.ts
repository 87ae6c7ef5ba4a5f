import type { ChangeRecorder } from '../state/recorder.ts'
import type { Node, State } from '../state/state.ts'
import { isBanned, successorOf } from './rules.ts'

/** The reason of a statement that left an issue that a person rejected for it. */
export const REASON_REJECTED = 'a person said that it is not this'

/**
 * Moves these nodes out of the issues that people rejected for them. Call after all other moves: a rejection also holds for an issue into
 * which those moves merge the rejected one. Where a person put a statement counts more than what it was rejected from.
 */
export function removeRejected(state: State, indices: Iterable<number>, recorder: ChangeRecorder): void {
  const rejected = [...indices].filter((index) => {
    const { bans, pin } = state.nodes[index] as Node
    return bans.length > 0 && pin < 0
  })
  // A removal may empty an issue, and so merge it into one that holds a statement rejected from it.
  let isChanging = true
  while (isChanging) {
    recorder.closeEmpty()
    const misplaced = rejected.filter((index) => isMisplaced(state, state.nodes[index] as Node, recorder))
    for (const index of misplaced) recorder.move(index, 0, 1, REASON_REJECTED)
    isChanging = misplaced.length > 0
  }
}

function isMisplaced(state: State, node: Node, recorder: ChangeRecorder): boolean {
  if (node.issue === 0) return false
  const successors = node.bans.flatMap((banned) => {
    const issue = state.issues.get(successorOf(state, banned))
    return (issue && recorder.successorOf(issue)) ?? []
  })
  return isBanned(state, node, node.issue) || successors.includes(node.issue)
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
