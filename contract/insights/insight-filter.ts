import type { Category, Insight } from '../insights.ts'
import { categoryValue } from '../values/category-value.ts'

const DAY_MS = 86_400_000

/** The filter of a list of insights. Empty parts filter nothing; within one part any of the values matches. */
export type InsightFilter = {
  words: string
  statuses: readonly string[]
  tags: readonly string[]
  sources: readonly string[]
  /** What most of its mentions are. */
  kinds: readonly string[]
  teamStatuses: readonly string[]
  /** `me`: only insights assigned to the current person; `someone`, `nobody`; '': all. */
  assigned: string
  /** Only insights mentioned within the last `days` days. */
  days: number | null
}

/** Whether an insight has the words that are searched for; null: none are. */
export type InsightFinder = ((insight: Insight) => boolean) | null

/** The parameters of an address that belong to the filter. */
export const INSIGHT_FILTER_PARTS = {
  words: 'q',
  statuses: 'status',
  tags: 'tag',
  sources: 'source',
  kinds: 'kind',
  teamStatuses: 'team',
  assigned: 'assigned',
  days: 'days',
} as const

/** The filter that an address names. */
export function readInsightFilter(address: URLSearchParams): InsightFilter {
  const days = Number(address.get(INSIGHT_FILTER_PARTS.days))
  return {
    words: address.get(INSIGHT_FILTER_PARTS.words) ?? '',
    statuses: address.getAll(INSIGHT_FILTER_PARTS.statuses),
    tags: address.getAll(INSIGHT_FILTER_PARTS.tags),
    sources: address.getAll(INSIGHT_FILTER_PARTS.sources),
    kinds: address.getAll(INSIGHT_FILTER_PARTS.kinds),
    teamStatuses: address.getAll(INSIGHT_FILTER_PARTS.teamStatuses),
    assigned: address.get(INSIGHT_FILTER_PARTS.assigned) ?? '',
    days: Number.isInteger(days) && days > 0 ? days : null,
  }
}

/** A tag's value in a filter: `Area: Export`. Null for no value, and for numbers, which have too many values. */
export function tagKey(tag: Category): string | null {
  if (tag.cat_type === 'calculated' || tag.cat_type === 'number') return null
  const value = categoryValue(tag)
  return value === null ? null : `${tag.cat_name}: ${value}`
}

/**
 * Whether an insight passes a filter: `finds`, of its words (`insightFinder`), finds it, and each part that is set has a match. `me`: the account of the person
 * who looks, where it is known.
 */
export function matcher(
  filter: InsightFilter,
  now: number,
  me = '',
  finds?: InsightFinder,
): (insight: Insight) => boolean {
  const since = filter.days === null ? null : now - filter.days * DAY_MS
  const parts: Part[] = [
    [filter.statuses, (insight) => [insight.status]],
    [filter.sources, (insight) => insight.sources],
    [filter.tags, (insight) => insight.categories?.map(tagKey)],
    [filter.kinds, (insight) => [insight.main_kind]],
    [filter.teamStatuses, (insight) => [insight.team_status]],
  ]
  const set = parts.filter(([values]) => values.length > 0)
  return (insight) => {
    if (!set.every(([values, of]) => of(insight)?.some((one) => one && values.includes(one)))) return false
    if (filter.assigned && !isAssigned(insight, filter.assigned, me)) return false
    if (since !== null && !(Date.parse(insight.last_seen ?? insight.last_updated) >= since)) return false
    return finds?.(insight) ?? true
  }
}

/** The chosen values of a part of the filter, and the values of an insight: it passes if one of its values was chosen. */
type Part = [readonly string[], (insight: Insight) => readonly (string | null | undefined)[] | undefined]

function isAssigned({ assigned_to: to }: Insight, wanted: string, me: string): boolean {
  return wanted === 'me' ? to === me : (wanted === 'nobody') === !to
}
