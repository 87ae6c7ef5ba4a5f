import { averageLinkage } from './average-linkage.ts'
import type { StatementVectors } from '../text/statement-vectors.ts'
import { meanCosines } from './mean-cosines.ts'

/** `places`: members; `issue`: the issue that it is, 0 for a group without one. */
export type LooseCluster = { places: number[]; issue: number }

/**
 * Groups by meaning alone, at a looser level than communities: what is in no issue joins the issue or the others to which its members are
 * most similar on average, as long as that is at least `threshold`. Two issues are never merged. `allowed`: whether a place may
 * join an issue.
 */
export function groupLoosely(
  clusters: readonly LooseCluster[],
  vectors: StatementVectors,
  { threshold, joining }: { threshold: number; joining: number },
  allowed: (place: number, issue: number) => boolean,
): LooseCluster[] {
  const similarities = meanCosines(vectors, clusters.map(({ places }) => places))
  const size = clusters.length
  for (let a = 0; a < size; a++) {
    const one = clusters[a] as LooseCluster
    if (one.issue === 0) continue
    for (let b = 0; b < size; b++) {
      const other = clusters[b] as LooseCluster
      if (a === b) continue
      const apart = other.issue > 0 || !other.places.every((place) => allowed(place, one.issue))
      const similarity = apart ? Number.NEGATIVE_INFINITY : (similarities[a * size + b] as number) - joining
      similarities[a * size + b] = similarity
      similarities[b * size + a] = similarity
    }
  }
  const parents = averageLinkage(similarities, Int32Array.from(clusters, ({ places }) => places.length), threshold)
  const merged = new Map<number, LooseCluster>()
  parents.forEach((parent, index) => {
    const { places, issue } = clusters[index] as LooseCluster
    const into = merged.get(parent)
    if (!into) merged.set(parent, { places: [...places], issue })
    else {
      into.places.push(...places)
      into.issue ||= issue
    }
  })
  return [...merged.values()]
}
