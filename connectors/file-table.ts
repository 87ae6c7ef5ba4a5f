/**
 * A table, to be read once, slice by slice: each takes a few milliseconds. A slice may have no rows; its `line` is the last one read so far.
 * `problem`: why a row could not be read; null: it has cells. Lines are counted from 1.
 */
export type FileTable = {
  columns: readonly string[]
  slices: Generator<{
    line: number
    rows: readonly { line: number; cells: readonly string[]; problem: string | null }[]
  }>
}
