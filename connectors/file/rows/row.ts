import type { Line } from '../line-splitter.ts'

/** The cells of one record and the line where it starts, or why it is bad. */
export type Row = { line: number; cells: string[]; problem: string | null }

/** Converts lines to rows. Blank lines are not rows. */
export type RowReader = {
  push(line: Line): Row[]
  /** The remaining rows at the end of the file. */
  end(): Row[]
}

/** Whether all cells are empty, as in the rows that spreadsheets write below their last one: no row of a message. */
export const isEmptyRow = ({ cells, problem }: Row): boolean =>
  problem === null && cells.every((cell) => cell.trim() === '')

/** A record that could not be read; `problem` is the sentence shown for it. */
export const badRow = (line: number, problem: string): Row => ({ line, cells: [], problem })
