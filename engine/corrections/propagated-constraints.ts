import type { Scope } from '../clustering/scope.ts'
import type { Pairs } from '../clustering/similarity/nearest-pairs.ts'
import type { Node, State } from '../state/state.ts'
import { isBanned } from './rules.ts'

/** From this similarity on, a constraint on one statement applies to another. */
const MIN_SIMILARITY = 0.52

/**
 * Constraints propagated to similar statements without a rule. `pins`: the issue the statement goes to (0: none), -1
 * if nothing was propagated; `scores`: similarity to the pinned statement. `isRejected`: whether the nearest
 * statement in an issue was rejected from it.
 */
export type PropagatedConstraints = {
  pins: Int32Array
  scores: Float32Array
  isRejected(place: number, issueId: number): boolean
}

/**
 * Lets every free statement follow the pinned one it resembles, unless it resembles something else more. A second
 * round includes those whose nearest other statement followed in the first.
 */
export function propagateConstraints(
  state: State,
  scope: Scope,
  pairs: Pairs,
  labels: Int32Array,
  fixed: (place: number) => boolean,
): PropagatedConstraints {
  const nodes = scope.nodes.map((index) => state.nodes[index] as Node)
  const pins = new Int32Array(nodes.length).fill(-1)
  const scores = new Float32Array(nodes.length)
  if (!nodes.some((node) => node.pin >= 0 || node.bans.length > 0)) return { pins, scores, isRejected: () => false }
  const candidatePins = new Int32Array(nodes.length).fill(-1)
  forEachSimilar(pairs, (place, other, score) => {
    const { pin } = nodes[other] as Node
    if (pin < 0 || score <= (scores[place] as number) || fixed(place)) return
    if (isBanned(state, nodes[place] as Node, pin)) return
    scores[place] = score
    candidatePins[place] = pin
  })
  for (let round = 0; round < 2; round++) {
    const others = new Float32Array(nodes.length)
    forEachSimilar(pairs, (place, other, score) => {
      if ((nodes[other] as Node).pin >= 0 || score <= (others[place] as number)) return
      if ((candidatePins[place] as number) < 0 || pins[other] === candidatePins[place]) return
      others[place] = score
    })
    candidatePins.forEach((pin, place) => {
      if (pin >= 0 && (scores[place] as number) >= (others[place] as number)) pins[place] = pin
    })
  }
  return { pins, scores, isRejected: rejectionTest(state, nodes, pairs, labels) }
}

function rejectionTest(
  state: State,
  nodes: Node[],
  pairs: Pairs,
  labels: Int32Array,
): PropagatedConstraints['isRejected'] {
  const rejected = new Map<number, { score: number; node: Node }[]>()
  forEachSimilar(pairs, (place, other, score) => {
    const node = nodes[other] as Node
    if (node.bans.length === 0) return
    rejected.set(place, [...(rejected.get(place) ?? []), { score, node }])
  })
  const support = new Map<number, number>()
  forEachSimilar(pairs, (place, other, score) => {
    if (!rejected.has(place) || labels[place] !== labels[other] || (nodes[other] as Node).bans.length > 0) return
    support.set(place, Math.max(score, support.get(place) ?? 0))
  })
  return (place, issueId) =>
    (rejected.get(place) ?? []).some(
      ({ score, node }) => score >= (support.get(place) ?? 0) && isBanned(state, node, issueId),
    )
}

/** Visits every sufficiently similar pair, in both directions. */
function forEachSimilar(
  { from, to, scores }: Pairs,
  visit: (place: number, other: number, score: number) => void,
): void {
  for (let p = 0; p < from.length; p++) {
    const score = scores[p] as number
    if (score < MIN_SIMILARITY) continue
    visit(from[p] as number, to[p] as number, score)
    visit(to[p] as number, from[p] as number, score)
  }
}
