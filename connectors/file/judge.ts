import type { ColumnMapping, FileFormat } from '@groundswell/contract/feedback.ts'
import type { FileOptions } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { guessMapping, type Indexes, indexesOf, isColumnName } from './columns.ts'
import { putsDayFirst } from './dates.ts'
import { looksLikeHeader } from './header.ts'
import { jsonRows, parseObject, pathsOf } from './json-rows.ts'
import type { Line } from './line-splitter.ts'
import type { Row, RowReader } from './row.ts'
import { tableRows } from './table-rows.ts'
import { textRows } from './text-rows.ts'

/** How a file is to be read, found out from its first part. `rows` are those of that part, without the header. */
export type Plan = {
  format: FileFormat
  header: boolean
  columns: string[]
  mapping: ColumnMapping
  indexes: Indexes
  dayFirst: boolean
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
const delimiters = [',', ';', '\t', '|']
/** Keys of JSON lines that are columns; a file with more uses its keys as values. */
const MAX_KEYS = 200
/** No line has it, so a line is one cell. */
const NO_DELIMITER = '\0'

/**
 * Judges the first part of a file. `cut` says that the file goes on behind it. What the options leave open is found out
 * from the name and the content. Throws `Rejected` when nothing in it can be read.
 */
export function judge(lines: readonly Line[], options: FileOptions, cut: boolean): Plan {
  const filled = lines.filter((line) => line.problem !== null || line.text.trim() !== '')
  if (filled.length === 0) throw new Rejected('The file is empty')
  const format = options.format ?? formatOf(options.name, filled)
  if (format === 'text') return plan(format, false, ['text'], textRows, textRows, lines, options)
  if (format === 'jsonl') return judgeJson(lines, options)
  return judgeTable(format, lines, options, cut)
}

function formatOf(name: string, lines: readonly Line[]): FileFormat {
  const byName = extensions[/\.([a-z]{1,6})$/i.exec(name)?.[1]?.toLowerCase() ?? '']
  if (byName) return byName
  const good = lines.filter((line) => line.problem === null).slice(0, 50)
  if (good[0]?.text.trimStart().startsWith('{')) return 'jsonl'
  const delimiter = sniffDelimiter(good)
  if (delimiter === '\t') return 'tsv'
  return delimiter === NO_DELIMITER ? 'text' : 'csv'
}

/**
 * The delimiter that cuts most records into as many cells as the first one has, or whose first record holds well-known
 * column names; none when there is no such.
 */
function sniffDelimiter(lines: readonly Line[]): string {
  let best = NO_DELIMITER
  let most = 0.6
  for (const delimiter of delimiters) {
    const rows = rowsOf(tableRows({ delimiter, literalQuotes: delimiter === '\t', cut: true }), lines)
      .filter((row) => row.problem === null)
      .slice(0, 50)
    const first = rows[0]?.cells ?? []
    const share = rows.filter((row) => row.cells.length === first.length).length / Math.max(rows.length, 1)
    const score = share + (first.filter(isColumnName).length >= 2 ? 1 : 0)
    if (first.length > 1 && score > most) {
      most = score
      best = delimiter
    }
  }
  return best
}

function rowsOf(reader: RowReader, lines: readonly Line[]): Row[] {
  return [...lines.flatMap((line) => reader.push(line)), ...reader.end()]
}

function judgeTable(format: 'csv' | 'tsv', lines: readonly Line[], options: FileOptions, cut: boolean): Plan {
  const delimiter = format === 'tsv' ? '\t' : sniffDelimiter(lines.slice(0, 200))
  const tabs = delimiter === '\t'
  const reader = () => tableRows({ delimiter, literalQuotes: tabs })
  const sample = () => tableRows({ delimiter, literalQuotes: tabs, cut })
  const good = rowsOf(sample(), lines).filter((row) => row.problem === null)
  const first = good[0]
  const header = options.header ?? (first !== undefined && looksLikeHeader(good.map((row) => row.cells)))
  const width = Math.max(1, ...good.slice(0, 200).map((row) => row.cells.length))
  const columns = header && first ? named(first.cells) : Array.from({ length: width }, (_, at) => String(at + 1))
  return plan(format, header, columns, reader, sample, lines, options)
}

function named(cells: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return cells.map((cell, at) => {
    const name = cell.trim() === '' ? String(at + 1) : cell.trim()
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? name : `${name} (${count})`
  })
}

function judgeJson(lines: readonly Line[], options: FileOptions): Plan {
  const start = lines.find((line) => line.text.trim() !== '')?.text.trim() ?? ''
  if (/^\[(\s*$|\s*\{)/.test(start)) {
    throw new Rejected('This is one JSON array. Save it as JSON Lines: one object a line, without commas between')
  }
  const columns = new Set<string>()
  for (const line of lines.slice(0, 200)) {
    try {
      for (const path of pathsOf(parseObject(line.text) ?? {})) columns.add(path)
    } catch {
      // Reported by its line when the rows are read.
    }
  }
  const { text: _, ...others } = options.mapping ?? { text: '' }
  const names = [...columns].slice(0, MAX_KEYS)
  for (const name of Object.values(others)) if (name && !names.includes(name)) names.push(name)
  const reader = () => jsonRows(names)
  return plan('jsonl', false, names, reader, reader, lines, options)
}

function plan(
  format: FileFormat,
  header: boolean,
  columns: string[],
  reader: () => RowReader,
  sample: () => RowReader,
  lines: readonly Line[],
  options: FileOptions,
): Plan {
  const all = rowsOf(sample(), lines)
  const rows = header ? withoutHeader(all) : all
  const cells = rows.filter((row) => row.problem === null).map((row) => row.cells)
  const mapping = options.mapping ?? guessMapping(columns, cells, format === 'tsv')
  if (columns.length === 0)
    return { format, header, columns, mapping, indexes: { text: 0 }, dayFirst: false, rows, reader }
  const indexes = indexesOf(mapping, columns)
  const { date } = indexes
  const dayFirst = date !== undefined && putsDayFirst(cells.map((row) => row[date] ?? ''))
  return { format, header, columns, mapping, indexes, dayFirst, rows, reader }
}

/** Rows without the first readable one, which is the header. */
function withoutHeader(rows: readonly Row[]): Row[] {
  const at = rows.findIndex((row) => row.problem === null)
  return rows.filter((_, index) => index !== at)
}
