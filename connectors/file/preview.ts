import type { AmbiguousZone, FileOptions, FilePreview, Reopenable } from '../connector.ts'
import { parseDate } from './dates.ts'
import { HEAD_BYTES, inspectHead } from './head.ts'
import { itemReader } from './item.ts'
import type { Layout } from './layout.ts'
import { openFile } from './packed/open-file.ts'
import { inMemory } from './packed/opened.ts'
import { ambiguousZone } from './zones.ts'

const ROWS = 10
const CELL = 500
const PROBLEMS = 50
const DATES = 3
/** Shorter heads are considered whole files: no one cuts a file that small. */
const CUT_FROM = 4096

/** Where JSON needs more of a file than usual to say which columns it has, a packed file gives that much. */
const UNPACKED = 1024 * 1024

/** Detects from the first bytes of a file: format, columns and their kinds, the first rows, and the problems among them. */
export async function preview(first: Uint8Array | Reopenable, given: FileOptions): Promise<FilePreview> {
  const { head, options, sheets, sheet } = await headOf(first, given)
  const cut = head.byteLength > HEAD_BYTES || (head.byteLength >= CUT_FROM && head.at(-1) !== 10)
  const { layout, encoding } = inspectHead(head, options, cut)
  const toItem = itemReader(layout, null, new Date(0))
  const problems = layout.rows.flatMap((row) => {
    const found = row.problem ?? toItem(row.cells)
    return typeof found === 'string' ? [{ line: row.line, reason: found }] : []
  })
  return {
    format: layout.format,
    sheets,
    sheet,
    encoding,
    header: layout.header,
    skippedRows: layout.skipped,
    preset: layout.preset,
    dateOrder: layout.dateOrder,
    ...datesOf(layout),
    columns: layout.columns,
    rows: layout.rows
      .filter((row) => row.problem === null)
      .slice(0, ROWS)
      .map((row) => row.cells.map((cell) => cell.slice(0, CELL).toWellFormed())),
    mapping: layout.mapping,
    problems: problems.slice(0, PROBLEMS),
  }
}

/** What a person should know about the dates of the first part: the zones that were assumed, and the dates that cannot be read. */
function datesOf({ rows, indexes, dateOrder, zones: chosen }: Layout): Pick<FilePreview, 'zones' | 'undated'> {
  const { date } = indexes
  if (date === undefined) return { zones: [], undated: { rows: 0, samples: [] } }
  const zones = new Map<string, AmbiguousZone>()
  const unread: string[] = []
  for (const { cells } of rows.filter((row) => row.problem === null)) {
    const cell = cells[date]?.trim() ?? ''
    if (cell === '') continue
    const zone = ambiguousZone(cell)
    if (parseDate(cell, dateOrder === 'day_first') === null) unread.push(cell)
    else if (zone) zones.set(zone.name, { ...zone, offset: chosen[zone.name] ?? zone.places[0]?.offset ?? 0 })
  }
  const samples = [...new Set(unread)].slice(0, DATES).map((cell) => cell.slice(0, CELL).toWellFormed())
  return { zones: [...zones.values()], undated: { rows: unread.length, samples } }
}

/** The first bytes of the text. */
async function headOf(first: Uint8Array | Reopenable, options: FileOptions) {
  const isHead = first instanceof Uint8Array
  const file = await openFile(isHead ? inMemory(first) : first, options, { cut: isHead })
  const packed = file.taken() !== null
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of file.open()) {
    chunks.push(Uint8Array.from(chunk))
    size += chunk.byteLength
    if (size >= UNPACKED && (packed || !isHead)) break
  }
  return { ...file, head: Buffer.concat(chunks) }
}
