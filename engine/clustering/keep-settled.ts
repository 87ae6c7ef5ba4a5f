import type { Community } from './lineage.ts'
import type { Pairs } from './similarity/nearest-pairs.ts'
import { NearestScores } from './similarity/nearest-scores.ts'

/**
 * How much nearer to another issue something must be before it leaves an issue that people settled. Chosen on the labelled sets, see
 * `docs/decisions/0106-settled-insights.md`.
 */
export const CLEAR_GAIN = 0.05

/** In no community, or in one that is no issue. */
const NOWHERE = -1

type Rules = {
  /** the issue that each place is in; 0: none */
  issueAt: (place: number) => number
  /** whether a place is in an issue that people settled, and free to leave it */
  isSettled: (place: number) => boolean
  /** how near a member of an issue has to be */
  least: (place: number) => number
  /** whether a community is an issue or becomes one */
  lasts: (community: Community) => boolean
}

/**
 * Returns to settled issues what was split off them, what was taken with all of them, and what goes nowhere, unless it is nearer to that by `CLEAR_GAIN`.
 * Nearness is the mean similarity to the four nearest places: of those that stay or, where none do, of its whole issue; and of the others where it goes
 * or, where there are none, of those that go along. Nowhere is as near as a member has to be. A part that goes from one issue to another is left to
 * `keepParts`. Changes `communities` and `loose`.
 */
export function keepSettled(communities: Community[], loose: Map<number, number>, pairs: Pairs, rules: Rules): void {
  // A community that what returns leaves behind may be no issue any more, so that the others in it go nowhere.
  while (returnUnclear(communities, loose, pairs, rules));
  for (const { places } of communities) places.sort((a, b) => a - b)
}

function returnUnclear(
  communities: Community[],
  loose: Map<number, number>,
  pairs: Pairs,
  { issueAt, isSettled, least, lasts }: Rules,
): boolean {
  const communityAt = new Map<number, number>()
  const homes = new Map<number, Community>()
  const leaving: number[] = []
  communities.forEach((community, index) => {
    if (community.issue > 0 && community.places.length > 0 && !homes.has(community.issue))
      homes.set(community.issue, community)
    const at = lasts(community) ? index : NOWHERE
    for (const place of community.places) {
      communityAt.set(place, at)
      if (isSettled(place) && issueAt(place) !== community.issue) leaving.push(place)
    }
  })
  for (const place of loose.keys()) {
    communityAt.set(place, NOWHERE)
    if (isSettled(place)) leaving.push(place)
  }
  if (leaving.length === 0) return false
  const nearness = nearnessOf(leaving, communityAt, issueAt, pairs)
  const returning = leaving.filter((place) => {
    const { own, rest, along, others } = nearness(place)
    const goesNowhere = communityAt.get(place) === NOWHERE
    // A part that goes from one issue to another: `keepParts` decides.
    if (homes.has(issueAt(place)) && !goesNowhere && others !== undefined) return false
    const here = homes.has(issueAt(place)) ? (rest ?? along) : own
    const there = goesNowhere ? least(place) : (others ?? along)
    return (there ?? 0) - (here ?? 0) < CLEAR_GAIN
  })
  if (returning.length === 0) return false
  const gone = new Set(returning)
  for (const community of communities) community.places = community.places.filter((place) => !gone.has(place))
  for (const place of returning) {
    loose.delete(place)
    const home = homes.get(issueAt(place)) ?? { places: [], issue: issueAt(place) }
    if (!homes.has(home.issue)) {
      homes.set(home.issue, home)
      communities.push(home)
    }
    home.places.push(place)
  }
  return true
}

/**
 * How near a place is to all others of its issue (`own`), to those of them that stay behind (`rest`) and that go where it goes (`along`), and to what
 * else is there (`others`). Undefined: there are none.
 */
type Nearness = { own?: number; rest?: number; along?: number; others?: number }

function nearnessOf(
  leaving: readonly number[],
  communityAt: ReadonlyMap<number, number>,
  issueAt: (place: number) => number,
  pairs: Pairs,
): (place: number) => Nearness {
  const goesTo = (place: number) => communityAt.get(place) ?? NOWHERE
  const isTogether = (place: number, other: number) => goesTo(place) !== NOWHERE && goesTo(place) === goesTo(other)
  const leaves = new Map(leaving.map((place, index) => [place, index]))
  const scores = {
    own: new NearestScores(leaving.length),
    rest: new NearestScores(leaving.length),
    along: new NearestScores(leaving.length),
    others: new NearestScores(leaving.length),
  }
  const offer = (place: number, other: number, score: number) => {
    const index = leaves.get(place)
    if (index === undefined) return
    const together = isTogether(place, other)
    if (issueAt(place) === issueAt(other)) {
      scores.own.offer(index, score)
      scores[together ? 'along' : 'rest'].offer(index, score)
    } else if (together) scores.others.offer(index, score)
  }
  for (let p = 0; p < pairs.from.length; p++) {
    const [a, b, score] = [pairs.from[p] as number, pairs.to[p] as number, pairs.scores[p] as number]
    offer(a, b, score)
    offer(b, a, score)
  }
  const sizes = new Map<string, number>()
  const add = (key: string) => sizes.set(key, (sizes.get(key) ?? 0) + 1)
  for (const [place, community] of communityAt) {
    add(`issue ${issueAt(place)}`)
    if (community === NOWHERE) continue
    add(`community ${community}`)
    add(`both ${issueAt(place)} ${community}`)
  }
  return (place) => {
    const index = leaves.get(place) as number
    const issue = sizes.get(`issue ${issueAt(place)}`) ?? 0
    const both = sizes.get(`both ${issueAt(place)} ${goesTo(place)}`) ?? 0
    const counts = {
      own: issue - 1,
      rest: issue - Math.max(1, both),
      along: both - 1,
      others: (sizes.get(`community ${goesTo(place)}`) ?? 0) - both,
    }
    const found: Nearness = {}
    for (const side of Object.keys(counts) as (keyof typeof counts)[])
      if (counts[side] > 0) found[side] = scores[side].mean(index, counts[side])
    return found
  }
}
