import type { Pairs } from '../clustering/nearest-pairs.ts'
import type { Scope } from '../clustering/scope.ts'
import type { Node, State } from '../state/state.ts'
import { isBanned } from './rules.ts'

/** From this similarity on, what a person said of one statement is said of another. */
const MIN_SIMILARITY = 0.52

/**
 * What people's words teach about statements that nobody spoke of. `pins`: the issue that the statement goes to (0: none), -1
 * when nothing was taught; `scores`: how like the one that a person put there it is. `bars`: whether the nearest thing to
 * it in an issue was rejected from there.
 */
export type PropagatedConstraints = {
  pins: Int32Array
  scores: Float32Array
  isRejected(place: number, issueId: number): boolean
}

/**
 * Lets every free statement follow the pinned one it resembles, where it resembles nothing else more. A second round takes
 * along those for which the nearest other has just followed too.
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

/** Every pair that is alike enough, from either side. */
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
