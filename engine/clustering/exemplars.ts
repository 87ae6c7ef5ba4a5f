import { hasRule, sameRule } from '../corrections/rules.ts'
import { featuresOf, MAX_EXEMPLARS, mergeNodes, type Node, type State } from '../state/state.ts'
import { similarity } from '../text/weights.ts'

/**
 * Trims every issue to 50 kept statements after merges: those with the most followers stay, then the older ones. Each
 * dropped one is merged into its nearest kept statement; one with a rule only into one with the same rule.
 */
export function trimExemplars(state: State): void {
  for (const issue of state.issues.values()) {
    if (issue.nodes.size <= MAX_EXEMPLARS) continue
    const rank = (index: number) => {
      const node = state.nodes[index] as Node
      return (hasRule(node) ? 1e9 : 0) + node.followers.length
    }
    const ordered = [...issue.nodes].sort((a, b) => rank(b) - rank(a) || a - b)
    const kept = ordered.slice(0, MAX_EXEMPLARS)
    for (const index of ordered.slice(MAX_EXEMPLARS)) {
      const node = state.nodes[index] as Node
      let nearest = -1
      let best = -1
      for (const other of kept) {
        if (hasRule(node) && !sameRule(node, state.nodes[other] as Node)) continue
        const score = similarity(featuresOf(state, index), featuresOf(state, other), state.vocabulary)
        if (score <= best) continue
        best = score
        nearest = other
      }
      if (nearest >= 0) mergeNodes(state, index, nearest)
    }
  }
}
