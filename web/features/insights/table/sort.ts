import type { Insight } from '@groundswell/contract/insights.ts'

/** A column of the table; `tag:Area` is the one of a tag. */
export type SortColumn = 'issue_name' | 'status' | 'mentions' | 'trend' | 'last_updated' | `tag:${string}`
export type Sort = { column: SortColumn; descending: boolean }

export const DEFAULT_SORT: Sort = { column: 'last_updated', descending: true }

const RECENT_WEEKS = 4
const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** The order after a click on a column: the same column turns round, a newly chosen one starts ascending. */
export function nextSort(sort: Sort, column: SortColumn): Sort {
  return { column, descending: sort.column === column ? !sort.descending : false }
}

/** An order as it stands in an address: `mentions`, `-mentions`. */
export function readSort(text: string | null): Sort {
  const column = text?.replace(/^-/, '') ?? ''
  return column in keys || column.startsWith('tag:')
    ? { column: column as SortColumn, descending: text?.startsWith('-') ?? false }
    : DEFAULT_SORT
}

/** As `readSort` reads it; null for the order that needs no saying. */
export function writeSort({ column, descending }: Sort): string | null {
  if (column === DEFAULT_SORT.column && descending === DEFAULT_SORT.descending) return null
  return `${descending ? '-' : ''}${column}`
}

/** How many mentions an insight has; a server that does not count them sends them all. */
export function mentionCount(insight: Insight): number {
  return insight.mention_count ?? insight.evidence?.length ?? 0
}

/** The mentions of the last four weeks: what the trend column sorts by. */
function recentMentions(insight: Insight): number {
  if (insight.trend_end) return 0
  return (insight.trend ?? []).slice(-RECENT_WEEKS).reduce((sum, week) => sum + week, 0)
}

const keys: Record<Exclude<SortColumn, `tag:${string}`>, (insight: Insight) => string | number> = {
  issue_name: (insight) => insight.issue_name,
  status: (insight) => insight.status,
  mentions: mentionCount,
  trend: recentMentions,
  last_updated: (insight) => Date.parse(insight.last_updated) || 0,
}

/** What an insight is compared by in a column; null where it has nothing there. */
export function sortKey(column: SortColumn): (insight: Insight) => string | number | null {
  if (!column.startsWith('tag:')) return keys[column as keyof typeof keys]
  const tag = column.slice('tag:'.length)
  return (insight) => insight.categories?.find((one) => one.cat_name === tag)?.option_value ?? null
}

export type Keyed = { insight: Insight; key: string | number | null }

/**
 * Compares by key; who has none comes last in both directions. Equal ones are ordered by number, newest first, so that a
 * poll never shuffles them.
 */
export function comparer({ descending }: Sort): (a: Keyed, b: Keyed) => number {
  const direction = descending ? -1 : 1
  return (a, b) => {
    const order =
      a.key === null || b.key === null
        ? Number(a.key === null) - Number(b.key === null)
        : direction * compareKeys(a.key, b.key)
    return order || b.insight.issue_number - a.insight.issue_number
  }
}

function compareKeys(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return names.compare(String(a), String(b))
}
