import { describe, expect, it } from 'vitest'
import { preview } from '../preview.ts'
import { importedAt, options, readAll } from '../testing.ts'

const said = ['The invoice is empty', 'Please add a dark theme', 'Sync takes minutes', 'No sound in voice messages']
const csv = (name: string, dates: readonly string[]) =>
  [`${name};Was stört Sie am meisten?`, ...dates.map((date, at) => `"${date}";${said[at]}`)].join('\n')
const seen = (text: string, more = {}) => preview(Buffer.from(text), options('a.csv', more))
const datesOf = async (text: string, more = {}) =>
  (await readAll(text, 'a.csv', more)).items.map(({ at, dateKnown }) => (dateKnown === false ? null : at.toISOString()))

describe('a column of dates', () => {
  it.each([
    [
      'Google Forms',
      'Timestamp',
      ['2026/10/04 1:28:19 PM GMT+5:30', '2026/10/05 9:12:00 AM GMT+2', '2026/10/06 8:00:01 AM GMT-3'],
    ],
    [
      'Nextcloud Forms',
      'Zeitstempel',
      [
        'Montag, 2. November 2026 um 13:39:50 Mitteleuropäische Normalzeit',
        'Freitag, 6. November 2026 um 08:02:11 Mitteleuropäische Normalzeit',
        'Montag, 9. März 2026 um 17:45:00 Mitteleuropäische Normalzeit',
      ],
    ],
    ['Jira', 'Erstellt', ['14/Jul/25 3:42 PM', '15/Jul/25 9:10 AM', '16/Jul/25 10:00 AM']],
    ['Excel', 'Date', ['46296', '46297,5', '46298,25']],
    ['Excel, in German', 'Datum', ['46296', '46297,5', '46298,25']],
  ])('is found, and the text is the answers: %s', async (_, name, dates) => {
    const text = csv(name, dates)
    expect((await seen(text)).mapping).toEqual({ text: 'Was stört Sie am meisten?', date: name })
    expect(await datesOf(text)).not.toContain(null)
    expect((await readAll(text)).texts).toEqual(said.slice(0, 3))
  })

  it('of days as spreadsheets count them is one of dates by its name and all of its cells only', async () => {
    const days = ['46296', '46297,5', '46298', '46299']
    expect((await seen(csv('Umsatz', days))).mapping.date).toBeUndefined()
    expect((await seen(csv('Submitted on', days))).mapping.date).toBe('Submitted on')
    expect((await seen(csv('Submitted on', [...days.slice(0, 3), '7']))).mapping.date).toBeUndefined()
  })

  it('keeps the rows whose dates cannot be read, and a preview says so', async () => {
    const text = csv('Date', ['2026-10-01', 'soon', '', 'soon'])
    expect((await seen(text)).undated).toEqual({ rows: 2, samples: ['soon'], why: null })
    expect(await datesOf(text)).toEqual(['2026-10-01T00:00:00.000Z', null, null, null])
    const { items, problems } = await readAll(text)
    expect(problems).toEqual([])
    expect(items[1]).toMatchObject({ at: importedAt, dateKnown: false })
  })
})

describe('an abbreviation that several zones share', () => {
  const text = csv('Timestamp', ['2026/10/04 1:00:00 PM IST', '2026/10/04 1:00:00 PM AST', '2026/10/04 1:00:00 PM CET'])

  it('is shown with what is assumed', async () => {
    const { zones } = await seen(text)
    expect(zones.map(({ name, offset, places }) => [name, offset, places[0]?.offset])).toEqual([
      ['IST', 330, 330],
      ['AST', -240, -240],
    ])
    expect(zones[0]?.places.map(({ place }) => place)).toEqual(['India', 'Israel', 'Ireland, summer'])
    expect(await datesOf(text)).toEqual([
      '2026-10-04T07:30:00.000Z',
      '2026-10-04T17:00:00.000Z',
      '2026-10-04T12:00:00.000Z',
    ])
  })

  it('can be changed', async () => {
    const zones = { IST: 120, AST: 180 }
    expect((await seen(text, { zones })).zones.map(({ offset }) => offset)).toEqual([120, 180])
    expect(await datesOf(text, { zones })).toEqual([
      '2026-10-04T11:00:00.000Z',
      '2026-10-04T10:00:00.000Z',
      '2026-10-04T12:00:00.000Z',
    ])
  })

  it('is none where the dates have none', async () => {
    expect((await seen(csv('Date', ['2026-10-01', '2026-10-02']))).zones).toEqual([])
  })
})
