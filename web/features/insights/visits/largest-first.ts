import type { Insight } from '@groundswell/contract/insights.ts'
import { relativeTime } from '../relative-time.ts'
import { DEFAULT_SORT, type Sort, writeSort } from '../table/sort.ts'

/** The order that is offered instead of the default one. */
export const LARGEST_FIRST: Sort = { column: 'mentions', descending: true }

const MIN_INSIGHTS = 10
const MOST = 0.9

/**
 * Whether sorting by size helps more than the default order, by the last update: after a large import, when nearly all insights were updated "now". `now`:
 * milliseconds since 1970.
 */
export function offersLargestFirst(
  insights: readonly Pick<Insight, 'last_updated'>[],
  sort: Sort,
  now = Date.now(),
): boolean {
  if (insights.length < MIN_INSIGHTS || writeSort(sort) !== writeSort(DEFAULT_SORT)) return false
  const recent = insights.filter((insight) => relativeTime(insight.last_updated, now) === 'now')
  return recent.length >= insights.length * MOST
}
