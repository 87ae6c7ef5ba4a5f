import { categoryValue } from './category-value.ts'
import type { Category, Insight } from './insights.ts'

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

/** A tag's value in a filter: `Area: Export`. Null for numbers, of which there are too many, and for no value. */
export function tagKey(tag: Category): string | null {
  if (tag.cat_type === 'calculated' || tag.cat_type === 'number') return null
  const value = categoryValue(tag)
  return value === null ? null : `${tag.cat_name}: ${value}`
}

const texts = new WeakMap<Insight, string>()

/** The searchable text of an insight in lower case: number, name, summary, tags and newest evidence. */
function searchText(insight: Insight): string {
  const known = texts.get(insight)
  if (known !== undefined) return known
  const parts = [
    `#${insight.issue_number}`,
    insight.issue_name,
    insight.summary,
    ...(insight.categories ?? []).map((tag) => `${tag.cat_name} ${tag.option_value ?? ''}`),
    ...(insight.evidence ?? []).map((mention) => mention.text),
  ]
  const text = parts.join('\n').toLowerCase()
  texts.set(insight, text)
  return text
}

/**
 * Whether an insight passes a filter: every word occurs in it, and each part that is set has a match. `me`: the account of the person who looks,
 * where it is known.
 */
export function matcher(filter: InsightFilter, now: number, me = ''): (insight: Insight) => boolean {
  const words = filter.words.toLowerCase().split(/\s+/).filter(Boolean)
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
    if (words.length === 0) return true
    const text = searchText(insight)
    return words.every((word) => text.includes(word))
  }
}

/** The values of a part of the filter, and those of an insight, of which one has to be among them. */
type Part = [readonly string[], (insight: Insight) => readonly (string | null | undefined)[] | undefined]

function isAssigned({ assigned_to: to }: Insight, wanted: string, me: string): boolean {
  return wanted === 'me' ? to === me : (wanted === 'nobody') === !to
}
