import { MAX_LINE } from '../line-splitter.ts'
import { type LineWriter, lineWriter } from './line-writer.ts'
import { momentOf, numberText } from './number-formats.ts'
import { plainText, richText, type Workbook } from './workbook.ts'
import { type XmlHandler, xmlReader } from './xml.ts'
import type { Zip } from './zip.ts'

/** In the first part of a workbook, a text that is not in it. */
const LATER = '…'

/** The rows of a sheet as a `LineWriter` writes them. A formula is its value, a date is written `2026-10-01`, an error is empty. */
export async function* sheetLines(
  zip: Zip,
  workbook: Workbook,
  file: string,
  onRead?: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const texts = await workbook.texts()
  const writer = lineWriter()
  const handler = rowReader(writer, (type, style, raw) => {
    if (type === 's') return texts.at(Number(raw)) ?? LATER
    if (type === 'str' || type === 'd') return plainText(raw)
    if (type === 'b') return raw === '1' ? 'TRUE' : 'FALSE'
    if (type === 'e') return ''
    const moment = workbook.styles[style] === 'moment' && raw !== '' ? momentOf(Number(raw), workbook.dates) : null
    return moment ?? numberText(raw)
  })
  const reader = xmlReader(handler)
  for await (const chunk of zip.read(file, onRead)) {
    reader.write(chunk)
    for (let lines = writer.take(); lines !== null; lines = writer.take()) yield Buffer.from(lines)
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

function rowReader(
  rows: Pick<LineWriter, 'begin' | 'cell' | 'finish'>,
  textOf: (type: string, style: number, raw: string) => string,
): XmlHandler {
  let column = -1
  let [type, style, raw, inValue] = ['n', 0, '', false]
  const rich = richText()

  return {
    open(name, attributes) {
      if (name === 'row') {
        rows.begin(attributes.r === undefined ? undefined : Number(attributes.r))
        column = -1
      } else if (name === 'c') {
        column = attributes.r === undefined ? column + 1 : columnOf(attributes.r)
        ;[type, style, raw] = [attributes.t ?? 'n', Number(attributes.s ?? 0), '']
        rich.clear()
      } else if (name === 'v') inValue = true
      else rich.open(name)
    },
    close(name) {
      if (name === 'row') rows.finish()
      else if (name === 'v') inValue = false
      else if (name !== 'c') rich.close(name)
      else rows.cell(column, type === 'inlineStr' ? rich.text() : raw === '' ? '' : textOf(type, style, raw))
    },
    text(text) {
      if (!inValue) rich.write(text)
      else if (raw.length <= MAX_LINE) raw += text
    },
  }
}

/** The place of the column in a cell's name, from 0: `AB12` is 27. */
function columnOf(cell: string): number {
  let column = 0
  for (const letter of /^[A-Z]{1,3}/.exec(cell)?.[0] ?? '') column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}
