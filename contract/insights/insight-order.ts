import type { Insight } from '../insights.ts'

/** What an insight is ordered by; null: it has no such value. */
export type SortKey = string | number | null

/** The parameter of an address with the order of insights: a column, after `-` if descending. */
export const SORT_PART = 'sort'

/** What the id of a tag's column begins with: `tag:Area`. */
export const TAG_COLUMN = 'tag:'

const keys = {
  issue_name: (one) => one.issue_name,
  status: (one) => one.status,
  team_status: (one) => one.team_status ?? null,
  main_kind: (one) => one.main_kind ?? null,
  mentions: mentionCount,
  customers: (one) => one.customer_count ?? null,
  revenue: (one) => one.revenue ?? null,
  trend: recentMentions,
  last_updated: (one) => Date.parse(one.last_updated) || 0,
} as const satisfies Record<string, (insight: Insight) => SortKey>

const RECENT_WEEKS = 4

/** The columns that insights can be ordered by, other than tags. */
export type OrderedColumn = keyof typeof keys

/** The key of an insight in a column; null: there is no such column. */
export function insightKey(column: string): ((insight: Insight) => SortKey) | null {
  if (!column.startsWith(TAG_COLUMN)) return Object.hasOwn(keys, column) ? keys[column as OrderedColumn] : null
  const name = column.slice(TAG_COLUMN.length)
  return (one) => one.categories?.find((tag) => tag.cat_name === name)?.option_value ?? null
}

/** How many mentions an insight has: the server's count, else the number of mentions that came with it. */
export function mentionCount(insight: Insight): number {
  return insight.mention_count ?? insight.evidence?.length ?? 0
}

type Trend = { trend?: readonly number[] | undefined; trend_end?: string | null | undefined }

/** The mentions of the last four weeks. `trend_end`: the last week of the trend, where that is an earlier one. */
export function recentMentions({ trend, trend_end }: Trend): number {
  return trend_end ? 0 : (trend ?? []).slice(-RECENT_WEEKS).reduce((sum, week) => sum + week, 0)
}

/** An insight with the value that it is ordered by. */
export type Keyed = { insight: Insight; key: SortKey }

/**
 * Compares by key, texts by `names`; insights without one are last in both directions. Equal ones are ordered by number, newest first, so that
 * a poll never shuffles them.
 */
export function comparer(descending: boolean, names: Intl.Collator): (a: Keyed, b: Keyed) => number {
  const direction = descending ? -1 : 1
  return (a, b) => {
    const order =
      a.key === null || b.key === null
        ? Number(a.key === null) - Number(b.key === null)
        : direction * compareKeys(a.key, b.key, names)
    return order || b.insight.issue_number - a.insight.issue_number
  }
}

function compareKeys(a: string | number, b: string | number, names: Intl.Collator): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return names.compare(String(a), String(b))
}
