import { hasRule } from '../corrections/rules.ts'
import { dropNode, isGroupable, type Node, type State } from '../state/state.ts'

/** Maximum kept statements in one revision. */
export const MAX_SCOPE = 5_000
/** Maximum pending statements with a subject, and without one; older ones are forgotten. */
const MAX_PENDING = 3_000

/** The part of the state a revision works on: indices of kept statements in ascending order, and their issues. */
export type Scope = { nodes: number[]; issues: Set<number> }

/**
 * Chooses the scope of a revision: everything while that is at most 5,000 kept statements; beyond that, the newest
 * pending ones and then whole issues, those with the largest changes first. Praise and small talk take no part.
 * Forgets pending statements beyond 3,000, and as many of praise and small talk, except those with a rule.
 */
export function chooseScope(state: State): Scope {
  const pending: number[] = []
  const apart: number[] = []
  state.nodes.forEach((node, index) => {
    if (node && node.issue === 0) (isGroupable(node) ? pending : apart).push(index)
  })
  const forgotten = new Set([...oldestBeyond(state, pending), ...oldestBeyond(state, apart)])
  for (const index of forgotten) dropNode(state, index)
  const issues = [...state.issues.values()].filter((issue) => issue.nodes.size > 0)
  issues.sort((a, b) => changeShare(b) - changeShare(a) || b.id - a.id)
  const nodes = pending.filter((index) => !forgotten.has(index)).slice(-MAX_SCOPE / 2)
  const chosen = new Set<number>()
  for (const issue of issues) {
    if (nodes.length + issue.nodes.size > MAX_SCOPE) continue
    chosen.add(issue.id)
    nodes.push(...issue.nodes)
  }
  nodes.sort((a, b) => a - b)
  return { nodes, issues: chosen }
}

/** Whether a scope holds every statement that a revision may move. */
export function isWhole(state: State, scope: Scope): boolean {
  let count = 0
  for (const node of state.nodes) if (node && (node.issue > 0 || isGroupable(node))) count++
  return count === scope.nodes.length
}

/** The pending nodes to forget: the oldest beyond 3,000, without those that a rule names. */
function oldestBeyond(state: State, pending: readonly number[]): number[] {
  const forgettable = pending.filter((index) => !hasRule(state.nodes[index] as Node))
  return forgettable.slice(0, Math.max(0, forgettable.length - MAX_PENDING))
}

function changeShare(issue: { changed: number; mentions: number }): number {
  return issue.changed / (issue.mentions + 5)
}
