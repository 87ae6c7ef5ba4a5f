import { EXEMPLARS, mergeNodes, type Node, type State } from './state.ts'
import { similarity } from './weights.ts'

/**
 * Brings every issue back to 50 kept statements after merges: those with most followers stay, of equals the older. Each
 * of the others follows the kept one it is nearest to. What a person pinned stays.
 */
export function trimExemplars(state: State): void {
  for (const issue of state.issues.values()) {
    if (issue.nodes.size <= EXEMPLARS) continue
    const rank = (index: number) => {
      const node = state.nodes[index] as Node
      return (node.pin >= 0 || node.bans.length > 0 ? 1e9 : 0) + node.followers.length
    }
    const ordered = [...issue.nodes].sort((a, b) => rank(b) - rank(a) || a - b)
    const kept = ordered.slice(0, EXEMPLARS)
    for (const index of ordered.slice(EXEMPLARS)) {
      const node = state.nodes[index] as Node
      if (node.pin >= 0 || node.bans.length > 0) continue
      let nearest = kept[0] as number
      let best = -1
      for (const other of kept) {
        const score = similarity(node.features, (state.nodes[other] as Node).features, state.vocabulary)
        if (score <= best) continue
        best = score
        nearest = other
      }
      mergeNodes(state, index, nearest)
    }
  }
}
