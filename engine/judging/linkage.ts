import type { JudgedPair, JudgeRef } from './answers.ts'

/** Statements that belong together: in this issue, or in a new one (0). `score`: the highest similarity of two that were linked. */
export type JudgedGroup = { issueId: number; statementIds: string[]; score: number }

type Link = { odds: number; pairs: number; score: number }
type Cluster = { issueId: number; statementIds: string[]; score: number; links: Map<Cluster, Link> }

/**
 * Groups statements and issues that belong together, by average linkage of the log odds of the pairs that were judged, as long as the mean is at least
 * `minOdds`. Two issues are never in one group.
 */
export function linkJudged(pairs: readonly JudgedPair[], minOdds: number): JudgedGroup[] {
  const clusters = new Map<JudgeRef, Cluster>()
  const clusterOf = (ref: JudgeRef): Cluster => {
    const known = clusters.get(ref)
    if (known) return known
    const [issueId, statementIds] = typeof ref === 'number' ? [ref, []] : [0, [ref]]
    const cluster: Cluster = { issueId, statementIds, score: 0, links: new Map() }
    clusters.set(ref, cluster)
    return cluster
  }
  for (const { a, b, odds, score } of pairs) connect(clusterOf(a), clusterOf(b), { odds, pairs: 1, score })
  const open = new Set(clusters.values())
  for (let best = nearest(open, minOdds); best; best = nearest(open, minOdds)) {
    const [into, from] = best
    merge(into, from)
    open.delete(from)
  }
  return [...open].filter(isGroup).map(({ issueId, statementIds, score }) => ({ issueId, statementIds, score }))
}

function isGroup({ issueId, statementIds }: Cluster): boolean {
  return statementIds.length > (issueId > 0 ? 0 : 1)
}

/** The two clusters with the highest mean; the first ones among equals. */
function nearest(open: ReadonlySet<Cluster>, minOdds: number): [Cluster, Cluster] | null {
  let best: [Cluster, Cluster] | null = null
  let most = minOdds
  for (const one of open) {
    for (const [other, { odds, pairs }] of one.links) {
      const mean = odds / pairs
      if (mean < most || (best && mean === most) || (one.issueId > 0 && other.issueId > 0)) continue
      most = mean
      best = [one, other]
    }
  }
  return best
}

function merge(into: Cluster, from: Cluster): void {
  into.issueId ||= from.issueId
  into.statementIds.push(...from.statementIds)
  into.score = Math.max(into.score, from.score, into.links.get(from)?.score ?? 0)
  into.links.delete(from)
  for (const [other, link] of from.links) {
    if (other === into) continue
    other.links.delete(from)
    connect(into, other, link)
  }
}

function connect(a: Cluster, b: Cluster, { odds, pairs, score }: Link): void {
  if (a === b) return
  const known = a.links.get(b)
  const link = known
    ? { odds: known.odds + odds, pairs: known.pairs + pairs, score: Math.max(known.score, score) }
    : { odds, pairs, score }
  a.links.set(b, link)
  b.links.set(a, link)
}
