import type { ColumnMapping, FileFormat } from '@groundswell/contract/feedback.ts'
import type { FileOptions } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { guessMapping, type Indexes, indexesOf } from './columns.ts'
import { type FoundOrder, orderOf } from './dates/date-order.ts'
import type { ZoneChoices } from './dates/zones.ts'
import { NO_DELIMITER, rowsOf, sniffDelimiter, statedDelimiter } from './delimiter.ts'
import { looksLikeHeader, rowsAbove, rowsBelow } from './header.ts'
import type { Line } from './line-splitter.ts'
import { isColumnName } from './names.ts'
import { isWorkbook } from './packed/opened.ts'
import type { Preset } from './presets/preset.ts'
import { presetOf } from './presets/presets.ts'
import { CHAT_COLUMNS, chatRows, isChat } from './rows/chat-rows.ts'
import { jsonRows, parseObject, pathsOf } from './rows/json-rows.ts'
import { isEmptyRow, type Row, type RowReader } from './rows/row.ts'
import { sheetRows } from './rows/sheet-rows.ts'
import { tableRows } from './rows/table-rows.ts'
import { textRows } from './rows/text-rows.ts'

/**
 * The detected layout of a file. `leading` rows are not data: the header, and the rows around it (`skipped` of them above it).
 * `rows` are the rows of the first part without them.
 */
export type Layout = {
  format: FileFormat
  header: boolean
  leading: number
  skipped: number
  preset: Preset | null
  columns: string[]
  mapping: ColumnMapping
  indexes: Indexes
  dateOrder: FoundOrder
  /** What the person chose for ambiguous abbreviations. */
  zones: ZoneChoices
  rows: Row[]
  reader: () => RowReader
}

const extensions: Record<string, FileFormat> = {
  csv: 'csv',
  tsv: 'tsv',
  tab: 'tsv',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  json: 'jsonl',
  txt: 'text',
  text: 'text',
  md: 'text',
}
/** Beyond this a table is something else, or was turned by 90 degrees. */
const MAX_COLUMNS = 1_000
/** The lines that decide whether a text file is a table, and how many of them must be as wide as the first. */
const MAX_LINES = 200
const MOST = 0.95
/** Maximum number of keys that are columns; a file with more uses its keys as values. */
const MAX_KEYS = 200

/**
 * Detects the layout of a file from its first part. `cut`: the file continues. What the options leave open is detected from the
 * name and the content. Throws `Rejected` when nothing can be read.
 */
export function detectLayout(lines: readonly Line[], options: FileOptions, cut: boolean): Layout {
  const filled = lines.filter((line) => line.problem !== null || line.text.trim() !== '')
  if (filled.length === 0) throw new Rejected('The file is empty')
  if (options.format === null) refuseMarkup(filled)
  const format = options.format ?? formatOf(options.name, filled)
  if (format === 'text' && isChat(filled)) {
    const top = { header: false, leading: 0, skipped: 0, columns: [...CHAT_COLUMNS] }
    return layout(format, top, { reader: chatRows, sample: chatRows }, lines, options)
  }
  if (format === 'text') {
    const top = { header: false, leading: 0, skipped: 0, columns: ['text'] }
    return layout(format, top, { reader: textRows, sample: textRows }, lines, options)
  }
  if (format === 'jsonl') return jsonLayout(lines, options)
  if (isWorkbook(format)) return sheetLayout(format, lines, options)
  return tableLayout(format, lines, options, cut)
}

const PAGE = /^\s*<(?:\?xml|!doctype\s+html|html|table)\b/i
/** The first line of a mailbox. */
const MAILBOX = /^From \S+@\S+ .*\d{2}:\d{2}.* \d{4}/
const MAIL_HEADER = /^(?:received|return-path|delivered-to|message-id|mime-version|from|to|date|subject): /i
const MIN_MAIL_HEADERS = 4

