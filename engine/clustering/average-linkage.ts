/**
 * Agglomerates clusters by average linkage: the two most similar ones are merged, as long as their similarity is at least `threshold`.
 * `similarities`: a full symmetric matrix, row by row, which is changed; a pair of -Infinity is never in one cluster. `sizes`: members of
 * each cluster, at least 1. Returns for each cluster the lowest index of those it was merged with.
 */
export function averageLinkage(similarities: Float32Array, sizes: Int32Array, threshold: number): Int32Array {
  const size = sizes.length
  const members = Float32Array.from(sizes)
  const parents = Int32Array.from({ length: size }, (_, index) => index)
  const open = new Uint8Array(size).fill(1)
  /** Each is the most similar cluster of the one before. */
  const chain: number[] = []
  for (let first = 0; first < size; ) {
    if (chain.length === 0) {
      if (open[first] === 0) {
        first++
        continue
      }
      chain.push(first)
    }
    const last = chain.at(-1) as number
    const previous = chain.at(-2) ?? -1
    const nearest = nearestOf(last, previous, similarities, open)
    if (nearest < 0 || (similarities[last * size + nearest] as number) < threshold) {
      // Merges of others do not bring it nearer to anything.
      open[last] = 0
      chain.pop()
    } else if (nearest === previous) {
      chain.length -= 2
      const [into, from] = last < previous ? [last, previous] : [previous, last]
      merge(into, from, similarities, members, open)
      parents[from] = into
    } else chain.push(nearest)
  }
  for (let index = 0; index < size; index++) parents[index] = parents[parents[index] as number] as number
  return parents
}

/** The most similar open cluster; the previous one of the chain among equals, so that the chain ends. */
function nearestOf(of: number, previous: number, similarities: Float32Array, open: Uint8Array): number {
  const row = of * open.length
  let nearest = previous
  let most = previous < 0 ? Number.NEGATIVE_INFINITY : (similarities[row + previous] as number)
  for (let other = 0; other < open.length; other++) {
    if (open[other] === 0 || other === of) continue
    const similarity = similarities[row + other] as number
    if (similarity <= most) continue
    most = similarity
    nearest = other
  }
  return nearest
}

function merge(into: number, from: number, similarities: Float32Array, members: Float32Array, open: Uint8Array): void {
  const size = open.length
  const ours = members[into] as number
  const theirs = members[from] as number
  for (let other = 0; other < size; other++) {
    if (open[other] === 0 || other === into || other === from) continue
    const mean =
      ((similarities[into * size + other] as number) * ours + (similarities[from * size + other] as number) * theirs) /
      (ours + theirs)
    similarities[into * size + other] = mean
    similarities[other * size + into] = mean
  }
  members[into] = ours + theirs
  open[from] = 0
}
