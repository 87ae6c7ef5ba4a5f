import type { StatementVectors } from '../text/statement-vectors.ts'
import { dot } from '../text/word-vectors.ts'
import type { Pairs } from './similarity/nearest-pairs.ts'
import { membersOf } from './similarity/profiles.ts'

/** Weaker links are ignored. */
const MIN_LINK_STRENGTH = 0.13
/**
 * Modularity resolution per estimated subject: clusters are merged if a community search at this resolution would
 * have kept them together.
 */
const RESOLUTION_PER_SUBJECT = 0.28
/** Links between parts of one existing issue count this much more, so that visible issues stay whole. */
const SAME_ISSUE_FACTOR = 1.6
/** The assumed cosine when a cluster has no known vectors. */
const DEFAULT_COSINE = 0.6

/**
 * `degree`: total weight of its edges, inner ones twice; `links`: edge weight to each other cluster; `direction`: sum
 * of its vectors; `issue`: the issue of at least half of its members before, 0 for none.
 */
type Cluster = {
  id: number
  size: number
  degree: number
  links: Map<number, number>
  direction: Float32Array
  issue: number
}

type ClusterLink = { a: Cluster; b: Cluster; strength: number }

/**
 * Merges linked clusters, the strongest link first. Modularity cuts a larger graph more finely, so a frequent subject
 * among few others comes out in pieces; only the links between the pieces show that they belong together. The number
 * of subjects is estimated from the clusters that links alone would form: estimated from the pieces themselves, it
 * would be too high. Changes `labels`. `weights`: of the edges in `pairs`, 0 for no edge; `issues`: the previous
 * issue of each place, 0 for none.
 */
export function mergeLinkedClusters(
  labels: Int32Array,
  pairs: Pairs,
  weights: Float32Array,
  vectors: StatementVectors,
  issues: Int32Array,
): void {
  const clusters = () => addLinks(clustersOf(labels, vectors, issues), labels, pairs, weights)
  const byLinksAlone = clusters()
  mergeStrongestFirst(byLinksAlone, () => true)
  const { all, subjects } = countSubjects(byLinksAlone)
  const successors = mergeStrongestFirst(clusters(), (a, b) => improvesModularity(a, b, all, subjects))
  labels.forEach((label, place) => {
    let successor = label
    for (let next = successors.get(successor); next !== undefined; next = successors.get(successor)) successor = next
    labels[place] = successor
  })
}

/** Merges linked clusters as long as `allowed`. Changes `clusters`; returns the successor of each merged one. */
function mergeStrongestFirst(
  clusters: Map<number, Cluster>,
  allowed: (a: Cluster, b: Cluster) => boolean,
): Map<number, number> {
  const linksOf = (a: Cluster, others: Iterable<number>): ClusterLink[] =>
    [...others].flatMap((id) => {
      const b = clusters.get(id) as Cluster
      const strength = linkStrength(a, b)
      return strength >= MIN_LINK_STRENGTH && allowed(a, b) ? [{ a, b, strength }] : []
    })
  let links = [...clusters.values()].flatMap((group) =>
    linksOf(
      group,
      [...group.links.keys()].filter((id) => id > group.id),
    ),
  )
  const successors = new Map<number, number>()
  for (let best = strongestLink(links); best; best = strongestLink(links)) {
    const { a, b } = best
    successors.set(b.id, a.id)
    absorb(a, b, clusters)
    const touched = (group: Cluster) => group === a || group === b
    links = links.filter((tie) => !touched(tie.a) && !touched(tie.b))
    links.push(...linksOf(a, a.links.keys()))
  }
  return successors
}

/** The total degree of all clusters, and the effective number of subjects (inverse Simpson index of the degrees). */
function countSubjects(groups: Map<number, Cluster>): { all: number; subjects: number } {
  let all = 0
  let squares = 0
  for (const { degree } of groups.values()) {
    all += degree
    squares += degree ** 2
  }
  return { all, subjects: all ** 2 / squares }
}

