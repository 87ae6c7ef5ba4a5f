import path from 'node:path/posix'
import { Rejected } from '../../kit/errors.ts'
import { MAX_LINE } from '../line-splitter.ts'
import { type Shown, shownBy } from './number-formats.ts'
import { type TextList, textList } from './text-list.ts'
import { type XmlHandler, xmlReader } from './xml.ts'
import type { Zip } from './zip.ts'

/** A workbook's visible sheets in their order, and what all of them share. `texts`: those that cells refer to by number. */
export type Workbook = {
  sheets: { name: string; file: string }[]
  dates: 1900 | 1904
  /** How the cells of each style are shown. */
  styles: Shown[]
  texts(): Promise<TextList>
}

/** More than that is no list of sheets, nor of styles. */
const MAX_PART_BYTES = 32 * 1024 * 1024
/** Excel has a limit of 65,490 styles. */
const MAX_STYLES = 100_000
const OLD = 'Open it and save it as an Excel workbook (.xlsx) or as CSV (UTF-8), then import that file'

/** The workbook in an archive; null where it holds none. Throws `Rejected` for another document, and for a workbook without a sheet. */
export async function openWorkbook(zip: Zip): Promise<Workbook | null> {
  const names = new Set(zip.names)
  if (!names.has('[Content_Types].xml')) return null
  const main = (await relationsOf(zip, '')).find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml'
  if (main.endsWith('.bin')) throw new Rejected(`This is a binary workbook (.xlsb). ${OLD}`)
  if (!names.has(main) || !/(?:^|\/)workbook[^/]*\.xml$/.test(main)) {
    throw new Rejected(
      'This is a document without sheets. Save its rows as an Excel workbook or CSV, then import that file',
    )
  }
  const relations = await relationsOf(zip, main)
  const found: { name: string; relation: string }[] = []
  let dates: Workbook['dates'] = 1900
  await readPart(zip, main, (name, { name: label = '', id = '', state, date1904 }) => {
    if (name === 'workbookPr' && (date1904 === '1' || date1904 === 'true')) dates = 1904
    if (name === 'sheet' && (state ?? 'visible') === 'visible') found.push({ name: label, relation: id })
  })
  const sheets = found.flatMap(({ name, relation }) => {
    const part = relations.find(({ id, type }) => id === relation && type === 'worksheet')
    return part && names.has(part.target) ? [{ name, file: part.target }] : []
  })
  if (sheets.length === 0) throw new Rejected('The workbook has no visible sheet')
  const fileOf = (type: string) => relations.find((one) => one.type === type && names.has(one.target))?.target
  const [styles, texts] = [fileOf('styles'), fileOf('sharedStrings')]
  return {
    sheets,
    dates,
    styles: styles === undefined ? [] : await stylesOf(zip, styles),
    texts: () => (texts === undefined ? Promise.resolve(textList()) : textsOf(zip, texts)),
  }
}

/** What a part of the archive refers to, by the last word of its type. */
async function relationsOf(zip: Zip, part: string): Promise<{ id: string; type: string; target: string }[]> {
  const folder = path.dirname(part)
  const file = path.join(folder, '_rels', `${path.basename(part)}.rels`)
  const relations: { id: string; type: string; target: string }[] = []
  if (!zip.names.includes(file)) return relations
  await readPart(zip, file, (name, { Id: id = '', Type: type = '', Target: target = '' }) => {
    if (name !== 'Relationship') return
    const full = target.startsWith('/') ? target.slice(1) : path.join(folder, target)
    relations.push({ id, type: type.slice(type.lastIndexOf('/') + 1), target: full })
  })
  return relations
}

async function stylesOf(zip: Zip, file: string): Promise<Shown[]> {
  const codes = new Map<number, string>()
  const styles: Shown[] = []
  let inCells = false
  await readPart(
    zip,
    file,
    (name, { numFmtId = '0', formatCode }) => {
      if (name === 'numFmt' && formatCode !== undefined) codes.set(Number(numFmtId), formatCode)
      if (name === 'cellXfs') inCells = true
      if (name !== 'xf' || !inCells || styles.length >= MAX_STYLES) return
      styles.push(shownBy(Number(numFmtId), codes.get(Number(numFmtId))))
    },
    (name) => {
      if (name === 'cellXfs') inCells = false
    },
  )
  return styles
}

async function textsOf(zip: Zip, file: string): Promise<TextList> {
  const texts = textList()
  const one = richText()
  const reader = xmlReader({
    open: (name) => {
      if (name === 'si') one.clear()
      one.open(name)
    },
    close: (name) => {
      one.close(name)
      if (name === 'si') texts.add(one.text())
    },
    text: (text) => one.write(text),
  })
  for await (const chunk of zip.read(file)) reader.write(chunk)
  return texts
}

/** The text of an element with formatted parts; without the readings above Japanese words. */
export function richText(): {
  open(name: string): void
  close(name: string): void
  write(text: string): void
  clear(): void
  text(): string
} {
  let text = ''
  let inText = false
  let inReading = false
  return {
    open(name) {
      if (name === 't') inText = true
      if (name === 'rPh') inReading = true
    },
    close(name) {
      if (name === 't') inText = false
      if (name === 'rPh') inReading = false
    },
    write(part) {
      if (inText && !inReading && text.length <= MAX_LINE) text += part
    },
    clear() {
      text = ''
    },
    text: () => plainText(text),
  }
}

/** Workbooks write characters that XML cannot hold as `_x000D_`. */
export function plainText(text: string): string {
  const whole = text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text
  return whole.replace(/\r\n?/g, '\n')
}

async function readPart(
  zip: Zip,
  file: string,
  open: XmlHandler['open'],
  close: XmlHandler['close'] = () => undefined,
): Promise<void> {
  const reader = xmlReader({ open, close, text: () => undefined })
  let size = 0
  for await (const chunk of zip.read(file)) {
    size += chunk.byteLength
    if (size > MAX_PART_BYTES) throw new Rejected('The workbook is damaged: save it again')
    reader.write(chunk)
  }
  reader.end()
}
