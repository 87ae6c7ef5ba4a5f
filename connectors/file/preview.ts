import type { FileOptions, FilePreview } from '../connector.ts'
import { HEAD_BYTES, inspectHead } from './head.ts'
import { itemReader } from './item.ts'

const ROWS = 10
const CELL = 500
const PROBLEMS = 50
/** Shorter heads are considered whole files: no one cuts a file that small. */
const CUT_FROM = 4096

/** Detects from the first bytes of a file: format, columns and their kinds, the first rows, and the problems among them. */
export async function preview(head: Uint8Array, options: FileOptions): Promise<FilePreview> {
  const cut = head.byteLength > HEAD_BYTES || (head.byteLength >= CUT_FROM && head.at(-1) !== 10)
  const { layout, encoding } = inspectHead(head, options, cut)
  const toItem = itemReader(layout, null, new Date(0))
  const problems = layout.rows.flatMap((row) => {
    const found = row.problem ?? toItem(row.cells)
    return typeof found === 'string' ? [{ line: row.line, reason: found }] : []
  })
  return {
    format: layout.format,
    encoding,
    header: layout.header,
    skippedRows: layout.skipped,
    preset: layout.preset,
    dateOrder: layout.dateOrder,
    columns: layout.columns,
    rows: layout.rows
      .filter((row) => row.problem === null)
      .slice(0, ROWS)
      .map((row) => row.cells.map((cell) => cell.slice(0, CELL).toWellFormed())),
    mapping: layout.mapping,
    problems: problems.slice(0, PROBLEMS),
  }
}
