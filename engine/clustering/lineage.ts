/** A group found by a revision: places in the scope. */
export type Community = { places: number[]; issue: number }

/**
 * Gives each community the issue it continues: greatest overlap first, each issue and each community once, older
 * issues first on ties. Overlap is counted in statements, so that an issue goes where most of its mentions are. The
 * others keep 0, unless a person pinned one of their statements to an issue: then they continue that one.
 */
export function matchIssues(
  communities: Community[],
  issueAt: (place: number) => number,
  weightAt: (place: number) => number,
  pinAt: (place: number) => number = () => -1,
): void {
  const overlaps: { community: number; issue: number; weight: number }[] = []
  communities.forEach((community, index) => {
    const byIssue = new Map<number, number>()
    for (const place of community.places) {
      const issue = issueAt(place)
      if (issue > 0) byIssue.set(issue, (byIssue.get(issue) ?? 0) + weightAt(place))
    }
    for (const [issue, weight] of byIssue) overlaps.push({ community: index, issue, weight })
  })
  overlaps.sort((a, b) => b.weight - a.weight || a.issue - b.issue || a.community - b.community)
  const taken = new Set<number>()
  for (const { community, issue } of overlaps) {
    const group = communities[community] as Community
    if (group.issue !== 0 || taken.has(issue)) continue
    group.issue = issue
    taken.add(issue)
  }
  for (const { community, issue } of overlaps) {
    const group = communities[community] as Community
    if (group.issue === 0 && group.places.some((place) => pinAt(place) === issue)) group.issue = issue
  }
}

/** Gives each community the issue that most of its places are in, the older one on ties; several may get the same. The others keep 0. */
export function joinNearestIssues(communities: Community[], issueAt: (place: number) => number): void {
  for (const community of communities) {
    const counts = new Map<number, number>()
    for (const issue of community.places.map(issueAt)) if (issue > 0) counts.set(issue, (counts.get(issue) ?? 0) + 1)
    const [most] = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])
    if (most) community.issue = most[0]
  }
}
