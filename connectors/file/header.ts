import { type Column, columnAt, kindOf, wordCount } from './cells.ts'
import { isColumnName, isDateName, isTextName } from './names.ts'
import { presetOf } from './presets/presets.ts'

/** The minimum sum of the columns' scores for a header. */
const ENOUGH = 1
/** Rows compared to tell a second header from an answer. */
const SAMPLE = 200
const TYPED: readonly Column['kind'][] = ['date', 'number', 'email', 'link']
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
    // No message has such a word where all others have dates.
    if (below === 'date' && cells.length >= 2 && isDateName(cell)) sum += 1
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
 * rows below it and has two well-known names, and the rows above have one or two cells, one where the table has two columns.
 */
export function rowsAbove(rows: readonly (readonly string[])[]): number {
  const width = usualWidth(rows)
  if (width < 2) return 0
  const at = rows.slice(0, MAX_ABOVE + 1).findIndex((row) => filled(row) >= Math.min(width, 3))
  const header = rows[at]
  if (!header || at <= 0 || header.length !== width) return 0
  return header.filter((cell) => isColumnName(cell)).length >= 2 || presetOf(header) ? at : 0
}

const filled = (row: readonly string[]) => row.filter((cell) => cell.trim() !== '').length

/**
 * Rows that survey tools put below the header: the questions in full, a row of `{"ImportId":"QID1"}`, or the kinds of answers
 * (“Response”, “Open-Ended Response”); and the line below the names of a table in Markdown. `certain`: only a header is followed by them.
 */
export function rowsBelow(rows: readonly (readonly string[])[]): { count: number; certain: boolean } {
  const at = rows.slice(0, 2).findIndex((row) => row.some((cell) => cell.startsWith('{"ImportId"')))
  if (at >= 0) return { count: at + 1, certain: true }
  const [first, ...below] = rows
  if (first && isRule(first)) return { count: 1, certain: true }
  return { count: first && isSecondHeader(first, below) ? 1 : 0, certain: false }
}

/** The line below the names of a table in Markdown, or of a database's console: `|---|:--|`. */
const isRule = (row: readonly string[]) =>
  row.some((cell) => cell.trim() !== '') && row.every((cell) => /^\s*(:?-{2,}:?)?\s*$/.test(cell))

const KINDS_OF_ANSWERS = /^(response|open-ended response|other \(please specify\))$/i
/** Columns that every answer fills, such as its number, its time and its address, and a second header leaves empty. */
const MIN_EMPTY = 3
/** One cell alone may be a message without anything else. */
const MIN_FILLED = 2
const MIN_BELOW = 3

/** Whether a row describes the columns again: every cell that the rows below fill is empty in it, or it has words where they have dates and numbers. */
function isSecondHeader(row: readonly string[], below: readonly (readonly string[])[]): boolean {
  const cells = row.map((cell) => cell.trim())
  const isEmpty = (at: number) => (cells[at] ?? '') === ''
  if (isEmpty(0) && cells.some((cell) => KINDS_OF_ANSWERS.test(cell))) return true
  const sample = below.slice(0, SAMPLE)
  if (sample.length < MIN_BELOW || cells.every((cell) => cell === '')) return false
  const columns = cells.map((_, at) => columnAt(sample, at))
  const always = columns.flatMap((column, at) => (column.cells.length === sample.length ? [at] : []))
  const typed = always.filter((at) => TYPED.includes(columns[at]?.kind ?? null))
  // A date or a number of its own: an answer.
  if (!typed.every((at) => isEmpty(at) || kindOf(cells[at] ?? '') === 'text')) return false
  const filled = cells.filter((cell) => cell !== '').length
  const lacks = always.filter(isEmpty).length
  return (
    (filled >= MIN_FILLED && lacks >= MIN_EMPTY && typed.some(isEmpty)) ||
    typed.filter((at) => !isEmpty(at)).length >= 2
  )
}
