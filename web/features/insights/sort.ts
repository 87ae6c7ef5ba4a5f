import type { Insight } from '@groundswell/contract/insights.ts'

export type SortColumn = 'issue_name' | 'status' | 'mentions' | 'trend' | 'last_updated'
export type Sort = { column: SortColumn; descending: boolean }

export const DEFAULT_SORT: Sort = { column: 'last_updated', descending: true }

const RECENT_WEEKS = 4
const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** The order after a click on a column: the same column turns round, a newly chosen one starts ascending. */
export function nextSort(sort: Sort, column: SortColumn): Sort {
  return { column, descending: sort.column === column ? !sort.descending : false }
}

/** How many mentions an insight has; a server that does not count them sends them all. */
export function mentionCount(insight: Insight): number {
  return insight.mention_count ?? insight.evidence.length
}

/** The mentions of the last four weeks: what the trend column sorts by. */
function recentMentions(insight: Insight): number {
  return (insight.trend ?? []).slice(-RECENT_WEEKS).reduce((sum, week) => sum + week, 0)
}

const compare: Record<SortColumn, (a: Insight, b: Insight) => number> = {
  issue_name: (a, b) => names.compare(a.issue_name, b.issue_name),
  status: (a, b) => names.compare(a.status, b.status),
  mentions: (a, b) => mentionCount(a) - mentionCount(b),
  trend: (a, b) => recentMentions(a) - recentMentions(b),
  last_updated: (a, b) => time(a) - time(b),
}

/** A new list in order; equal ones are ordered by number, newest first, so that a poll never shuffles them. */
export function sortInsights(insights: readonly Insight[], sort: Sort): Insight[] {
  const direction = sort.descending ? -1 : 1
  return [...insights].sort((a, b) => direction * compare[sort.column](a, b) || b.issue_number - a.issue_number)
}

function time(insight: Insight): number {
  const value = Date.parse(insight.last_updated)
  return Number.isNaN(value) ? 0 : value
}
