import { setImmediate as nextTurn } from 'node:timers/promises'
import { packingOf } from '@groundswell/contract/feedback/file-content.ts'
import type { BadRow } from '@groundswell/contract/feedback.ts'
import type { AmbiguousZone, FeedbackItem, FileOptions, FilePreview, Reopenable } from '../connector.ts'
import { orderOf } from './dates/date-order.ts'
import { parseDate } from './dates/dates.ts'
import { ambiguousZone } from './dates/zones.ts'
import { HEAD_BYTES, type InspectedHead, inspectHead } from './head.ts'
import { itemReader } from './item.ts'
import type { Layout } from './layout.ts'
import { openFile } from './packed/open-file.ts'
import { badRowOf, inMemory, type OpenFile } from './packed/opened.ts'
import type { Row } from './rows/row.ts'
import { rowStream } from './rows/row-stream.ts'

const ROWS = 10
const CELL = 500
const PROBLEMS = 50
const DATES = 3
/** Bytes and rows that are read at a time: a server answers others in between. */
const SLICE = 4 * 1024
const ROWS_AT_ONCE = 500

/** Shorter heads are considered whole files: no one cuts a file that small. */
const CUT_FROM = 4096

/** Where JSON needs more of a file than usual to say which columns it has, a packed file gives that much. */
const UNPACKED = 1024 * 1024

/**
 * Detects from the first bytes of a file: format, columns and their kinds, the first rows, the problems among them, and the messages that
 * an import would read there. `size`: how large the file is; without it a head that ends in the middle of a line is taken for a part.
 */
export async function preview(
  first: Uint8Array | Reopenable,
  given: FileOptions,
  size: number | null = null,
): Promise<FilePreview> {
  const file = await headOf(first, given, size)
  const { head, options, sheets, sheet, whole, files = 1 } = file
  const inspected = inspectHead(head, options, !whole)
  const { layout, encoding } = inspected
  await nextTurn()
  const { items, problems } = await messagesOf(inspected, head, { file, place: options.name })
  return {
    format: layout.format,
    files,
    sheets,
    sheet,
    encoding,
    header: layout.header,
    skippedRows: layout.skipped,
    preset: layout.preset?.label ?? null,
    dateOrder: layout.dateOrder,
    ...datesOf(layout),
    columns: layout.columns,
    rows: layout.rows
      .filter((row) => row.problem === null)
      .slice(0, ROWS)
      .map((row) => row.cells.map((cell) => cell.slice(0, CELL).toWellFormed())),
    mapping: layout.mapping,
    problems: problems.slice(0, PROBLEMS),
    found: { items, bad: problems.length, whole, share: shareOf(first, head, { size, whole }) },
  }
}

/** The rows of the given bytes, read as an import would. Of a part the last row, which may be cut off, is left out. */
async function messagesOf(
  inspected: InspectedHead,
  head: Uint8Array,
  { file, place }: { file: Pick<OpenFile, 'whereIs'> & { whole: boolean }; place: string },
): Promise<{ items: FeedbackItem[]; problems: BadRow[] }> {
  const { layout } = inspected
  const stream = rowStream(inspected)
  const rows: Row[] = []
  for (let from = 0; from < head.byteLength; from += SLICE) {
    for (const row of stream.push(head.subarray(from, from + SLICE))) rows.push(row)
    await nextTurn()
  }
  if (file.whole) for (const row of stream.end()) rows.push(row)
  const { date } = layout.indexes
  // What the first part does not decide, an import decides by the whole file.
  const isOpen = layout.dateOrder === 'undecided' && date !== undefined
  const dateOrder = isOpen ? orderOf(rows.map(({ cells }) => cells[date] ?? '')) : layout.dateOrder
  const toItem = itemReader({ ...layout, dateOrder }, place, new Date(0))
  const items: FeedbackItem[] = []
  const problems: BadRow[] = []
  for (const [at, { line, problem, cells }] of rows.entries()) {
    if (at % ROWS_AT_ONCE === 0) await nextTurn()
    const found = problem ?? toItem(cells)
    if (typeof found === 'string') problems.push(badRowOf(file, line, found))
    else items.push(found)
  }
  return { items, problems }
}

/** The part of the file that was read, by its bytes; null where they do not tell, as of a packed file. */
function shareOf(
  first: Uint8Array | Reopenable,
  head: Uint8Array,
  { size, whole }: { size: number | null; whole: boolean },
): number | null {
  if (whole) return 1
  const isText = first instanceof Uint8Array && head.byteLength === first.byteLength && packingOf(first) === null
  return isText && size !== null && size > head.byteLength ? head.byteLength / size : null
}

/** What a person should know about the dates of the first part: the zones that were assumed, and the dates that cannot be read. */
function datesOf({ rows, indexes, dateOrder, zones: chosen, preset }: Layout): Pick<FilePreview, 'zones' | 'undated'> {
  const { date } = indexes
  if (date === undefined) return { zones: [], undated: { rows: 0, samples: [], why: null } }
  const zones = new Map<string, AmbiguousZone>()
  const unread: string[] = []
  let why: string | null = null
  for (const { cells } of rows.filter((row) => row.problem === null)) {
    const cell = cells[date]?.trim() ?? ''
    if (cell === '') continue
    if (preset?.undated?.says.test(cell)) {
      why = preset.undated.why
      unread.push(cell)
      continue
    }
    const zone = ambiguousZone(cell)
    if (parseDate(cell, dateOrder === 'day_first') === null) unread.push(cell)
    else if (zone) zones.set(zone.name, { ...zone, offset: chosen[zone.name] ?? zone.places[0]?.offset ?? 0 })
  }
  const samples = [...new Set(unread)].slice(0, DATES).map((cell) => cell.slice(0, CELL).toWellFormed())
  return { zones: [...zones.values()], undated: { rows: unread.length, samples, why } }
}

/** The first bytes of the text. `whole`: it has no others. */
async function headOf(first: Uint8Array | Reopenable, options: FileOptions, size: number | null) {
  const isHead = first instanceof Uint8Array
  // What is sent of a large archive can have more bytes than the archive.
  const isPart = isHead && size !== null && size !== first.byteLength
  const file = await openFile(isHead ? inMemory(first) : first, options, { cut: isPart || (isHead && size === null) })
  const packed = file.taken() !== null
  const chunks: Uint8Array[] = []
  let unpacked = 0
  let isCut = isPart
  for await (const chunk of file.open()) {
    chunks.push(Uint8Array.from(chunk))
    unpacked += chunk.byteLength
    if (unpacked < UNPACKED || (isHead && !packed)) continue
    isCut = true
    break
  }
  const head = Buffer.concat(chunks)
  return { ...file, head, whole: !isCut && !(isHead && size === null && looksCut(head)) }
}

const looksCut = (head: Uint8Array) =>
  head.byteLength > HEAD_BYTES || (head.byteLength >= CUT_FROM && head.at(-1) !== 10)