/** Each line of a page, of XML and of a mail would become a message. Many tools name a page with a table `.xls`. */
function refuseMarkup(lines: readonly Line[]): void {
  const texts = lines.slice(0, 20).map(({ text }) => text)
  const [first = ''] = texts
  if (PAGE.test(first)) {
    throw new Rejected(
      'This is a web page or XML, whatever its name. Open it in a spreadsheet and save the sheet as CSV (UTF-8), then import that file',
    )
  }
  const isMail = MAIL_HEADER.test(first) && texts.filter((text) => MAIL_HEADER.test(text)).length >= MIN_MAIL_HEADERS
  if (isMail || MAILBOX.test(first)) {
    throw new Rejected(
      'This is an e-mail or a mailbox. Export the messages as CSV, one in each row, then import that file',
    )
  }
}

function formatOf(name: string, lines: readonly Line[]): FileFormat {
  const byName = extensions[/\.([a-z]{1,6})$/i.exec(name)?.[1]?.toLowerCase() ?? '']
  if (byName === 'text') return formatOfText(lines)
  if (byName) return byName
  const good = lines.filter((line) => line.problem === null).slice(0, 50)
  const objects = good.filter((line) => line.text.trimStart().startsWith('{')).length
  if (objects > good.length / 2 || (objects > 0 && good[0]?.text.trimStart().startsWith('{'))) return 'jsonl'
  const delimiter = sniffDelimiter(good)
  if (delimiter === '\t') return 'tsv'
  return delimiter === NO_DELIMITER ? 'text' : 'csv'
}

/** Many programs name a table or JSON `.txt`. Commas are in sentences too: they separate cells only below names of columns. */
function formatOfText(lines: readonly Line[]): FileFormat {
  const good = lines.filter((line) => line.problem === null).slice(0, MAX_LINES)
  if (good.length > 0 && good.every(({ text }) => /^\s*\{.*\}\s*$/.test(text))) return 'jsonl'
  if (statedDelimiter(good) !== null) return 'csv'
  const delimiter = sniffDelimiter(good)
  if (delimiter === NO_DELIMITER || good.length < 2) return 'text'
  const isTabs = delimiter === '\t'
  const [first = [], ...rows] = rowsOf(tableRows({ delimiter, literalQuotes: isTabs, cut: true }), good)
    .filter(({ problem }) => problem === null)
    .map(({ cells }) => cells)
  const named = first.filter(isColumnName).length >= 2
  const alike = rows.filter(({ length }) => length === first.length).length >= rows.length * MOST
  if (!named && (!alike || delimiter === ',' || delimiter === ';')) return 'text'
  return isTabs ? 'tsv' : 'csv'
}

/** The rows before the data, and the names of the columns. */
type Top = { header: boolean; leading: number; skipped: number; columns: string[] }
type Readers = { reader: () => RowReader; sample: () => RowReader }

function tableLayout(format: 'csv' | 'tsv', lines: readonly Line[], options: FileOptions, cut: boolean): Layout {
  const delimiter = format === 'tsv' ? '\t' : sniffDelimiter(lines.slice(0, 200))
  const tabs = delimiter === '\t'
  const reader = () => tableRows({ delimiter, literalQuotes: tabs })
  const sample = () => tableRows({ delimiter, literalQuotes: tabs, cut })
  const good = rowsOf(sample(), lines).filter((row) => row.problem === null)
  refuseWide(good)
  // Rows of other widths may hide what separates the cells of the header.
  const top = lines.find((line) => line.problem === null && line.text.trim() !== '')
  if (top)
    for (const sign of [',', ';', '\t', '|']) refuseWide([{ ...top, line: top.number, cells: top.text.split(sign) }])
  const stated = statedDelimiter(lines) === null ? 0 : 1
  const cells = good.slice(stated).map((row) => row.cells)
  return layout(format, topOf(cells, stated, options.header), { reader, sample }, lines, options)
}

function sheetLayout(format: 'xlsx' | 'ods', lines: readonly Line[], options: FileOptions): Layout {
  const good = rowsOf(sheetRows(), lines).filter((row) => row.problem === null)
  refuseWide(good)
  const cells = good.map((row) => row.cells)
  return layout(format, topOf(cells, 0, options.header), { reader: sheetRows, sample: sheetRows }, lines, options)
}

