import type { Community } from './lineage.ts'
import type { Pairs } from './similarity/nearest-pairs.ts'

/** How much nearer to another issue than to the rest of its own a part must be to move. */
const MARGIN = 3

/** The places of one issue that a community took from it, and their similarity to the rest of each. */
type Part = { community: number; issue: number; places: number[]; back: number; on: number }

/**
 * Returns a part that a community took from an issue which continues, unless the part is clearly nearer to the rest of the community than to the
 * rest of that issue. Several partitions are often about equally good: without this, each search would prefer another one, and people would
 * see insights exchange their messages. Splits and merges of whole issues stay. Nearness: the similarity of all pairs between the two, by the
 * number of places of the other. Changes `communities`.
 */
export function keepParts(communities: Community[], issueAt: (place: number) => number, pairs: Pairs): void {
  const communityAt = new Map<number, number>()
  const continuing = new Map<number, Community>()
  const sizes = new Map<number, number>()
  communities.forEach((community, index) => {
    if (community.issue > 0) continuing.set(community.issue, community)
    for (const place of community.places) {
      communityAt.set(place, index)
      const own = issueAt(place)
      sizes.set(own, (sizes.get(own) ?? 0) + 1)
    }
  })
  const { parts, partAt } = partsOf(communities, continuing, issueAt)
  const count = (place: number, other: number, score: number) => {
    const part = partAt.get(place)
    if (!part || partAt.get(other) === part) return
    if (issueAt(other) === part.issue) part.back += score
    else if (communityAt.get(other) === part.community) part.on += score
  }
  for (let p = 0; p < pairs.from.length; p++) {
    const [a, b, score] = [pairs.from[p] as number, pairs.to[p] as number, pairs.scores[p] as number]
    count(a, b, score)
    count(b, a, score)
  }
  const returned = new Map<number, Community>()
  for (const { places, community, issue, on, back } of parts) {
    const others = (communities[community] as Community).places.filter((place) => issueAt(place) !== issue).length
    const rest = (sizes.get(issue) as number) - places.length
    if (others === 0 || rest === 0 || (on > back && on / others >= (MARGIN * back) / rest)) continue
    for (const place of places) returned.set(place, continuing.get(issue) as Community)
  }
  if (returned.size === 0) return
  for (const community of communities) community.places = community.places.filter((place) => !returned.has(place))
  for (const [place, home] of returned) home.places.push(place)
  for (const { places } of communities) places.sort((a, b) => a - b)
}

/** What communities took from issues that continue elsewhere. */
function partsOf(
  communities: readonly Community[],
  continuing: ReadonlyMap<number, Community>,
  issueAt: (place: number) => number,
): { parts: Part[]; partAt: Map<number, Part> } {
  const parts: Part[] = []
  const partAt = new Map<number, Part>()
  communities.forEach(({ places, issue }, community) => {
    const byIssue = new Map<number, Part>()
    for (const place of places) {
      const own = issueAt(place)
      if (own <= 0 || own === issue || !continuing.has(own)) continue
      const part = byIssue.get(own) ?? { community, issue: own, places: [], back: 0, on: 0 }
      part.places.push(place)
      byIssue.set(own, part)
      partAt.set(place, part)
    }
    parts.push(...byIssue.values())
  })
  return { parts, partAt }
}
