import { describe, expect, it } from 'vitest'
import { looksLikeHeader, rowsAbove, rowsBelow, usualWidth } from './header.ts'
import { preview } from './preview.ts'
import { options, readAll } from './testing.ts'

const rows = (text: string, separator = ',') => text.split('\n').map((line) => line.split(separator))
const look = (text: string, more = {}) => preview(Buffer.from(text), options('a.csv', more))

describe('the first row is a header', () => {
  it.each([
    [
      'one name is a sentence',
      'id,"text",Would you say, in your own words why? (max. 500 characters!),date\n1,x,y,z,2026-01-01\n2,x,y,z,2026-01-02',
    ],
    ['one name is a number', 'id,text,2024\n1,hello there,7\n2,good morning,9\n3,so long,4'],
    ['one name is empty', 'id,,text\n1,a,hello there\n2,b,good morning'],
    ['two names are the same', 'Comment,Comment,Created\nslow app,bad scan,2026-01-01\nno sync,,2026-01-02'],
    [
      'one name has many words',
      'Number of times the customer has called us,what they said\n3,the scan fails\n4,the sync fails',
    ],
    ['one name comes again below', 'id,text,state,date\n1,it is slow,state,2026-01-01\n2,it is late,open,2026-01-02'],
    ['names are in another language', '番号,内容,日付\n1,アプリが遅い,2026-01-01\n2,同期できない,2026-01-02'],
    [
      'some dates are words',
      'Opinion,Posted\nThe queue is long,2026-10-04 1:28:19 AM AST\nIt is too long,2026-10-05 1:28:19 PM IST\nDoors are loud,when I was there',
    ],
    ['only the types differ', 'Wert;Zeitpunkt\n3,5;01.02.2026\n4,5;02.02.2026'],
    [
      'questions stand over answers',
      'Timestamp,What do you like?,What is missing?\n1/2/2026 10:00:00,the scan,a dark theme\n1/3/2026 11:00:00,the price,exports',
    ],
    [
      'columns have the same few values',
      `Zone,Art,Beschwerde\n${Array.from({ length: 20 }, (_, at) => `${at % 2 ? 'Nord' : 'Ost'},${at % 3 ? 'alt' : 'neu'},die App ist zu langsam ${at}`).join('\n')}`,
    ],
  ])('although %s', (_, text) => {
    expect(looksLikeHeader(rows(text, text.startsWith('Wert') ? ';' : ','))).toBe(true)
  })
})

describe('the first row is no header', () => {
  it.each([
    ['all rows are alike', 'The scan fails,bug\nThe sync fails,bug\nA dark theme,wish'],
    [
      'its cells have the types of those below',
      '1,2026-01-01,a@example.com,too slow\n2,2026-01-02,b@example.com,too dear',
    ],
    ['one lucky cell differs', 'n/a,2026-01-01,3\n7,2026-01-02,4\n8,2026-01-03,5\n9,2026-01-04,6'],
    [
      'it is a message with a label',
      'The export of large reports fails,n/a\nThe scan of receipts fails always,3\nI want a dark theme for it,4',
    ],
    ['it asks what others ask', 'How do I pay?,card\nWhere is my card?,card\nWhy is it late?,post'],
    ['its label comes again', 'text my wife,text\nsend a text,text'],
  ])('where %s', (_, text) => {
    expect(looksLikeHeader(rows(text))).toBe(false)
  })

  it('of nothing, and of one row alone', () => {
    expect(looksLikeHeader([])).toBe(false)
    expect(looksLikeHeader([['The scan fails', 'bug']])).toBe(false)
    expect(looksLikeHeader([['', '']])).toBe(false)
  })
})

describe('the switch', () => {
  const unsure = 'alpha,beta\ngamma,delta\nepsilon,zeta'

  it('makes any first line a header, or data', async () => {
    expect(await look(unsure)).toMatchObject({ header: false, columns: ['1', '2'] })
    expect(await look(unsure, { header: true })).toMatchObject({ header: true, columns: ['alpha', 'beta'] })
    const named = 'id,text\n1,one message\n2,another one'
    expect(await look(named)).toMatchObject({ header: true })
    const off = await look(named, { header: false })
    expect(off).toMatchObject({ header: false, columns: ['1', '2'], mapping: { text: '2' } })
    expect(off.rows[0]).toEqual(['id', 'text'])
  })

  it('applies to the import and the preview', async () => {
    expect((await readAll(unsure, 'a.csv', { header: true })).items).toHaveLength(2)
    expect((await readAll(unsure, 'a.csv', { header: false })).items).toHaveLength(3)
    expect((await readAll('text\none', 'a.csv', { header: false })).texts).toEqual(['text', 'one'])
  })
})