function refuseWide(rows: readonly Row[]): void {
  const wide = rows.find(({ cells }) => cells.length > MAX_COLUMNS)
  if (!wide) return
  const most = MAX_COLUMNS.toLocaleString('en-US')
  throw new Rejected(
    `Line ${wide.line} has more than ${most} columns. A file of feedback has one message in each row, and at most ${most} columns.`,
  )
}

function topOf(cells: readonly string[][], stated: number, chosen: boolean | null): Top {
  const above = chosen === false ? 0 : rowsAbove(cells)
  const first = cells[above]
  const below = rowsBelow(cells.slice(above + 1))
  const after = cells.slice(above + 1 + below.count)
  const header = first !== undefined && (chosen ?? (above > 0 || below.certain || looksLikeHeader([first, ...after])))
  if (header) {
    const second = below.count === 1 ? (cells[above + 1] ?? []) : []
    return {
      header,
      leading: stated + above + 1 + below.count,
      skipped: above,
      columns: named(withSecond(first, second)),
    }
  }
  const width = Math.max(1, ...cells.slice(0, 200).map((row) => row.length))
  const columns = Array.from({ length: width }, (_, at) => String(at + 1))
  return { header, leading: stated, skipped: 0, columns }
}

/** The answers to one question share its name, which only the first column has: the others are named by the question and their own row. */
function withSecond(first: readonly string[], second: readonly string[]): string[] {
  let question = ''
  return first.map((cell, at) => {
    question = cell.trim() === '' ? question : cell
    const answer = second[at]?.trim() ?? ''
    return cell.trim() === '' && question !== '' && answer !== '' ? `${question} – ${answer}` : cell
  })
}

/** Names may have several lines; a column without one is named by its number, and a repeated one gets a count. */
function named(cells: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return cells.map((cell, at) => {
    const own = cell.replace(/\s+/g, ' ').trim()
    const name = own === '' ? String(at + 1) : own
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? name : `${name} (${count})`
  })
}

function jsonLayout(lines: readonly Line[], options: FileOptions): Layout {
  const keys = new Set<string>()
  for (const line of lines.slice(0, 200)) {
    try {
      for (const path of pathsOf(parseObject(line.text) ?? {})) keys.add(path)
    } catch {
      // Reported by its line when the rows are read.
    }
  }
  const { text: _, ...others } = options.mapping ?? { text: '' }
  const columns = [...keys].slice(0, MAX_KEYS)
  for (const name of Object.values(others)) if (name && !columns.includes(name)) columns.push(name)
  const reader = () => jsonRows(columns)
  const top = { header: false, leading: 0, skipped: 0, columns }
  return layout('jsonl', top, { reader, sample: reader }, lines, options)
}

function layout(
  format: FileFormat,
  top: Top,
  { reader, sample }: Readers,
  lines: readonly Line[],
  options: FileOptions,
): Layout {
  const { columns } = top
  const rows = withoutLeading(rowsOf(sample(), lines), top.leading)
  const cells = rows.filter((row) => row.problem === null).map((row) => row.cells)
  const preset = top.header || format === 'jsonl' ? presetOf(columns) : null
  const mapping =
    options.mapping ?? guessMapping(columns, cells, { firstIsText: format === 'tsv' && !top.header, preset })
  const zones = options.zones ?? {}
  const own = { format, ...top, preset, mapping, zones, rows, reader }
  if (columns.length === 0) return { ...own, indexes: { text: 0 }, dateOrder: null }
  const { role, ...others } = indexesOf(mapping, columns)
  const indexes = role === undefined || options.ownReplies === 'feedback' ? others : { ...others, role }
  const { date } = indexes
  const found = date === undefined ? null : orderOf(cells.map((row) => row[date] ?? ''))
  return { ...own, indexes, dateOrder: options.dateOrder ?? found }
}

/** Rows without the first readable ones. */
function withoutLeading(rows: readonly Row[], leading: number): Row[] {
  let left = leading
  return rows.filter((row) => {
    if (left === 0 || row.problem !== null) return !isEmptyRow(row)
    left -= 1
    return false
  })
}
