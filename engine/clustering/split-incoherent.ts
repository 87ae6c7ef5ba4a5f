import type { StatementVectors } from '../text/statement-vectors.ts'
import { SENTENCE } from '../text/vector-rows.ts'
import { averageLinkage } from './average-linkage.ts'
import { meanCosines } from './similarity/mean-cosines.ts'
import type { Pairs } from './similarity/nearest-pairs.ts'

/**
 * Splits each community into parts whose members mean the same on average: words alone also connect what only has a word in common.
 * That says nothing of statements without a sentence vector, such as those in other languages: they stay together, with the part whose
 * words are most like theirs. Labels of -1 stay. Returns new labels, from 0.
 */
export function splitIncoherent(
  labels: Int32Array,
  vectors: StatementVectors,
  threshold: number,
  pairs: Pairs,
): Int32Array {
  const communities = new Map<number, number[]>()
  const unencoded = new Map<number, number[]>()
  labels.forEach((label, place) => {
    if (label < 0) return
    const among = vectors.known[place] === SENTENCE ? communities : unencoded
    const places = among.get(label)
    if (places) places.push(place)
    else among.set(label, [place])
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
  const parts = unencoded.size > 0 ? nearestParts(labels, split, pairs) : null
  for (const [label, places] of unencoded) {
    const part = parts?.get(label) ?? next++
    for (const place of places) split[place] = part
  }
  return split
}

/** For each community, its part that is most similar to the members without a part. */
function nearestParts(labels: Int32Array, split: Int32Array, { from, to, scores }: Pairs): Map<number, number> {
  const sums = new Map<number, Map<number, number>>()
  for (let p = 0; p < from.length; p++) {
    const [a, b] = [from[p] as number, to[p] as number]
    const label = labels[a] as number
    if (label < 0 || label !== labels[b] || (split[a] as number) < 0 === (split[b] as number) < 0) continue
    const part = Math.max(split[a] as number, split[b] as number)
    const ofCommunity = sums.get(label) ?? new Map<number, number>()
    ofCommunity.set(part, (ofCommunity.get(part) ?? 0) + (scores[p] as number))
    sums.set(label, ofCommunity)
  }
  return new Map(
    [...sums].map(([label, found]) => [
      label,
      ([...found].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0] as [number, number])[0],
    ]),
  )
}
