import type { ComparedColumn, Role } from '../names.ts'

/** Rows of an export that nobody wrote as feedback: one of these columns has such a cell. `why`: what the report says of them; null: that cell. */
type LeftOut = { columns: readonly string[]; says: RegExp; why: string | null }

/**
 * The export of one product. `has`: of each list one column is present, and `fits` holds. `columns`: which column is which, likeliest first.
 * Names are results of `nameOf`; one that ends in `*` is a prefix, for exports that write the time zone or a question into it. `wordiest`:
 * the text is the column with the most words among its candidates, or among all where it has none. `html`: columns of texts in HTML. `undated`: a date that the product
 * writes where it has none. `attributes`: further columns that become attributes of their names.
 */
export type Preset = {
  label: string
  has: readonly (readonly string[])[]
  fits?: (columns: readonly string[]) => boolean
  columns: Partial<Record<Role, readonly string[]>>
  wordiest?: boolean
  html?: readonly string[]
  place?: readonly string[]
  attributes?: readonly string[]
  leftOut?: readonly LeftOut[]
  undated?: { says: RegExp; why: string }
}

/** The first column that has one of these names, in the order of the names; null when there is none. */
export function columnFor(wanted: readonly string[], columns: readonly ComparedColumn[]): string | null {
  return columnsFor(wanted, columns)[0] ?? null
}

/** All columns that have one of these names, in the order of the names. */
export function columnsFor(wanted: readonly string[], columns: readonly ComparedColumn[]): string[] {
  return wanted.flatMap((name) => {
    const start = name.endsWith('*') ? name.slice(0, -1) : null
    const found = columns.filter(({ plain }) => (start === null ? plain === name : plain.startsWith(start)))
    return found.map((column) => column.name)
  })
}
