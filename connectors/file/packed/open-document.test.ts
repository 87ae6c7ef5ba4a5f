import { describe, expect, it } from 'vitest'
import { preview } from '../preview.ts'
import { options, readAll } from '../testing.ts'
import { openDocumentOf, openDocumentRows, textRowsXml, workbookOf, zipOf } from './testing.ts'

const row = (cells: string, attributes = '') => `<table:table-row ${attributes}>${cells}</table:table-row>`
const text = (content: string, attributes = '') =>
  `<table:table-cell office:value-type="string" calcext:value-type="string" ${attributes}>${content}</table:table-cell>`
const p = (content: string) => text(`<text:p>${content}</text:p>`)
const value = (type: string, attribute: string, shown: string) =>
  `<table:table-cell office:value-type="${type}" ${attribute}><text:p>${shown}</text:p></table:table-cell>`
const empty = (columns = 1) => `<table:table-cell table:number-columns-repeated="${columns}"/>`
const rest = row(empty(16_384), 'table:number-rows-repeated="1048000"')

const table = `<table:table-column table:number-columns-repeated="16384"/>
  <table:table-header-rows>${row(p('Date') + p('Feedback') + p('Customer') + p('Stars') + empty(16_380))}</table:table-header-rows>
  ${row(value('date', 'office:date-value="2026-10-01"', '01.10.26') + p('The export<text:s text:c="2"/>fails &amp; <text:span>stops</text:span>') + text('<text:p>Acme</text:p>', 'table:formula="of:=[.A1]"') + value('float', 'office:value="0.30000000000000004"', '0,3'))}
  ${row(empty(16_384), 'table:number-rows-repeated="2"')}
  ${row(
    value('date', 'office:date-value="2026-10-02T12:00:00.000000000"', '02.10.26 12:00') +
      text(
        '<office:annotation><text:p>a colleague’s note</text:p></office:annotation><text:p>Two</text:p><text:p>lines<text:line-break/>or three</text:p><draw:frame><draw:text-box><text:p>a picture</text:p></draw:text-box></draw:frame>',
      ) +
      text('<text:p>#N/A</text:p>', 'office:string-value=""').replace(
        'calcext:value-type="string"',
        'calcext:value-type="error"',
      ) +
      value('percentage', 'office:value="0.5"', '50 %'),
  )}
  ${row(value('date', 'office:date-value="2026-10-03T00:00:00"', '03.10.26') + p('Again') + '<table:covered-table-cell/>' + value('boolean', 'office:boolean-value="true"', 'WAHR'), 'table:number-rows-repeated="2"')}
  ${rest}`

describe('an OpenDocument spreadsheet', () => {
  it('is read with its dates as dates, values of formulas, and rows by their numbers, without what is repeated at its end', async () => {
    const file = openDocumentOf({ Answers: table })
    const seen = await preview(file, options('export.ods'))
    expect(seen).toMatchObject({
      format: 'ods',
      sheets: ['Answers'],
      sheet: 'Answers',
      header: true,
      columns: ['Date', 'Feedback', 'Customer', 'Stars'],
      mapping: { text: 'Feedback', date: 'Date' },
      problems: [],
    })
    expect(seen.rows).toEqual([
      ['2026-10-01', 'The export  fails & stops', 'Acme', '0.3'],
      ['2026-10-02 12:00:00', 'Two\nlines\nor three', '', '0.5'],
      ['2026-10-03', 'Again', '', 'TRUE'],
      ['2026-10-03', 'Again', '', 'TRUE'],
    ])
    const { items, lines, problems } = await readAll(file, 'export.ods')
    expect([lines, problems]).toEqual([[2, 5, 6, 7], []])
    expect(items.map(({ at, dateOnly }) => [at.toISOString(), dateOnly])).toEqual([
      ['2026-10-01T00:00:00.000Z', true],
      ['2026-10-02T12:00:00.000Z', undefined],
      ['2026-10-03T00:00:00.000Z', true],
      ['2026-10-03T00:00:00.000Z', true],
    ])
  })

  it('is read by its sheet: the first visible one that is not empty, or the chosen one', async () => {
    const rows = (message: string) =>
      openDocumentRows([
        ['id', 'message'],
        ['1', message],
      ])
    const sheets = { Cover: rest, Secret: rows('hidden'), Web: rows('from the web'), App: rows('from the app') }
    const file = openDocumentOf(sheets, { hidden: ['Secret'] })
    expect(await preview(file, options('a.ods'))).toMatchObject({ sheets: ['Cover', 'Web', 'App'], sheet: 'Web' })
    expect((await readAll(file, 'a.ods')).texts).toEqual(['from the web'])
    expect((await readAll(file, 'a.ods', { sheet: 'App' })).texts).toEqual(['from the app'])
    await expect(readAll(file, 'a.ods', { sheet: 'Secret' })).rejects.toThrow('has no sheet "Secret"')
    await expect(readAll(file, 'a.ods', { sheet: 'Cover' })).rejects.toThrow('empty')
  })

  it('shows times of day as such', async () => {
    const file = openDocumentOf({
      A:
        row(p('id') + p('message') + p('time')) +
        row(p('1') + p('It fails') + value('time', 'office:time-value="PT9H05M00S"', '9:05')),
    })
    expect((await preview(file, options('a.ods'))).rows).toEqual([['1', 'It fails', '09:05:00']])
  })

  it.each([
    ['a text document', openDocumentOf({}, { mimetype: 'application/vnd.oasis.opendocument.text' }), /without sheets/],
    [
      'a protected file',
      zipOf({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': Buffer.from([7, 200, 3, 9]) }),
      /protected by a password/,
    ],
    ['one without rows', openDocumentOf({ A: rest }), /empty/],
    ['one that is cut off', openDocumentOf({ A: table }).subarray(0, 900), /incomplete/],
    ['one nested without end', openDocumentOf({ A: '<a>'.repeat(1_000) }), /damaged/],
    [
      'one of equal rows without end',
      openDocumentOf({ A: row(p('x'.repeat(1_000)), 'table:number-rows-repeated="1048576"') }),
      /far more/,
    ],
    ['one that unpacks to far more', openDocumentOf({ A: row(p('a'.repeat(20 * 1024 * 1024))) }), /far more/],
  ])('that is none, or is damaged, is refused with what to do: %s', async (_, file, reason) => {
    await expect(readAll(file, 'a.ods')).rejects.toThrow(reason)
  })
})

describe('cells that are repeated', () => {
  const long = 'x'.repeat(10_000)
  const shared = textRowsXml([['id', 'message']]) + `<row r="2">${'<c t="s"><v>0</v></c>'.repeat(1_000)}</row>`
  it.each([
    [
      'in a spreadsheet',
      openDocumentOf({
        A:
          openDocumentRows([['id', 'message']]) +
          row(text(`<text:p>${long}</text:p>`, 'table:number-columns-repeated="1048576"')),
      }),
    ],
    ['in a workbook', workbookOf({ A: shared }, { texts: `<si><t>${long}</t></si>` })],
  ])('make a row too long, which costs that row: %s', async (_, file) => {
    const { problems } = await readAll(file, 'a.zip')
    expect(problems).toEqual([{ line: 2, reason: 'The line is longer than 1 MiB' }])
  })

  it('are as many as a file of feedback has at most', async () => {
    const file = openDocumentOf({
      A: row(text('<text:p>x</text:p>', 'table:number-columns-repeated="16384"'), 'table:number-rows-repeated="3"'),
    })
    await expect(readAll(file, 'a.ods')).rejects.toThrow('more than 1,000 columns')
  })
})
