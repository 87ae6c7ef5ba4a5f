import { averageLinkage } from '../clustering/average-linkage.ts'
import type { KnownTheme, KnownThemes } from './theme.ts'

/** The mean cosine down to which insights are in one theme. */
const MIN_COSINE = 0.3
/** Insights that are in one theme already count as this much more similar, and those of two themes as this much less. */
const STAYING_BONUS = 0.06
/** How much nearer an insight must be to another theme to leave its own. */
const CLEARLY_NEARER = 0.08

/** Insights of one theme. `themeId`: the known theme that it continues, 0 for none. */
export type ThemeGroup = { themeId: number; issueIds: number[] }

/**
 * Divides insights into themes by average linkage. `cosines`: a full symmetric matrix. A group of one insight is returned only where it
 * continues a theme that a person touched.
 */
export function partition(issueIds: readonly number[], cosines: Float32Array, known: KnownThemes): ThemeGroup[] {
  const size = issueIds.length
  const cosine = (a: number, b: number) => cosines[a * size + b] as number
  const pins = new Map(known.pins.map(({ issueId, themeId }) => [issueId, themeId]))
  const pinned = new Set(pins.values())
  const kept = new Set(known.themes.filter((theme) => theme.kept || pinned.has(theme.id)).map(({ id }) => id))
  const stayed = stayingThemes(issueIds, cosine, known.themes, pins)
  /** The theme of an insight that no other person's theme may take. */
  const anchors = issueIds.map((id, at) => {
    const theme = pins.get(id) ?? (stayed[at] as number)
    return kept.has(theme) ? theme : 0
  })
  const { clusters, following } = startingClusters(issueIds, stayed, pins)
  const similarities = new Float32Array(clusters.length ** 2)
  const change = (a: number, b: number): number => {
    if (anchors[a] && anchors[b] && anchors[a] !== anchors[b]) return Number.NEGATIVE_INFINITY
    if (!stayed[a] || !stayed[b]) return 0
    return stayed[a] === stayed[b] ? STAYING_BONUS : -STAYING_BONUS
  }
  clusters.forEach((members, i) => {
    clusters.slice(0, i).forEach((others, j) => {
      let sum = 0
      for (const a of members) for (const b of others) sum += cosine(a, b) + change(a, b)
      similarities[i * clusters.length + j] = sum / (members.length * others.length)
      similarities[j * clusters.length + i] = similarities[i * clusters.length + j] as number
    })
    similarities[i * clusters.length + i] = Number.NEGATIVE_INFINITY
  })
  const roots = averageLinkage(
    similarities,
    Int32Array.from(clusters, ({ length }) => length),
    MIN_COSINE,
  )
  const groups = new Map<number, number[]>()
  roots.forEach((root, cluster) => {
    groups.set(root, [...(groups.get(root) ?? []), ...(clusters[cluster] as number[])])
  })
  const found = [...groups.values()].map((places) => places.sort((a, b) => a - b))
  const continued = continuedThemes(found, stayed, kept)
  return found
    .map((places, at) => {
      const themeId = continued[at] as number
      const all = [...places, ...(following.get(themeId) ?? [])].sort((a, b) => a - b)
      return { themeId, issueIds: all.map((place) => issueIds[place] as number) }
    })
    .filter(({ themeId, issueIds: members }) => members.length > 1 || kept.has(themeId))
}

type CosineOf = (a: number, b: number) => number

/** The known theme of each insight, 0 for none: of those that another theme is clearly nearer to, none. */
function stayingThemes(
  issueIds: readonly number[],
  cosine: CosineOf,
  themes: readonly KnownTheme[],
  pins: ReadonlyMap<number, number>,
): number[] {
  const places = new Map(issueIds.map((id, at) => [id, at]))
  const themeOf = new Map(themes.flatMap(({ id, insightIds }) => insightIds.map((one) => [one, id] as const)))
  for (const [issueId, themeId] of pins) themeOf.set(issueId, themeId)
  const members = new Map<number, number[]>()
  for (const [issueId, themeId] of themeOf) {
    const place = places.get(issueId)
    if (place !== undefined && themeId > 0) members.set(themeId, [...(members.get(themeId) ?? []), place])
  }
  const meanTo = (place: number, theme: number): number => {
    const others = (members.get(theme) ?? []).filter((other) => other !== place)
    return others.reduce((sum, other) => sum + cosine(place, other), 0) / others.length
  }
  return issueIds.map((id, place) => {
    const own = themeOf.get(id) ?? 0
    if (own === 0 || pins.has(id)) return own
    const near = meanTo(place, own)
    if (Number.isNaN(near)) return own
    for (const theme of members.keys()) {
      const distance = theme === own ? Number.NaN : meanTo(place, theme)
      if (distance >= MIN_COSINE && distance > near + CLEARLY_NEARER) return 0
    }
    return own
  })
}

/**
 * What people put into a theme follows the insights that the engine put there; where there are none, it begins as one cluster. What they put
 * in no theme is left out.
 */
function startingClusters(
  issueIds: readonly number[],
  stayed: readonly number[],
  pins: ReadonlyMap<number, number>,
): { clusters: number[][]; following: ReadonlyMap<number, number[]> } {
  const led = new Set(stayed.filter((_, place) => !pins.has(issueIds[place] as number)))
  const together = new Map<number, number[]>()
  const clusters: number[][] = []
  const following = new Map<number, number[]>()
  issueIds.forEach((id, place) => {
    const pin = pins.get(id)
    if (pin === undefined) clusters.push([place])
    else if (pin > 0) {
      const target = led.has(pin) ? following : together
      target.set(pin, [...(target.get(pin) ?? []), place])
    }
  })
  return { clusters: [...clusters, ...together.values()], following }
}

/** The theme that each group continues, once each: the one with most of its insights, those that people touched and older ones first. */
function continuedThemes(groups: readonly number[][], stayed: readonly number[], kept: ReadonlySet<number>): number[] {
  const continued = groups.map(() => 0)
  const taken = new Set<number>()
  const overlaps = groups.flatMap((places, group) => {
    const sizes = new Map<number, number>()
    for (const place of places) {
      const theme = stayed[place] as number
      if (theme > 0) sizes.set(theme, (sizes.get(theme) ?? 0) + 1)
    }
    return [...sizes].map(([theme, size]) => ({ group, theme, size, rank: kept.has(theme) ? 1 : 0 }))
  })
  overlaps.sort((a, b) => b.rank - a.rank || b.size - a.size || a.theme - b.theme || a.group - b.group)
  for (const { group, theme } of overlaps) {
    if (continued[group] !== 0 || taken.has(theme)) continue
    continued[group] = theme
    taken.add(theme)
  }
  return continued
}
