import { crc32, deflateRawSync } from 'node:zlib'

/** A ZIP archive of these files. */
export function zipOf(files: Record<string, string | Uint8Array>): Buffer {
  const parts: Buffer[] = []
  const list: Buffer[] = []
  let at = 0
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    const title = Buffer.from(name)
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE(0x800, 2)
    shared.writeUInt16LE(8, 4)
    shared.writeUInt32LE(crc32(bytes), 10)
    shared.writeUInt32LE(packed.byteLength, 14)
    shared.writeUInt32LE(bytes.byteLength, 18)
    shared.writeUInt16LE(title.byteLength, 22)
    parts.push(Buffer.from('PK\u0003\u0004', 'latin1'), shared, title, packed)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(at, 10)
    list.push(Buffer.from('PK\u0001\u0002\u0014\0', 'latin1'), shared, rest, title)
    at += 30 + title.byteLength + packed.byteLength
  }
  const directory = Buffer.concat(list)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 0, 'latin1')
  end.writeUInt16LE(list.length / 4, 8)
  end.writeUInt16LE(list.length / 4, 10)
  end.writeUInt32LE(directory.byteLength, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, directory, end])
}

/** An archive that stands behind other bytes. */
export function shifted(archive: Buffer, by: number): Buffer {
  const moved = Buffer.from(archive)
  const end = moved.byteLength - 22
  let at = moved.readUInt32LE(end + 16)
  moved.writeUInt32LE(at + by, end + 16)
  while (at < end) {
    moved.writeUInt32LE(moved.readUInt32LE(at + 42) + by, at + 42)
    at += 46 + moved.readUInt16LE(at + 28)
  }
  return moved
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A workbook as Excel writes it. Sheets are the content of `sheetData`; `texts` are the `<si>` elements. */
export function workbookOf(
  sheets: Record<string, string>,
  {
    texts = '',
    styles = '',
    more = '',
    hidden = [],
  }: { texts?: string; styles?: string; more?: string; hidden?: string[] } = {},
): Buffer {
  const names = Object.keys(sheets)
  const sheetList = names
    .map(
      (name, at) =>
        `<sheet name="${name}" sheetId="${at + 1}" ${hidden.includes(name) ? 'state="hidden" ' : ''}r:id="rId${at + 1}"/>`,
    )
    .join('')
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`
  const relations = (inside: string) =>
    `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inside}</Relationships>`
  return zipOf({
    '[Content_Types].xml': `${HEAD}<Types/>`,
    '_rels/.rels': relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">${more}<sheets>${sheetList}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      names.map((_, at) => relation(`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`)).join('') +
        relation('rId98', 'styles', 'styles.xml') +
        relation('rId99', 'sharedStrings', '/xl/sharedStrings.xml'),
    ),
    ...Object.fromEntries(
      names.map((name, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>${sheets[name]}</sheetData></worksheet>`,
      ]),
    ),
    'xl/styles.xml': `${HEAD}<styleSheet xmlns="${MAIN}">${styles}</styleSheet>`,
    'xl/sharedStrings.xml': `${HEAD}<sst xmlns="${MAIN}">${texts}</sst>`,
  })
}

/** Rows whose cells are texts of their own. */
export function textRowsXml(rows: readonly (readonly string[])[]): string {
  const letters = 'ABCDEFGH'
  return rows
    .map((cells, row) => {
      const inside = cells.map(
        (cell, at) => `<c r="${letters[at]}${row + 1}" t="inlineStr"><is><t>${cell}</t></is></c>`,
      )
      return `<row r="${row + 1}">${inside.join('')}</row>`
    })
    .join('')
}

const NAMES = ['office', 'table', 'text', 'style', 'calcext', 'draw']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ')

/** A spreadsheet as LibreOffice writes it. Sheets are the content of `table:table`; a hidden one has the style `off`. */
export function openDocumentOf(
  sheets: Record<string, string>,
  {
    hidden = [],
    mimetype = 'application/vnd.oasis.opendocument.spreadsheet',
  }: { hidden?: string[]; mimetype?: string } = {},
): Buffer {
  const style = (name: string, shown: boolean) =>
    `<style:style style:name="${name}" style:family="table"><style:table-properties table:display="${shown}"/></style:style>`
  const tables = Object.entries(sheets).map(
    ([name, rows]) =>
      `<table:table table:name="${name}" table:style-name="${hidden.includes(name) ? 'off' : 'on'}">${rows}</table:table>`,
  )
  return zipOf({
    mimetype,
    'content.xml': `${HEAD}<office:document-content ${NAMES}><office:automatic-styles>${style('on', true)}${style('off', false)}</office:automatic-styles><office:body><office:spreadsheet>${tables.join('')}</office:spreadsheet></office:body></office:document-content>`,
    'styles.xml': `${HEAD}<office:document-styles ${NAMES}/>`,
    'META-INF/manifest.xml': `${HEAD}<manifest/>`,
  })
}

/** Rows of texts, as LibreOffice writes them. */
export function openDocumentRows(rows: readonly (readonly string[])[]): string {
  const cell = (text: string) =>
    text === ''
      ? '<table:table-cell/>'
      : `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`
  return rows.map((cells) => `<table:table-row>${cells.map(cell).join('')}</table:table-row>`).join('')
}
