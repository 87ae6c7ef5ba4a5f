import { Rejected } from '../../kit/errors.ts'
import { MAX_LINE } from '../line-splitter.ts'
import { type LineWriter, lineWriter, MAX_COLUMNS } from './line-writer.ts'
import { numberText } from './number-formats.ts'
import { type XmlHandler, xmlReader } from './xml.ts'
import type { Zip } from './zip.ts'

/** A sheet of an OpenDocument file, which has all of them in one part. */
export type OpenDocumentSheet = { name: string; isEmpty: boolean }
type Rows = Pick<LineWriter, 'begin' | 'cell' | 'finish'>

const SPREADSHEET = 'application/vnd.oasis.opendocument.spreadsheet'
const CONTENT = 'content.xml'
/** No sheet has more rows. */
const MAX_REPEATED = 1_048_576
const MAX_SPACES = 100
/** Parts of a cell that are not its text: comments, pictures, and readings above Japanese words. */
const ASIDE = new Set(['annotation', 'custom-shape', 'frame', 'g', 'ruby-text'])

/**
 * The visible sheets of an OpenDocument spreadsheet, in their order; null where the archive is none. Throws `Rejected` for another kind of
 * document, and for one that is protected.
 */
export async function openDocumentSheets(zip: Zip): Promise<OpenDocumentSheet[] | null> {
  if (!zip.names.includes('mimetype')) return null
  if (!(await beginning(zip, 'mimetype')).startsWith(SPREADSHEET)) {
    throw new Rejected(
      'This is a document without sheets. Save its rows as a spreadsheet or CSV, then import that file',
    )
  }
  const sheets: OpenDocumentSheet[] = []
  const content = contentReader((name) => {
    const sheet = { name, isEmpty: true }
    sheets.push(sheet)
    const cell = () => {
      sheet.isEmpty = false
    }
    return { begin: () => undefined, cell, finish: () => undefined }
  })
  const reader = xmlReader(content.handler)
  for await (const chunk of zip.read(CONTENT)) reader.write(chunk)
  if (!content.isSpreadsheet()) {
    throw new Rejected('The file is damaged or protected by a password. Save it without one, then import it again')
  }
  if (sheets.length === 0) throw new Rejected('The workbook has no visible sheet')
  return sheets
}

/**
 * The rows of a sheet as a `LineWriter` writes them. A formula is its value, a date is written `2026-10-01`, an error is empty; what is
 * repeated up to the end of a sheet is left out.
 */
export async function* openDocumentLines(
  zip: Zip,
  sheet: string,
  onRead?: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const writer = lineWriter()
  const content = contentReader((name) => (name === sheet ? writer : null))
  const reader = xmlReader(content.handler)
  for await (const chunk of zip.read(CONTENT, onRead)) {
    reader.write(chunk)
    for (let lines = writer.take(); lines !== null; lines = writer.take()) yield Buffer.from(lines)
  }
}

async function beginning(zip: Zip, name: string): Promise<string> {
  for await (const chunk of zip.read(name)) return Buffer.from(chunk).toString('latin1')
  return ''
}

type Attributes = Readonly<Record<string, string>>

