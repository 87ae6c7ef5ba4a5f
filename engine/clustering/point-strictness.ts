import type { Node, State } from '../state/state.ts'
import type { Scope } from './scope.ts'

/** By place: whether a language model read the statement, so that its point is compared. */
export function readPlaces(state: State, { nodes }: Pick<Scope, 'nodes'>): Uint8Array {
  return Uint8Array.from(nodes, (index) => ((state.nodes[index] as Node).point === undefined ? 0 : 1))
}

/** How much more similar two points must be than two texts to be grouped by meaning alone. */
export function extraMeaning({ loose, points }: { loose: number; points: { loose: number } }): number {
  return points.loose - loose
}

/**
 * Lowers the mean cosines of these groups (a matrix as of `meanCosines`) by `extra` for pairs of points, so that one threshold serves
 * both: points are short and similar in form. Without points nothing changes.
 */
export function discountPoints(
  similarities: Float32Array,
  groups: readonly (readonly number[])[],
  isRead: Uint8Array,
  extra: number,
): void {
  const shares = groups.map(
    (places) => places.reduce((sum, place) => sum + (isRead[place] as number), 0) / places.length,
  )
  const read = [...shares.keys()].filter((group) => (shares[group] as number) > 0)
  for (const a of read) {
    for (const b of read) {
      const at = a * groups.length + b
      similarities[at] = (similarities[at] as number) - extra * (shares[a] as number) * (shares[b] as number)
    }
  }
}
