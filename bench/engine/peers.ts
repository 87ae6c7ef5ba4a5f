import { seededRandom } from '@groundswell/engine/clustering/random.ts'
import { cosine, TfIdf, type Vector } from './tfidf.ts'

const MAX_ROUNDS = 20
/** The cosine from which the leader algorithm joins a message to a group: best B³ F1 on CLINC150. */
const MIN_LEADER_COSINE = 0.3

/** k-means (k-means++ initialisation) on TF-IDF, given all texts and the true number of groups. */
export function kMeans(texts: string[], k: number, seed: number): number[] {
  const random = seededRandom(seed)
  const tfIdf = new TfIdf(texts)
  const vectors = texts.map((text) => tfIdf.vector(text))
  let centres = firstCentres(vectors, k, random).map((vector) => dense(vector, tfIdf.size))
  let groups: number[] = []
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const squares = centres.map((centre) => centre.reduce((sum, value) => sum + value * value, 0))
    const next = vectors.map((vector) => nearestCentre(vector, centres, squares))
    if (next.every((group, i) => group === groups[i])) break
    groups = next
    centres = centresOf(vectors, groups, centres)
  }
  return groups
}

/** Leader clustering: each text joins the group whose first text is nearest, or starts a group. */
export function leader(texts: string[], near = MIN_LEADER_COSINE): number[] {
  const tfIdf = new TfIdf(texts)
  const leaders: Vector[] = []
  const holders = new Map<number, { group: number; weight: number }[]>()
  return texts.map((text) => {
    const vector = tfIdf.vector(text)
    const scores = new Map<number, number>()
    for (const [word, weight] of vector) {
      for (const held of holders.get(word) ?? []) {
        scores.set(held.group, (scores.get(held.group) ?? 0) + weight * held.weight)
      }
    }
    let best = -1
    for (const [group, score] of scores) if (score >= near && score > (scores.get(best) ?? 0)) best = group
    if (best >= 0) return best
    const group = leaders.push(vector) - 1
    for (const [word, weight] of vector) holders.set(word, [...(holders.get(word) ?? []), { group, weight }])
    return group
  })
}

/** Replaces singleton groups by null. */
export function withoutSingles(groups: number[]): (number | null)[] {
  const sizes = new Map<number, number>()
  for (const group of groups) sizes.set(group, (sizes.get(group) ?? 0) + 1)
  return groups.map((group) => ((sizes.get(group) ?? 0) > 1 ? group : null))
}

/**
 * k-means++ initialisation: each centre is drawn with probability proportional to its squared distance to the nearest
 * one.
 */
function firstCentres(vectors: Vector[], k: number, random: () => number): Vector[] {
  const centres = [vectors[Math.floor(random() * vectors.length)] as Vector]
  const distance = vectors.map(() => Number.POSITIVE_INFINITY)
  while (centres.length < Math.min(k, vectors.length)) {
    const last = centres.at(-1) as Vector
    vectors.forEach((vector, i) => {
      distance[i] = Math.min(distance[i] as number, 2 - 2 * cosine(vector, last))
    })
    let at = random() * distance.reduce((sum, value) => sum + value, 0)
    const chosen = distance.findIndex((value) => {
      at -= value
      return at <= 0
    })
    centres.push(vectors[Math.max(0, chosen)] as Vector)
  }
  return centres
}

function dense(vector: Vector, words: number): Float64Array {
  const values = new Float64Array(words)
  for (const [word, weight] of vector) values[word] = weight
  return values
}

function nearestCentre(vector: Vector, centres: Float64Array[], squares: number[]): number {
  let best = 0
  let least = Number.POSITIVE_INFINITY
  centres.forEach((centre, i) => {
    let dot = 0
    for (const [word, weight] of vector) dot += weight * (centre[word] as number)
    const distance = (squares[i] as number) - 2 * dot
    if (distance >= least) return
    least = distance
    best = i
  })
  return best
}

/** The group means; an empty group keeps its centre. */
function centresOf(vectors: Vector[], groups: number[], before: Float64Array[]): Float64Array[] {
  const sizes = before.map(() => 0)
  const sums = before.map((centre) => new Float64Array(centre.length))
  vectors.forEach((vector, i) => {
    const group = groups[i] as number
    sizes[group] = (sizes[group] ?? 0) + 1
    const sum = sums[group] as Float64Array
    for (const [word, weight] of vector) sum[word] = (sum[word] as number) + weight
  })
  return sums.map((sum, i) =>
    sizes[i] === 0 ? (before[i] as Float64Array) : sum.map((value) => value / (sizes[i] as number)),
  )
}