/** Reads `content.xml`. `rowsOf` is asked at each visible sheet where its rows go; null: nowhere. Only cells with a text are passed on. */
function contentReader(rowsOf: (sheet: string) => Rows | null) {
  const hidden = new Set<string>()
  let style: string | null = null
  let isSpreadsheet = false
  let rows: Rows | null = null
  let number = 0
  let [column, copies, isFilled] = [0, 1, false]
  let cell: Attributes | null = null
  const text = cellText()

  const place = (rows: Rows, attributes: Attributes) => {
    const value = valueOf(attributes, text.read())
    const end = column + repeated(attributes['number-columns-repeated'])
    if (value !== '' && column < MAX_COLUMNS) {
      if (!isFilled) rows.begin(number + 1)
      isFilled = true
      for (let at = column; at < Math.min(end, MAX_COLUMNS); at += 1) rows.cell(at, value)
    }
    column = end
  }
  const handler: XmlHandler = {
    open(name, attributes) {
      if (name === 'style') style = attributes.name ?? null
      else if (name === 'table-properties' && attributes.display === 'false' && style !== null) hidden.add(style)
      else if (name === 'spreadsheet') isSpreadsheet = true
      else if (name === 'table') {
        rows = hidden.has(attributes['style-name'] ?? '') ? null : rowsOf(attributes.name ?? '')
        number = 0
      } else if (name === 'table-row') {
        ;[column, copies, isFilled] = [0, repeated(attributes['number-rows-repeated']), false]
      } else if (name === 'table-cell') {
        cell = attributes
        text.clear()
      } else if (name === 'covered-table-cell') column += repeated(attributes['number-columns-repeated'])
      else if (cell) text.open(name, attributes)
    },
    close(name) {
      if (name === 'table') rows = null
      else if (name === 'table-cell') {
        if (rows && cell) place(rows, cell)
        cell = null
      } else if (name === 'table-row') {
        if (isFilled) rows?.finish(copies)
        number += copies
      } else if (cell) text.close(name)
    },
    text: (part) => {
      if (cell) text.write(part)
    },
  }
  return { handler, isSpreadsheet: () => isSpreadsheet }
}

function repeated(times: string | undefined): number {
  const count = Number(times ?? 1)
  return count >= 1 ? Math.min(MAX_REPEATED, Math.floor(count)) : 1
}

/** What a cell shows as text, its value where that is of another kind. */
function valueOf(cell: Attributes, shown: string): string {
  const type = cell['value-type'] ?? 'string'
  if (type === 'float' || type === 'percentage' || type === 'currency') return numberText(cell.value ?? '')
  if (type === 'date') return dateText(cell['date-value'] ?? '')
  if (type === 'time') return timeText(cell['time-value'] ?? '') ?? shown
  if (type === 'boolean') return (cell['boolean-value'] ?? '').toUpperCase()
  if (type === 'error') return ''
  return shown === '' ? (cell['string-value'] ?? '') : shown
}

/** As dates of workbooks are written: `2026-10-01`, `2026-10-01 14:30:00`. */
const dateText = (date: string) =>
  date
    .replace('T', ' ')
    .replace(/\.\d+$/, '')
    .replace(/ 00:00:00$/, '')

/** `14:30:00` of `PT14H30M00S`. */
function timeText(duration: string): string | null {
  const [, ...parts] = /^PT(\d+)H(\d+)M(\d+)/.exec(duration) ?? []
  return parts.length === 0 ? null : parts.map((part) => part.padStart(2, '0')).join(':')
}

/** The paragraphs of a cell as lines. White space that is meant has elements of its own. */
function cellText() {
  let text = ''
  let [paragraphs, inside, aside] = [0, 0, 0]
  const add = (part: string) => {
    if (inside > 0 && aside === 0 && text.length <= MAX_LINE) text += part
  }
  return {
    clear() {
      text = ''
      ;[paragraphs, inside, aside] = [0, 0, 0]
    },
    open(name: string, attributes: Attributes) {
      if (ASIDE.has(name)) aside += 1
      else if (name === 'p' && aside === 0) {
        inside += 1
        if (paragraphs > 0) add('\n')
        paragraphs += 1
      } else if (name === 's') add(' '.repeat(Math.min(MAX_SPACES, repeated(attributes.c))))
      else if (name === 'tab') add('\t')
      else if (name === 'line-break') add('\n')
    },
    close(name: string) {
      if (ASIDE.has(name)) aside -= 1
      else if (name === 'p' && aside === 0) inside -= 1
    },
    write: (part: string) => add(part.replace(/[ \t\r\n]+/g, ' ')),
    read: () => text,
  }
}
