import { Rejected } from '../../kit/errors.ts'
import { MAX_LINE } from '../line-splitter.ts'

/** Rows that both Excel and LibreOffice have at most. */
const MAX_ROWS = 1_048_576
/** One more than a file of feedback may have: the reader says that there are too many. */
export const MAX_COLUMNS = 1_001
const ROWS_AT_ONCE = 500
const CHARACTERS_AT_ONCE = 1024 * 1024
/** What rows may hold that a sheet only refers to: equal rows, and texts that cells share. */
const MAX_CHARACTERS = 4 * 1024 * 1024 * 1024
const MAX_COPIED = 64 * 1024 * 1024

/**
 * Writes the rows of a sheet, each as a line with a JSON array of its cells, so that a row's line is its number; an empty row is an empty
 * line. Rows are as wide as the widest before them. What is too long is not written in full: the reader refuses such a line.
 */
export type LineWriter = {
  /** Begins a row, which must be behind the one before it. */
  begin(number?: number): void
  /** Sets a cell, counted from 0. Cells that are not set are empty. */
  cell(column: number, text: string): void
  /** Ends the row, which stands here several times. */
  finish(copies?: number): void
  /** Complete lines; null when there are none. */
  take(): string | null
}

/** A writer without rows. Throws `Rejected` for rows out of order, and for more than a file of feedback holds. */
export function lineWriter(): LineWriter {
  let lines: string[] = []
  let taken = 0
  let number = 0
  let width = 0
  let cells: string[] = []
  let size = 0
  let [written, copied] = [0, 0]

  return {
    begin(next = number + 1) {
      if (!(next > number) || next > MAX_ROWS) {
        throw new Rejected('The rows of the sheet are out of order: save it again')
      }
      for (let empty = number + 1; empty < next; empty += 1) lines.push('')
      number = next
      cells = []
      size = 0
    },
    cell(column, text) {
      if (text === '' || column < 0 || column >= MAX_COLUMNS || size > MAX_LINE) return
      while (cells.length < column) cells.push('')
      cells[column] = text.length > MAX_LINE ? text.slice(0, MAX_LINE + 1) : text
      size += text.length
    },
    finish(copies = 1) {
      if (size > 0) width = Math.max(width, cells.length)
      while (size > 0 && cells.length < width) cells.push('')
      const line = size === 0 ? '' : JSON.stringify(cells)
      written += line.length * copies
      copied += line.length * (copies - 1)
      if (written > MAX_CHARACTERS || copied > MAX_COPIED) {
        throw new Rejected(
          'The sheet holds far more than a file of feedback does. Copy its rows to a new file and import that',
        )
      }
      number += copies - 1
      for (let copy = 0; copy < copies; copy += 1) lines.push(line)
    },
    take() {
      if (taken === lines.length) return null
      let [to, characters] = [taken, 0]
      while (to < lines.length && to - taken < ROWS_AT_ONCE && characters < CHARACTERS_AT_ONCE) {
        characters += lines[to]?.length ?? 0
        to += 1
      }
      const some = `${lines.slice(taken, to).join('\n')}\n`
      taken = to
      if (taken === lines.length) [lines, taken] = [[], 0]
      return some
    },
  }
}