describe('rows around a header', () => {
  const report = [
    'Feedback report',
    'Made on 2026-11-01 by Sam',
    '',
    'Ticket ID;Created at;Message;Customer',
    '7;01.11.2026;zu langsam;Ann',
    '8;13.11.2026;zu teuer;Bo',
    '9;14.11.2026;zu bunt;Cy',
  ].join('\r\n')

  it('above it are skipped and counted', async () => {
    const seen = await look(report)
    expect(seen).toMatchObject({
      header: true,
      skippedRows: 2,
      columns: ['Ticket ID', 'Created at', 'Message', 'Customer'],
      problems: [],
    })
    expect((await readAll(report)).items.map(({ externalId, text }) => [externalId, text])).toEqual([
      ['7', 'zu langsam'],
      ['8', 'zu teuer'],
      ['9', 'zu bunt'],
    ])
  })

  it('above it are skipped where a spreadsheet padded them with separators', async () => {
    const filled = 'Feedback report,,,\n,,,\nid,date,text,author\n1,2026-01-01,too slow,Ann\n2,2026-01-02,too dear,Bo'
    expect(await look(filled)).toMatchObject({ header: true, columns: ['id', 'date', 'text', 'author'] })
    expect((await readAll(filled)).texts).toEqual(['too slow', 'too dear'])
  })

  it('are data where the header is uncertain, or the switch is off', async () => {
    expect(rowsAbove(rows('hello\nanother\na,b,c\nd,e,f'))).toBe(0)
    expect(rowsAbove([])).toBe(0)
    expect((await look(report, { header: false })).skippedRows).toBe(0)
  })

  it('below it may be the questions and ids of a survey tool', async () => {
    const survey = [
      'StartDate,ResponseId,Q1',
      'Start Date,Response ID,What should we change?',
      '"{""ImportId"":""startDate""}","{""ImportId"":""_recordId""}","{""ImportId"":""QID1""}"',
      '2026-10-01 10:00:00,R_1a2b3c4d,the scan is slow',
      '2026-10-02 10:00:00,R_2b3c4d5e,the sync is slow',
    ].join('\n')
    const { items, problems } = await readAll(survey)
    expect(problems).toEqual([])
    expect(items.map(({ text }) => text)).toEqual(['the scan is slow', 'the sync is slow'])
    expect(rowsBelow(rows('a\nb')).count).toBe(0)
  })

  it('may name the separator, as Excel writes it', async () => {
    for (const separator of [';', ',', '|', '\t']) {
      const text = [
        `sep=${separator}`,
        ['id', 'text'].join(separator),
        ['1', 'a, b'].map((c) => `"${c}"`).join(separator),
      ]
      const { columns, rows: shown } = await look(text.join('\r\n'))
      expect(columns).toEqual(['id', 'text'])
      expect(shown).toEqual([['1', 'a, b']])
      expect((await readAll(text.join('\r\n'))).texts).toEqual(['a, b'])
    }
    expect((await readAll('sep=;\nhello;you\nbye;me', 'a.csv', { header: false })).items).toHaveLength(2)
  })

  it('may have a name of several lines', async () => {
    const { columns, rows: shown } = await look(
      'id,"What do you\r\nthink of it?",date\r\n1,"good\r\nindeed",2026-01-01\r\n',
    )
    expect(columns).toEqual(['id', 'What do you think of it?', 'date'])
    expect(shown).toEqual([['1', 'good\nindeed', '2026-01-01']])
  })
})

it('the usual width is that of most rows', () => {
  expect(usualWidth([['a'], ['a', 'b'], ['c', 'd']])).toBe(2)
  expect(usualWidth([])).toBe(0)
})
