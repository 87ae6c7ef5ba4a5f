import { rowsAbove, usualWidth } from './header.ts'
import type { Line } from './line-splitter.ts'
import { isColumnName } from './names.ts'
import type { Row, RowReader } from './rows/row.ts'
import { tableRows } from './rows/table-rows.ts'

const delimiters = [',', ';', '\t', '|']
/** No line contains it, so a line is one cell. */
export const NO_DELIMITER = '\0'
/** Share of the rows that must have the same number of cells. */
const ALIKE = 0.6

/** Excel names the separator in a first line of its own: `sep=;`. Null for any other line. */
export function statedDelimiter(lines: readonly Line[]): string | null {
  return /^"?sep=([,;|\t])"?\s*$/i.exec(lines[0]?.text ?? '')?.[1] ?? null
}

/**
 * The delimiter that splits most records into as many cells as the first one, or whose first record has well-known column
 * names; `NO_DELIMITER` when there is none. Titles above the header do not count.
 */
export function sniffDelimiter(lines: readonly Line[]): string {
  const stated = statedDelimiter(lines)
  if (stated !== null) return stated
  let best = NO_DELIMITER
  let most = ALIKE
  for (const delimiter of delimiters) {
    const rows = rowsOf(tableRows({ delimiter, literalQuotes: delimiter === '\t', cut: true }), lines)
      .filter((row) => row.problem === null)
      .slice(0, 50)
      .map((row) => row.cells)
    const below = rows.slice(rowsAbove(rows))
    const first = below[0] ?? []
    const share = below.filter((row) => row.length === first.length).length / Math.max(below.length, 1)
    const score = share + (first.filter(isColumnName).length >= 2 ? 1 : 0)
    if (first.length > 1 && score > most && usualWidth(below) > 1) {
      most = score
      best = delimiter
    }
  }
  return best
}

/** The rows of these lines, as those of a whole file: a quoted cell that is still open ends with them. */
export function rowsOf(reader: RowReader, lines: readonly Line[]): Row[] {
  return [...lines.flatMap((line) => reader.push(line)), ...reader.end()]
}
