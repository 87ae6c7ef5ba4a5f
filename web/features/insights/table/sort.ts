import type { Insight } from '@groundswell/contract/insights.ts'
import { COLUMNS, type FixedColumnId } from './columns/index.ts'
import { isTagColumn, type TagColumnId, tagColumn, tagOfColumn } from './columns/tag.tsx'

/** A column of the table; `tag:Area` is the one of a tag. */
export type SortColumn = FixedColumnId | TagColumnId
export type Sort = { column: SortColumn; descending: boolean }

export const DEFAULT_SORT: Sort = { column: 'last_updated', descending: true }

const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** The order after a click on a column: the same column is reversed, a newly chosen one starts ascending. */
export function nextSort(sort: Sort, column: SortColumn): Sort {
  return { column, descending: sort.column === column ? !sort.descending : false }
}

/** An order as in an address: `mentions`, `-mentions`. */
export function readSort(text: string | null): Sort {
  const column = text?.replace(/^-/, '') ?? ''
  return isSortColumn(column) ? { column, descending: text?.startsWith('-') ?? false } : DEFAULT_SORT
}

function isSortColumn(id: string): id is SortColumn {
  return isTagColumn(id) || COLUMNS.some((column) => column.id === id)
}

/** The inverse of `readSort`; null for the default order. */
export function writeSort({ column, descending }: Sort): string | null {
  if (column === DEFAULT_SORT.column && descending === DEFAULT_SORT.descending) return null
  return `${descending ? '-' : ''}${column}`
}

/** The key of an insight in a column; null where it has none. */
export function sortKey(column: SortColumn): (insight: Insight) => string | number | null {
  if (isTagColumn(column)) return tagColumn(tagOfColumn(column)).sort
  const fixed = COLUMNS.find((one) => one.id === column)
  if (!fixed) throw new Error(`There is no column ${column}`)
  return fixed.sort
}

export type Keyed = { insight: Insight; key: string | number | null }

/**
 * Compares by key; insights without one are last in both directions. Equal ones are ordered by number, newest first, so that a
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
