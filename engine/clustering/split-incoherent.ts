import type { StatementVectors } from '../text/statement-vectors.ts'
import { averageLinkage } from './average-linkage.ts'
import { meanCosines } from './mean-cosines.ts'

/**
 * Splits each community into parts whose members mean the same on average: words alone also connect what only has a word in common.
 * Labels of -1 stay. Returns new labels, from 0.
 */
export function splitIncoherent(labels: Int32Array, vectors: StatementVectors, threshold: number): Int32Array {
  const communities = new Map<number, number[]>()
  labels.forEach((label, place) => {
    if (label < 0) return
    const places = communities.get(label)
    if (places) places.push(place)
    else communities.set(label, [place])
  })
  const split = new Int32Array(labels.length).fill(-1)
  let next = 0
  for (const places of communities.values()) {
    const parts = averageLinkage(
      meanCosines(
        vectors,
        places.map((place) => [place]),
      ),
      new Int32Array(places.length).fill(1),
      threshold,
    )
    const names = new Map<number, number>()
    parts.forEach((part, index) => {
      const name = names.get(part) ?? next++
      names.set(part, name)
      split[places[index] as number] = name
    })
  }
  return split
}
