import { describe, expect, it } from 'vitest'
import { preview } from './preview.ts'
import { options, readAll } from './testing.ts'

/** As SurveyMonkey writes it: the kinds of answers below the questions, and the options of one question in columns without a name. */
const header =
  'Respondent ID,Collector ID,Date Created,IP Address,First Name,How likely are you to recommend us?,What should we fix?,Which do you use?,,'
const kinds = ',,,,,Response,Open-Ended Response,Web,iOS,Other (please specify)'
const answers = [
  '118000000001,43,09/14/2026 08:11:02 AM,192.0.2.1,Bo,3,Search does not find orders,Web,,',
  '118000000002,43,09/14/2026 09:00:00 AM,192.0.2.2,,9,Orders are not found by number,Web,iOS,',
  '118000000003,43,09/15/2026 11:00:00 AM,192.0.2.3,,7,I never find my orders,,iOS,Kiosk',
]
const said = ['Search does not find orders', 'Orders are not found by number', 'I never find my orders']
const seen = (lines: readonly string[]) => preview(Buffer.from(lines.join('\n')), options('a.csv'))

describe('a second header', () => {
  it.each([
    ['of an English survey', kinds],
    ['of a survey in another language', ',,,,,Antwort,Freitextantwort,Web,iOS,Sonstiges'],
  ])('is no message, and names the columns that have no name: %s', async (_, second) => {
    const { columns, mapping } = await seen([header, second, ...answers])
    expect(columns.slice(7)).toEqual([
      'Which do you use?',
      'Which do you use? – iOS',
      `Which do you use? – ${second.split(',')[9]}`,
    ])
    expect(mapping).toMatchObject({ text: 'What should we fix?', date: 'Date Created' })
    const { texts, problems, lines } = await readAll([header, second, ...answers].join('\n'))
    expect([texts, problems, lines]).toEqual([said, [], [3, 4, 5]])
  })

  it('is recognised above a single answer', async () => {
    expect((await readAll([header, kinds, ...answers.slice(0, 1)].join('\n'))).texts).toEqual(said.slice(0, 1))
  })

  it('repeats names where the answers have dates and numbers', async () => {
    const rows = [
      'StartDate,Score,Q1',
      'Start Date,How satisfied are you,What should we fix',
      ...said.map((text, at) => `2026-10-0${at + 1},${at + 3},${text}`),
    ]
    expect((await readAll(rows.join('\n'))).texts).toEqual(said)
  })

  it('is no answer that lacks a few cells', async () => {
    const rows = [
      'id,date,author,plan,text',
      ',,,,Search does not find orders',
      ...said.map((text, at) => `${at},2026-10-0${at + 1},,pro,${text}`),
    ]
    expect((await readAll(rows.join('\n'))).texts).toEqual(['Search does not find orders', ...said])
    const few = ['id,date,text', ',,Search is slow', ...said.map((text, at) => `${at},2026-10-0${at + 1},${text}`)]
    expect((await readAll(few.join('\n'))).texts).toEqual(['Search is slow', ...said])
  })
})

describe('a test answer', () => {
  it.each([
    ['Status', 'IP Address', 'Survey Preview'],
    ['Status', 'IP Address', 'Survey Test'],
    ['DistributionChannel', 'anonymous', 'preview'],
    ['Is Test Data', '0', '1'],
  ])('is left out and reported: %s', async (column, real, test) => {
    const rows = [
      `ResponseId,${column},Q1`,
      `R_1,${test},asdf just trying`,
      ...said.map((text, at) => `R_${at + 2},${real},${text}`),
    ]
    const { texts, problems } = await readAll(rows.join('\n'))
    expect(texts).toEqual(said)
    expect(problems).toEqual([{ line: 2, reason: 'The row is a test answer, given when the survey was tried out' }])
  })

  it('is not every row with such a word', async () => {
    const rows = ['id,status,text', ...said.map((text, at) => `${at},${['preview', 'test', 'open'][at]},${text}`)]
    expect((await readAll(rows.join('\n'))).texts).toEqual(said)
  })
})
