import { type Column, columnAt, kindOf, wordCount } from './cells.ts'
import { isColumnName, isTextName } from './names.ts'
import { presetOf } from './presets.ts'

/** The minimum sum of the columns' scores for a header. */
const ENOUGH = 1
/** Rows above the header: the title of a report, the day it was created. */
const MAX_ABOVE = 10

/**
 * Decides whether the first row of a table names its columns. Each column votes, by how its first cell differs from the cells
 * below it, and the majority decides: so one odd name does not lose the header, and one coincidental cell does not create one.
 */
export function looksLikeHeader(rows: readonly (readonly string[])[]): boolean {
  const [first, ...below] = rows
  if (!first) return false
  const cells = first.map((cell) => cell.trim())
  if (presetOf(cells)) return true
  const single = cells.filter((cell) => cell !== '').length === 1
  const says = cells.map((cell, at) => (cell === '' ? 0 : say(cell, columnAt(below, at), single)))
  return says.reduce((sum, one) => sum + one, 0) >= ENOUGH
}

/** The score of one column: above 0 for a header, below 0 against it. */
function say(cell: string, column: Column, single: boolean): number {
  let sum = 0
  if (column.cells.includes(cell)) sum -= 1.5
  if (isColumnName(cell)) sum += isTextName(cell) && (single || column.words >= 2) ? 1 : 0.5
  const kind = kindOf(cell)
  const { kind: below, cells, words } = column
  if (below !== null && below !== 'text' && below !== 'mixed') {
    if (kind === below) sum -= 1
    else sum += cells.length >= 2 ? 1 : 0.5
  } else if (asksAlone(cell, cells)) sum += 0.5
  else if (words >= 4 && wordCount(cell) >= words / 2) sum -= 0.75
  else if (kind !== 'text' && below === 'text') sum -= 0.5
  else if (words >= 4 && wordCount(cell) <= words / 3 && cells.every((one) => one.length > cell.length)) sum += 0.5
  if (cells.length >= 10 && column.distinct <= cells.length / 5 && !cells.includes(cell)) sum += 0.5
  return sum
}

/** A question above answers: surveys name their columns like this. */
function asksAlone(cell: string, below: readonly string[]): boolean {
  if (!cell.endsWith('?') || below.length < 2) return false
  return below.filter((other) => other.endsWith('?')).length <= below.length / 5
}

/** How many cells most rows have. */
export function usualWidth(rows: readonly (readonly string[])[]): number {
  const counts = new Map<number, number>()
  for (const { length } of rows.slice(0, 200)) counts.set(length, (counts.get(length) ?? 0) + 1)
  const [most] = [...counts].toSorted((a, b) => b[1] - a[1])
  return most?.[0] ?? 0
}

/**
 * How many rows are above the header, such as the title of a report. Only where the header is certain: it is as wide as the
 * rows below it and has two well-known names, and the rows above have one or two cells.
 */
export function rowsAbove(rows: readonly (readonly string[])[]): number {
  const width = usualWidth(rows)
  if (width < 3) return 0
  const at = rows.slice(0, MAX_ABOVE + 1).findIndex((row) => filled(row) > 2)
  const header = rows[at]
  if (!header || at <= 0 || header.length !== width) return 0
  return header.filter((cell) => isColumnName(cell)).length >= 2 || presetOf(header) ? at : 0
}

const filled = (row: readonly string[]) => row.filter((cell) => cell.trim() !== '').length

/** Rows that some survey tools put below the header: the questions in full, and a row of `{"ImportId":"QID1"}`. */
export function rowsBelow(rows: readonly (readonly string[])[]): number {
  const at = rows.slice(0, 2).findIndex((row) => row.some((cell) => cell.startsWith('{"ImportId"')))
  return at + 1
}
