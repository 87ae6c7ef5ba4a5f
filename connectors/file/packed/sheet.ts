import { Rejected } from '../../kit/errors.ts'
import { momentOf, numberText } from './number-formats.ts'
import { plainText, richText, type Workbook } from './workbook.ts'
import { xmlReader } from './xml.ts'
import type { Zip } from './zip.ts'

const MAX_ROWS = 1_048_576
/** One more than a file of feedback may have: the reader says that there are too many. */
const MAX_COLUMNS = 1_001
const ROWS_AT_ONCE = 500
/** In the first part of a workbook, a text that is not in it. */
const LATER = '…'

/**
 * The rows of a sheet, each as a line with a JSON array of its cells, so that a row's line is its number; an empty row is an empty line.
 * A formula is its value, a date is written `2026-10-01`, an error is empty. Rows are as wide as the widest before them.
 */
export async function* sheetLines(
  zip: Zip,
  workbook: Workbook,
  file: string,
  onRead?: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const texts = await workbook.texts()
  const rows = rowReader((type, style, raw) => {
    if (type === 's') return texts.at(Number(raw)) ?? LATER
    if (type === 'str' || type === 'd') return plainText(raw)
    if (type === 'b') return raw === '1' ? 'TRUE' : 'FALSE'
    if (type === 'e') return ''
    const moment = workbook.styles[style] === 'moment' && raw !== '' ? momentOf(Number(raw), workbook.dates) : null
    return moment ?? numberText(raw)
  })
  const reader = xmlReader(rows.handler)
  for await (const chunk of zip.read(file, onRead)) {
    reader.write(chunk)
    for (let lines = rows.take(); lines !== null; lines = rows.take()) yield Buffer.from(lines)
  }
}

/** Whether a sheet has a cell with something in it. */
export async function hasCells(zip: Zip, file: string): Promise<boolean> {
  let found = false
  const reader = xmlReader({
    open: (name) => {
      if (name === 'v' || name === 'is') found = true
    },
    close: () => undefined,
    text: () => undefined,
  })
  for await (const chunk of zip.read(file)) {
    reader.write(chunk)
    if (found) return true
  }
  return false
}

function rowReader(textOf: (type: string, style: number, raw: string) => string) {
  let lines: string[] = []
  let number = 0
  let width = 0
  let cells: string[] = []
  let column = -1
  let [type, style, raw, inValue] = ['n', 0, '', false]
  const rich = richText()

  const begin = (at: string | undefined) => {
    const next = at === undefined ? number + 1 : Number(at)
    if (!(next > number) || next > MAX_ROWS) throw new Rejected('The rows of the sheet are out of order: save it again')
    for (let empty = number + 1; empty < next; empty += 1) lines.push('')
    number = next
    cells = []
    column = -1
  }
  const finish = () => {
    const isEmpty = cells.every((cell) => cell === '')
    if (!isEmpty) width = Math.max(width, cells.length)
    while (!isEmpty && cells.length < width) cells.push('')
    lines.push(isEmpty ? '' : JSON.stringify(cells))
  }
  return {
    handler: {
      open(name: string, attributes: Readonly<Record<string, string>>) {
        if (name === 'row') begin(attributes.r)
        else if (name === 'c') {
          column = attributes.r === undefined ? column + 1 : columnOf(attributes.r)
          ;[type, style, raw] = [attributes.t ?? 'n', Number(attributes.s ?? 0), '']
          rich.clear()
        } else if (name === 'v') inValue = true
        else rich.open(name)
      },
      close(name: string) {
        if (name === 'row') finish()
        else if (name === 'v') inValue = false
        else if (name !== 'c') rich.close(name)
        else if (column >= 0 && column < MAX_COLUMNS) {
          while (cells.length < column) cells.push('')
          cells[column] = type === 'inlineStr' ? rich.text() : raw === '' ? '' : textOf(type, style, raw)
        }
      },
      text(text: string) {
        if (inValue) raw += text
        else rich.write(text)
      },
    },
    /** Complete lines; null when there are none. */
    take(): string | null {
      if (lines.length === 0) return null
      const some = lines.slice(0, ROWS_AT_ONCE)
      lines = lines.slice(ROWS_AT_ONCE)
      return `${some.join('\n')}\n`
    },
  }
}

/** The place of the column in a cell's name, from 0: `AB12` is 27. */
function columnOf(cell: string): number {
  let column = 0
  for (const letter of /^[A-Z]{1,3}/.exec(cell)?.[0] ?? '') column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}
