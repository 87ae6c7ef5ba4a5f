import type { Category, Insight } from '@groundswell/contract/insights.ts'
import { categoryValue } from '../category-value.ts'
import { type ChangeGroup, isChangeGroup } from '../visits/change-groups.ts'
import { searchText } from './search.ts'

const DAY_MS = 86_400_000

/** The filter of the list. Empty parts filter nothing; within one part any of the values matches. */
export type Filter = {
  words: string
  statuses: readonly string[]
  tags: readonly string[]
  sources: readonly string[]
  /** What most of its mentions are. */
  kinds: readonly string[]
  teamStatuses: readonly string[]
  /** Only insights mentioned within the last `days` days. */
  days: number | null
  /** A group of what changed since the last visit: applied to the insights before everything else. */
  change: ChangeGroup | null
  /** The id of a customer, '' for any: applied before everything else too. */
  customer: string
}

/** The parameters of an address that belong to the filter. */
export const FILTER_PARTS = {
  words: 'q',
  statuses: 'status',
  tags: 'tag',
  sources: 'source',
  kinds: 'kind',
  teamStatuses: 'team',
  days: 'days',
  change: 'change',
  customer: 'customer',
} as const

export function readFilter(address: URLSearchParams): Filter {
  const days = Number(address.get(FILTER_PARTS.days))
  const change = address.get(FILTER_PARTS.change)
  return {
    words: address.get(FILTER_PARTS.words) ?? '',
    statuses: address.getAll(FILTER_PARTS.statuses),
    tags: address.getAll(FILTER_PARTS.tags),
    sources: address.getAll(FILTER_PARTS.sources),
    kinds: address.getAll(FILTER_PARTS.kinds),
    teamStatuses: address.getAll(FILTER_PARTS.teamStatuses),
    days: Number.isInteger(days) && days > 0 ? days : null,
    change: isChangeGroup(change) ? change : null,
    customer: address.get(FILTER_PARTS.customer) ?? '',
  }
}

/** The address with one part of the filter replaced; everything else in it stays. */
export function withPart(
  address: URLSearchParams,
  part: keyof Filter,
  value: string | number | null | readonly string[],
): URLSearchParams {
  const next = new URLSearchParams(address)
  const name = FILTER_PARTS[part]
  next.delete(name)
  for (const one of Array.isArray(value) ? value : [value]) if (one) next.append(name, String(one))
  return next
}

/** The address without any filter. */
export function withoutFilter(address: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(address)
  for (const name of Object.values(FILTER_PARTS)) next.delete(name)
  return next
}

export function isFiltered({
  words,
  statuses,
  tags,
  sources,
  kinds,
  teamStatuses,
  days,
  change,
  customer,
}: Filter): boolean {
  const chosen = statuses.length + tags.length + sources.length + kinds.length + teamStatuses.length
  return words.trim() + customer !== '' || chosen > 0 || days !== null || change !== null
}

/** A tag's value in a filter: `Area: Export`. Null for numbers, of which there are too many, and for no value. */
export function tagKey(tag: Category): string | null {
  if (tag.cat_type === 'calculated' || tag.cat_type === 'number') return null
  const value = categoryValue(tag)
  return value === null ? null : `${tag.cat_name}: ${value}`
}

/** Whether an insight passes a filter: every word occurs in it, and each part that is set has a match. */
export function matcher(filter: Filter, now: number): (insight: Insight) => boolean {
  const words = filter.words.toLowerCase().split(/\s+/).filter(Boolean)
  const statuses = new Set(filter.statuses)
  const tags = new Set(filter.tags)
  const sources = new Set(filter.sources)
  const kinds = new Set(filter.kinds)
  const teamStatuses = new Set(filter.teamStatuses)
  const since = filter.days === null ? null : now - filter.days * DAY_MS
  return (insight) => {
    if (statuses.size > 0 && !statuses.has(insight.status)) return false
    if (sources.size > 0 && !insight.sources?.some((source) => sources.has(source))) return false
    if (tags.size > 0 && !insight.categories?.some((tag) => tags.has(tagKey(tag) ?? ''))) return false
    if (kinds.size > 0 && !kinds.has(insight.main_kind ?? '')) return false
    if (teamStatuses.size > 0 && !teamStatuses.has(insight.team_status ?? '')) return false
    if (since !== null && !(Date.parse(insight.last_seen ?? insight.last_updated) >= since)) return false
    if (words.length === 0) return true
    const text = searchText(insight)
    return words.every((word) => text.includes(word))
  }
}
