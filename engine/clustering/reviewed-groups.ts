import { isEmerging } from '../model.ts'
import type { Node, State } from '../state/state.ts'
import type { Community } from './lineage.ts'
import type { Pairs } from './similarity/nearest-pairs.ts'

/** The fewest places that a language model must have put into an issue for a community to continue that issue. */
const MIN_HELD = 2

/** `held`: whether a language model put what is at a place into its issue. */
type Placed = { nodeAt: (place: number) => Pick<Node, 'issue' | 'followers'>; held: (place: number) => boolean }
type Parted = Pick<State, 'parted' | 'statementIds'>

/**
 * Lets communities that continue no issue continue the one into which a language model put most of their statements that it placed. Otherwise, issues that it merged
 * would be two again as soon as there are new messages about the second.
 */
export function continueHeld(communities: readonly Community[], { nodeAt, held }: Placed): void {
  for (const community of communities) {
    if (community.issue > 0) continue
    const counts = new Map<number, number>()
    for (const { issue } of community.places.filter(held).map(nodeAt)) {
      if (issue > 0 && !isEmerging(issue)) counts.set(issue, (counts.get(issue) ?? 0) + 1)
    }
    const [most] = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])
    if (most && most[1] >= MIN_HELD) community.issue = most[0]
  }
}

/**
 * Where a place goes whose community continues `target`: into the issue of the place nearest to it among those that are in one, if a review split that
 * issue off `target`. So the part grows with what is like it. `labels`: the community of each place.
 */
export function partsOfReviews(
  state: Parted,
  { from, to, scores }: Pairs,
  labels: ArrayLike<number>,
  { nodeAt, held }: Placed,
): (place: number, target: number) => number {
  if (state.parted.size === 0) return (_, target) => target
  const isPart = splitOff(state, labels.length, { nodeAt, held })
  const nearest = new Map<number, { issue: number; score: number }>()
  const offer = (place: number, other: number, score: number) => {
    const { issue } = nodeAt(other)
    if (issue > 0 && !isEmerging(issue) && score > (nearest.get(place)?.score ?? 0))
      nearest.set(place, { issue, score })
  }
  for (let p = 0; p < from.length; p++) {
    const [a, b, score] = [from[p] as number, to[p] as number, scores[p] as number]
    if (labels[a] !== labels[b]) continue
    offer(a, b, score)
    offer(b, a, score)
  }
  return (place, target) => {
    const near = nearest.get(place)
    return near && nodeAt(place).issue !== target && isPart(near.issue, target) ? near.issue : target
  }
}

/** Whether a review put something that it took out of `whole` into `issue`. */
function splitOff(state: Parted, places: number, { nodeAt, held }: Placed): (issue: number, whole: number) => boolean {
  const wholes = new Map<number, Set<number>>()
  for (let place = 0; place < places; place++) {
    const { issue, followers } = nodeAt(place)
    const id = followers[0] === undefined ? undefined : state.statementIds[followers[0]]
    const from = id === undefined ? undefined : state.parted.get(id)
    if (from && issue > 0 && !isEmerging(issue) && held(place)) {
      wholes.set(issue, (wholes.get(issue) ?? new Set()).union(new Set(from)))
    }
  }
  return (issue, whole) => wholes.get(issue)?.has(whole) === true
}
