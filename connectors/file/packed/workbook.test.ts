import { describe, expect, it } from 'vitest'
import { preview } from '../preview.ts'
import { read } from '../read.ts'
import { importedAt, options, readAll } from '../testing.ts'
import { inMemory } from './opened.ts'
import { textRowsXml, workbookOf, zipOf } from './testing.ts'

const styles = `<numFmts count="2"><numFmt numFmtId="164" formatCode="[$-407]dd/mm/yyyy\\ hh:mm"/><numFmt numFmtId="165" formatCode="0.0&quot; Stars&quot;"/></numFmts>
  <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
  <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs>`
const texts = `<si><t>Feedback</t></si><si><r><t>The export </t></r><r><rPr><b/></rPr><t xml:space="preserve">fails &amp; stops</t></r></si>
  <si><t>輸出が失敗する</t><rPh sb="0" eb="2"><t>ユシュツ</t></rPh></si><si><t>Two_x000D_
lines</t></si>`
const cell = (at: string, type: string, value: string | number, style = 0) =>
  `<c r="${at}" s="${style}"${type === 'n' ? '' : ` t="${type}"`}><v>${value}</v></c>`
const table = `<row r="1">${cell('A1', 'str', 'Date')}${cell('B1', 's', 0)}${cell('C1', 'str', 'Customer')}${cell('D1', 'str', 'Stars')}</row>
  <row r="2">${cell('A2', 'n', 46296, 1)}${cell('B2', 's', 1)}<c r="C2" t="str"><f>A1&amp;"x"</f><v>Acme</v></c>${cell('D2', 'n', '0.30000000000000004')}</row>
  <row r="4">${cell('A4', 'n', '46297.5', 2)}${cell('B4', 's', 2)}${cell('C4', 'n', '1.69881503650676E+17')}${cell('D4', 'n', 5, 3)}</row>
  <row r="5">${cell('A5', 'n', 46298, 1)}${cell('B5', 's', 3)}${cell('D5', 'e', '#N/A')}</row>`

describe('a workbook', () => {
  it('is read with its dates as dates, values of formulas, formatted text as text, and rows by their numbers', async () => {
    const file = workbookOf({ Answers: table }, { texts, styles })
    const seen = await preview(file, options('export.xlsx'))
    expect(seen).toMatchObject({
      format: 'xlsx',
      sheets: ['Answers'],
      sheet: 'Answers',
      header: true,
      columns: ['Date', 'Feedback', 'Customer', 'Stars'],
      mapping: { text: 'Feedback', date: 'Date' },
      problems: [],
    })
    expect(seen.rows).toEqual([
      ['2026-10-01', 'The export fails & stops', 'Acme', '0.3'],
      ['2026-10-02 12:00:00', '輸出が失敗する', '169881503650676000', '5'],
      ['2026-10-03', 'Two\nlines', '', ''],
    ])
    const { items, lines, problems } = await readAll(file, 'export.xlsx')
    expect(lines).toEqual([2, 4, 5])
    expect(problems).toEqual([])
    expect(items.map(({ text, at }) => [text, at.toISOString()])).toEqual([
      ['The export fails & stops', '2026-10-01T00:00:00.000Z'],
      ['輸出が失敗する', '2026-10-02T12:00:00.000Z'],
      ['Two\nlines', '2026-10-03T00:00:00.000Z'],
    ])
  })

  it('has dates that are counted from 1904, where it says so', async () => {
    const file = workbookOf({ A: table }, { texts, styles, more: '<workbookPr date1904="1"/>' })
    expect((await preview(file, options('a.xlsx'))).rows[0]?.[0]).toBe('2030-10-02')
  })

  it('is read by its sheet: the first visible one that is not empty, or the chosen one', async () => {
    const rows = (text: string) =>
      textRowsXml([
        ['id', 'message'],
        ['1', text],
      ])
    const file = workbookOf(
      { Cover: '', Secret: rows('hidden'), Web: rows('from the web'), App: rows('from the app') },
      { hidden: ['Secret'] },
    )
    const seen = await preview(file, options('a.xlsx'))
    expect(seen).toMatchObject({ sheets: ['Cover', 'Web', 'App'], sheet: 'Web' })
    expect((await readAll(file, 'a.xlsx')).texts).toEqual(['from the web'])
    expect((await readAll(file, 'a.xlsx', { sheet: 'App' })).texts).toEqual(['from the app'])
    await expect(readAll(file, 'a.xlsx', { sheet: 'Secret' })).rejects.toThrow('has no sheet "Secret"')
    await expect(readAll(file, 'a.xlsx', { sheet: 'Cover' })).rejects.toThrow('empty')
  })

  it('is recognised under any name, and no other file is one', async () => {
    const file = workbookOf({
      A: textRowsXml([
        ['id', 'message'],
        ['1', 'It fails'],
      ]),
    })
    expect((await readAll(file, 'feedback.csv')).texts).toEqual(['It fails'])
    await expect(readAll('id,text\n1,It fails', 'a.xlsx', { format: 'xlsx' })).rejects.toThrow('not an Excel workbook')
  })

  it('with names of a namespace, and without places of rows and cells, is read too', async () => {
    const row = (...cells: string[]) =>
      `<x:row>${cells.map((one) => `<x:c t="inlineStr"><x:is><x:t>${one}</x:t></x:is></x:c>`).join('')}</x:row>`
    const file = workbookOf({ A: row('id', 'message') + row('1', 'It fails') })
    expect((await readAll(file, 'a.xlsx')).texts).toEqual(['It fails'])
  })

  it('of many rows is read in pieces, by position, and gives the same twice', async () => {
    const rows = Array.from({ length: 4_000 }, (_, at) => [`r${at}`, `It fails again (${at})`])
    const file = inMemory(workbookOf({ A: textRowsXml([['id', 'message'], ...rows]) }))
    const ids: string[][] = []
    for (const _ of [1, 2]) {
      const pages = []
      for await (const page of read(file, options('a.xlsx'), importedAt)) pages.push(page)
      expect(pages.length).toBeGreaterThan(3)
      expect(pages.every(({ bytes }) => bytes > 0 && bytes <= file.size)).toBe(true)
      ids.push(pages.flatMap(({ items }) => items.map(({ externalId }) => externalId)))
    }
    expect(ids[0]).toEqual(rows.map(([id]) => id))
    expect(ids[1]).toEqual(ids[0])
  })

  it.each([
    [
      'a word document',
      zipOf({ '[Content_Types].xml': '<Types/>', 'word/document.xml': '<w/>' }),
      /document without sheets/,
    ],
    ['a workbook without rows', workbookOf({ A: '' }), /empty/],
    ['a workbook that is cut off', workbookOf({ A: table }, { texts, styles }).subarray(0, 900), /incomplete/],
    ['a workbook nested without end', workbookOf({ A: '<a>'.repeat(1_000) }), /damaged/],
    [
      'a workbook with rows out of order',
      workbookOf({ A: '<row r="5"><c><v>1</v></c></row><row r="2"><c><v>1</v></c></row>' }),
      /out of order/,
    ],
  ])('that is none, or is damaged, is refused with what to do: %s', async (_, file, reason) => {
    await expect(readAll(file, 'a.xlsx')).rejects.toThrow(reason)
  })
})
