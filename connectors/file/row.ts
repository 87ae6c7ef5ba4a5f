import type { Line } from './line-splitter.ts'

/** The cells of one record and the line where it begins, or why it cannot be read. */
export type Row = { line: number; cells: string[]; problem: string | null }

/** Turns lines into rows. Blank lines are no rows. */
export type RowReader = {
  push(line: Line): Row[]
  /** What is left when the file ends. */
  end(): Row[]
}

export const badRow = (line: number, problem: string): Row => ({ line, cells: [], problem })