function strongestLink(ties: ClusterLink[]): ClusterLink | undefined {
  let best: ClusterLink | undefined
  for (const tie of ties) if (!best || tie.strength > best.strength) best = tie
  return best
}

function clustersOf(
  labels: Int32Array,
  { dimensions, values, known }: StatementVectors,
  issues: Int32Array,
): Map<number, Cluster> {
  const groups = new Map<number, Cluster>()
  for (const [id, places] of membersOf(labels)) {
    const direction = new Float32Array(dimensions)
    for (const place of places) {
      if (known[place] === 0) continue
      for (let i = 0; i < dimensions; i++)
        direction[i] = (direction[i] as number) + (values[place * dimensions + i] as number)
    }
    const issue = majority(places.map((place) => issues[place] as number))
    groups.set(id, { id, size: places.length, degree: 0, links: new Map(), direction, issue })
  }
  return groups
}

/** The issue of at least half of them, or 0. */
function majority(issues: number[]): number {
  const counts = new Map<number, number>()
  for (const issue of issues) counts.set(issue, (counts.get(issue) ?? 0) + 1)
  for (const [issue, count] of counts) if (count * 2 >= issues.length) return issue
  return 0
}

function addLinks(
  groups: Map<number, Cluster>,
  labels: Int32Array,
  { from, to }: Pairs,
  weights: Float32Array,
): Map<number, Cluster> {
  for (let p = 0; p < from.length; p++) {
    const weight = weights[p] as number
    if (weight === 0) continue
    const a = groups.get(labels[from[p] as number] as number) as Cluster
    const b = groups.get(labels[to[p] as number] as number) as Cluster
    a.degree += weight
    b.degree += weight
    if (a === b) continue
    a.links.set(b.id, (a.links.get(b.id) ?? 0) + weight)
    b.links.set(a.id, (b.links.get(a.id) ?? 0) + weight)
  }
  return groups
}

/** The share of the smaller cluster's edges that lead to the other, times the squared cosine of their directions. */
function linkStrength(a: Cluster, b: Cluster): number {
  const part = linkWeight(a, b) / Math.min(a.degree, b.degree)
  return part < MIN_LINK_STRENGTH ? 0 : part * cosineOf(a.direction, b.direction) ** 2
}

/** The edge weight between two clusters, boosted if both were one issue before. */
function linkWeight(a: Cluster, b: Cluster): number {
  const weight = a.links.get(b.id) ?? 0
  return a.issue > 0 && a.issue === b.issue ? weight * SAME_ISSUE_FACTOR : weight
}

/** Whether merging increases modularity at the resolution for this many subjects. `all`: total degree. */
function improvesModularity(a: Cluster, b: Cluster, all: number, subjects: number): boolean {
  return linkWeight(a, b) * all > RESOLUTION_PER_SUBJECT * subjects * a.degree * b.degree
}

function cosineOf(a: Float32Array, b: Float32Array): number {
  const squares = dot(a, a) * dot(b, b)
  return squares === 0 ? DEFAULT_COSINE : Math.max(0, dot(a, b) / Math.sqrt(squares))
}

/** Merges `b` into `a`. */
function absorb(a: Cluster, b: Cluster, groups: Map<number, Cluster>): void {
  if (b.size > a.size) a.issue = b.issue
  a.size += b.size
  a.degree += b.degree
  b.direction.forEach((value, i) => {
    a.direction[i] = (a.direction[i] as number) + value
  })
  a.links.delete(b.id)
  for (const [id, weight] of b.links) {
    const other = groups.get(id) as Cluster
    other.links.delete(b.id)
    if (other === a) continue
    a.links.set(id, (a.links.get(id) ?? 0) + weight)
    other.links.set(a.id, (other.links.get(a.id) ?? 0) + weight)
  }
  groups.delete(b.id)
}
