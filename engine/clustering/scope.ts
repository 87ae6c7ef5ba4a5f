import { hasRule } from '../corrections/rules.ts'
import { dropNode, type Node, type State } from '../state/state.ts'

/** Maximum kept statements in one revision. */
export const MAX_SCOPE = 5_000
/** Maximum pending statements; older ones are forgotten. */
const MAX_PENDING = 3_000

/** The part of the state a revision works on: indices of kept statements in ascending order, and their issues. */
export type Scope = { nodes: number[]; issues: Set<number> }

/**
 * Chooses the scope of a revision: everything while that is at most 5,000 kept statements; beyond that, the newest
 * pending ones and then whole issues, those with the largest changes first. Forgets pending statements beyond 3,000,
 * except those with a rule.
 */
export function chooseScope(state: State): Scope {
  const pending: number[] = []
  state.nodes.forEach((node, index) => {
    if (node && node.issue === 0) pending.push(index)
  })
  const forgettable = pending.filter((index) => !hasRule(state.nodes[index] as Node))
  const forgotten = new Set(forgettable.slice(0, Math.max(0, forgettable.length - MAX_PENDING)))
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

function changeShare(issue: { changed: number; mentions: number }): number {
  return issue.changed / (issue.mentions + 5)
}
