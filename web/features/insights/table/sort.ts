import { comparer, insightKey, type SortKey } from '@groundswell/contract/insights/insight-order.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import { COLUMNS, type FixedColumnId } from './columns/index.ts'
import { isTagColumn, type TagColumnId } from './columns/tag.tsx'

/** A column of the table; `tag:Area` is the one of a tag. */
export type SortColumn = FixedColumnId | TagColumnId
/** The order of the table. */
export type Sort = { column: SortColumn; descending: boolean }

/** The order of the specification: the last update first. */
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
export function sortKey(column: SortColumn): (insight: Insight) => SortKey {
  const key = insightKey(column)
  if (!key) throw new Error(`There is no column ${column}`)
  return key
}

/** Compares insights by their keys in the reader's language. */
export const compareIn = ({ descending }: Sort) => comparer(descending, names)
