import { isColumnName, isTextName } from './columns.ts'

/** Short, few words, no sentence: what a column may be called. */
const NAME_LIKE = /^[\p{L}_][\p{L}\p{N}_ .\-#/()]{0,39}$/u
const VALUE_LIKE = /^(\d[\d.,:/ T+-]*Z?|https?:\S+|\S+@\S+)$/

/**
 * Judges whether the first row of a table names its columns. It does when it looks like names, none of them comes again as
 * a value below, and either well-known names are among them or a column below holds numbers, dates or addresses that
 * the first row has not.
 */
export function looksLikeHeader(rows: readonly string[][]): boolean {
  const [first, ...rest] = rows
  if (!first) return false
  const cells = first.map((cell) => cell.trim())
  const filled = cells.filter((cell) => cell !== '')
  if (filled.length === 0 || !filled.every((cell) => NAME_LIKE.test(cell) && cell.split(/\s+/).length <= 4))
    return false
  if (new Set(filled).size < filled.length) return false
  const below = rest.slice(0, 200)
  const comesAgain = cells.some((cell, at) => cell !== '' && below.some((row) => row[at]?.trim() === cell))
  if (comesAgain) return false
  if (filled.filter(isColumnName).length >= 2) return true
  const text = cells.findIndex(isTextName)
  if (text >= 0 && (filled.length === 1 || wordsPerCell(below, text) >= 2)) return true
  return cells.some((_, at) => {
    const values = below.map((row) => row[at]?.trim() ?? '').filter((value) => value !== '')
    return values.length >= 2 && values.every((value) => VALUE_LIKE.test(value))
  })
}

function wordsPerCell(rows: readonly string[][], at: number): number {
  const words = rows.map((row) => (row[at] ?? '').split(/\s+/).filter(Boolean).length)
  return words.reduce((sum, count) => sum + count, 0) / Math.max(rows.length, 1)
}
