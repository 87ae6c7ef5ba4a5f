import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDate, readDate } from './dates.ts'

describe('a date without a time', () => {
  it.each([
    '2026-10-04',
    '2026-10-04Z',
    '2026-10-04-10:00',
    '20261004',
    '04.10.2026',
    '10/4/26',
    '4-OCT-2026',
    'Sonntag, 4. Oktober 2026',
    'Sun Oct 04 CEST 2026',
    '2026. 10. 4.',
    '2026-10-04 Europe/Berlin',
    '46299',
  ])('%s is a day, the same one in every zone', (text) => {
    expect(readDate(text, false)).toEqual({ at: new Date('2026-10-04T00:00:00Z'), dateOnly: true })
  })

  it.each([
    '2026-10-04T00:00:00Z',
    '2026-10-04 00:00',
    '20261004T000000Z',
    '10/4/2026 12:00 AM',
    '4. Oktober 2026 um 00:00:00 UTC',
    '46299,0',
    '1791072000',
  ])('%s is a moment', (text) => {
    expect(readDate(text, false)).toEqual({ at: new Date('2026-10-04T00:00:00Z'), dateOnly: false })
  })
})

describe('parseDate', () => {
  it.each([
    ['2026-04-01', '2026-04-01T00:00:00.000Z'],
    ['2026-4-1', '2026-04-01T00:00:00.000Z'],
    ['2026-04-01T10:20', '2026-04-01T10:20:00.000Z'],
    ['2026-04-01 10:20:30', '2026-04-01T10:20:30.000Z'],
    ['2026-04-01T10:20:30.123456Z', '2026-04-01T10:20:30.123Z'],
    ['2026-04-01T10:20:30.5+02:00', '2026-04-01T08:20:30.500Z'],
    ['2026-04-01 10:20:30 -0530', '2026-04-01T15:50:30.000Z'],
    ['2026-04-01 10:20:30 UTC', '2026-04-01T10:20:30.000Z'],
    ['01.04.2026', '2026-04-01T00:00:00.000Z'],
    ['1.4.2026 09:05', '2026-04-01T09:05:00.000Z'],
    ['4/1/2026 3:07 PM', '2026-04-01T15:07:00.000Z'],
    ['4/1/2026, 12:00:01 AM', '2026-04-01T00:00:01.000Z'],
    ['04-01-2026', '2026-04-01T00:00:00.000Z'],
    ['Apr 1, 2026 9 PM', '2026-04-01T21:00:00.000Z'],
    ['2026/04/01 1:28:19 nachm. MESZ', '2026-04-01T11:28:19.000Z'],
    ['01.04.2026, 09:15 vorm.', '2026-04-01T09:15:00.000Z'],
    ['2026/04/01 1:28:19 da tarde WET', '2026-04-01T13:28:19.000Z'],
    ['1 de abril de 2026, 9:15 hrs', '2026-04-01T09:15:00.000Z'],
    ['1 de abril de 2026, 9:15 horas', '2026-04-01T09:15:00.000Z'],
    ['2026-04-01t10:20:30z', '2026-04-01T10:20:30.000Z'],
    ['2026-04-01t10:20:30.5+02:00', '2026-04-01T08:20:30.500Z'],
    ['2026-04-01 10:20 Europe/Berlin', '2026-04-01T08:20:00.000Z'],
    ['2026-01-01T10:20:30[Europe/Berlin]', '2026-01-01T09:20:30.000Z'],
    ['2026-04-01T10:20:30+02:00[Europe/Berlin]', '2026-04-01T08:20:30.000Z'],
    ['4/1/2026 3:07 PM (America/Argentina/Buenos_Aires)', '2026-04-01T18:07:00.000Z'],
    ['2026-03-29 01:30 Europe/Berlin', '2026-03-29T00:30:00.000Z'],
    ['2026-03-29 03:30 Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['02-NOV-12 09:15', '2012-11-02T09:15:00.000Z'],
    ['02-NOV-26 09.15.22.000000 AM', '2026-11-02T09:15:22.000Z'],
    ['02-NOV-26 09.15.22.123456789 PM +02:00', '2026-11-02T19:15:22.123Z'],
    ['02-NOV-26 21.15.22.000000 EUROPE/BERLIN', '2026-11-02T20:15:22.000Z'],
    ['2026. 11. 2. 오후 3:05', '2026-11-02T15:05:00.000Z'],
    ['2026. 11. 2. 오전 9:05:30', '2026-11-02T09:05:30.000Z'],
    ['1775037600', '2026-04-01T10:00:00.000Z'],
    ['1775037600.123', '2026-04-01T10:00:00.123Z'],
    ['1775037600000', '2026-04-01T10:00:00.000Z'],
    ['Wed, 01 Apr 2026 10:00:00 GMT', '2026-04-01T10:00:00.000Z'],
    ['Wed, 01 Apr 2026 10:00:00 +0200', '2026-04-01T08:00:00.000Z'],
    ['Apr 1, 2026 10:00', '2026-04-01T10:00:00.000Z'],
    ['1 April 2026', '2026-04-01T00:00:00.000Z'],
    ['  2026-04-01  ', '2026-04-01T00:00:00.000Z'],
    ['2026-04-01T10:20:30.000+0000', '2026-04-01T10:20:30.000Z'],
    ['2026-04-01T10:20-08', '2026-04-01T18:20:00.000Z'],
    ['2026-04-01Z', '2026-04-01T00:00:00.000Z'],
    ['2026/11/03 16:05', '2026-11-03T16:05:00.000Z'],
    ['2026.11.03', '2026-11-03T00:00:00.000Z'],
    ['20261103', '2026-11-03T00:00:00.000Z'],
    ['20261103T160509Z', '2026-11-03T16:05:09.000Z'],
    ['4/1/26', '2026-04-01T00:00:00.000Z'],
    ['11/3/26 16:05', '2026-11-03T16:05:00.000Z'],
    ['1.4.98', '1998-04-01T00:00:00.000Z'],
    ['1775037600000000', '2026-04-01T10:00:00.000Z'],
    ['Nov 3, 2026 4:05 PM', '2026-11-03T16:05:00.000Z'],
    ['Nov 3, 2026, 4:05\u202fPM', '2026-11-03T16:05:00.000Z'],
    ['November 3rd, 2026 at 4:05 p.m.', '2026-11-03T16:05:00.000Z'],
    ['Sept. 3, 2026', '2026-09-03T00:00:00.000Z'],
    ['Tuesday, November 3, 2026', '2026-11-03T00:00:00.000Z'],
    ['3-Nov-26', '2026-11-03T00:00:00.000Z'],
    ['3. Nov. 2026', '2026-11-03T00:00:00.000Z'],
    ['2026 Nov 3', '2026-11-03T00:00:00.000Z'],
    ['Tue, 3 Nov 2026 16:05:09 EST', '2026-11-03T21:05:09.000Z'],
    ['2026-11-03 04:05 PM PST', '2026-11-04T00:05:00.000Z'],
    ['Tue Nov 03 2026 16:05:09 GMT+0100 (CET)', '2026-11-03T15:05:09.000Z'],
    ['Tue Nov 03 16:05:09 +0100 2026', '2026-11-03T15:05:09.000Z'],
    ['Tue Nov  3 16:05:09 2026', '2026-11-03T16:05:09.000Z'],
    // Google Forms: the zone of the form as an offset or an abbreviation.
    ['2026/10/04 1:28:19 PM GMT+5:30', '2026-10-04T07:58:19.000Z'],
    ['2026/10/05 9:12:00 AM GMT+2', '2026-10-05T07:12:00.000Z'],
    ['2026/10/06 8:00:01 AM GMT-3', '2026-10-06T11:00:01.000Z'],
    ['2026/10/06 8:00:01 AM AST', '2026-10-06T12:00:01.000Z'],
    ['2026/10/06 8:00:01 AM NPT', '2026-10-06T02:15:01.000Z'],
    ['2026-10-04 10:00 +5:30', '2026-10-04T04:30:00.000Z'],
    ['2026-10-04 10:00 +530', '2026-10-04T04:30:00.000Z'],
    ['2026-10-04 10:00+2', '2026-10-04T08:00:00.000Z'],
    ['2026-10-04 10:00 UTC\u22123', '2026-10-04T13:00:00.000Z'],
    ['2026-11-03+02:00', '2026-11-03T00:00:00.000Z'],
    ['2026-11-02T17:45:00+01:00[Europe/Berlin]', '2026-11-02T16:45:00.000Z'],
    ['Mon Nov 02 17:45:00 IST 2026', '2026-11-02T12:15:00.000Z'],
    ['3-NOV-26', '2026-11-03T00:00:00.000Z'],
    // Jira.
    ['14/Jul/25 3:42 PM', '2025-07-14T15:42:00.000Z'],
    // Days as spreadsheets count them.
    ['46296', '2026-10-01T00:00:00.000Z'],
    ['46297,5', '2026-10-02T12:00:00.000Z'],
    ['46298.25', '2026-10-03T06:00:00.000Z'],
    ['46296.4236111111', '2026-10-01T10:10:00.000Z'],
    // The names of five languages, as Nextcloud Forms and others write them.
    ['Montag, 2. November 2026 um 17:45:00 Mitteleuropäische Normalzeit', '2026-11-02T16:45:00.000Z'],
    ['Freitag, 26. Juni 2026 um 13:39:50 Mitteleuropäische Sommerzeit', '2026-06-26T11:39:50.000Z'],
    ['Fr., 2. Okt. 2026, 17.45 Uhr', '2026-10-02T17:45:00.000Z'],
    ['02.11.2026 17:45 Uhr', '2026-11-02T17:45:00.000Z'],
    ['Monday, November 2, 2026 at 5:45:00 PM Central European Standard Time', '2026-11-02T16:45:00.000Z'],
    ['lundi 2 novembre 2026 à 17:45:00 heure normale d’Europe centrale', '2026-11-02T16:45:00.000Z'],
    ['mar. 3 nov. 2026 17:45', '2026-11-03T17:45:00.000Z'],
    ['mar. 3 mars 2026', '2026-03-03T00:00:00.000Z'],
    ['1er août 2026 à 17 h 45', '2026-08-01T17:45:00.000Z'],
    ['1 aout 2026 à 17h45', '2026-08-01T17:45:00.000Z'],
    ['lunes, 2 de noviembre de 2026, 17:45:00 (hora estándar de Europa central)', '2026-11-02T16:45:00.000Z'],
    ['2 ene 2026, 5:45 p. m.', '2026-01-02T17:45:00.000Z'],
    ['02/11/2026 a las 17:45', '2026-02-11T17:45:00.000Z'],
    ['segunda-feira, 2 de novembro de 2026 às 17:45:00 Horário Padrão de Brasília', '2026-11-02T20:45:00.000Z'],
    ['2 de dez. de 2026', '2026-12-02T00:00:00.000Z'],
  ])('reads %s', (text, expected) => {
    expect(parseDate(text, false)?.toISOString()).toBe(expected)
  })

  it.each([
    '',
    'yesterday',
    '2026',
    '2026-13-01',
    '2026-02-30',
    '2026-04-01T25:00',
    '2026-04-01T10:61',
    '31/31/2026',
    '13/13/2026',
    '26-11-03',
    '13/32/26',
    'May 5 people 2026',
    'Call me May 3 2026',
    'Nov 2026',
    '3 Nov',
    '555-123-4567',
    '192.168.1.1',
    '1.2.3',
    '2026-11-03 to 2026-11-04',
    '2026-11-03 16:05 XYZ',
    '2026-11-03 16:05 +15:00',
    '2026-11-03 16:05 +02:75',
    '3 mai juin 2026',
    '12 Uhr',
    '25568',
    '73051',
    '46296,',
    '2026-11-03 16:05 13:00',
    '20261303',
    '20261103T256000Z',
    'Nov 31, 2026',
    `Nov 3, 2026 ${'x'.repeat(60)}`,
    '1.4.2026 13:00 PM',
    '12345',
    '99999999999999',
    '1850-01-01',
    '9999-01-01',
    'May',
    'Maybe 5',
    'NaN',
    '-1775037600',
  ])('does not read %j', (text) => {
    expect(parseDate(text, false)).toBeNull()
  })

  it.each([
    ['2026年10月1日', '2026-10-01T00:00:00.000Z'],
    ['2026年10月1日(木) 15:05', '2026-10-01T15:05:00.000Z'],
    ['2026年10月1日 午後3時05分', '2026-10-01T15:05:00.000Z'],
    ['2026年10月1日 星期四 下午3:05:09', '2026-10-01T15:05:09.000Z'],
    ['2026년 10월 1일 오전 12:05', '2026-10-01T00:05:00.000Z'],
    ['2026년 10월 1일 15시 5분 GMT+9', '2026-10-01T06:05:00.000Z'],
  ])('reads the dates of East Asia: %s', (text, iso) => {
    expect(parseDate(text, false)?.toISOString()).toBe(iso)
  })

  it.each(['2026年13月1日', '2026年2月30日', '10月1日'])('reads no date in %s', (text) => {
    expect(parseDate(text, false)).toBeNull()
  })

  it('takes what ambiguous abbreviations mean', () => {
    const read = (text: string) => parseDate(text, false, { IST: 120, CST: 480 })?.toISOString()
    expect(read('2026/10/06 8:00:01 AM IST')).toBe('2026-10-06T06:00:01.000Z')
    expect(read('2026-10-06 08:00 CST')).toBe('2026-10-06T00:00:00.000Z')
    expect(read('2026-10-06 08:00 CET')).toBe('2026-10-06T07:00:00.000Z')
  })

  it('reads every day as the formats of five languages write it', () => {
    const styles = ['full', 'long', 'medium'] as const
    for (const language of ['en', 'en-GB', 'de', 'de-AT', 'fr', 'fr-CA', 'es', 'es-MX', 'pt', 'pt-PT']) {
      for (const dateStyle of styles) {
        const format = new Intl.DateTimeFormat(language, { dateStyle, timeStyle: 'short', timeZone: 'UTC' })
        const wrong = Array.from({ length: 366 }, (_, at) => new Date(Date.UTC(2026, 0, 1 + at, 17, 45)))
          .map((date) => [format.format(date), date.toISOString()] as const)
          .filter(([text, date]) => parseDate(text, language !== 'en')?.toISOString() !== date)
        expect(wrong).toEqual([])
      }
    }
  })

  it('puts the day first on request, and always with dots', () => {
    expect(parseDate('03/04/2026', false)?.getUTCMonth()).toBe(2)
    expect(parseDate('03/04/2026', true)?.getUTCMonth()).toBe(3)
    expect(parseDate('03.04.2026', false)?.getUTCMonth()).toBe(3)
  })

  it('is the same in every time zone', () => {
    const zone = process.env.TZ
    const read = (tz: string) => {
      process.env.TZ = tz
      return ['2026-04-01 10:00', '4/1/2026', 'Apr 1, 2026 10:00'].map((text) => parseDate(text, false)?.getTime())
    }
    const results = ['UTC', 'America/New_York', 'Asia/Tokyo'].map(read)
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
    expect(results[1]).toEqual(results[0])
    expect(results[2]).toEqual(results[0])
  })
})

describe('every time of the years 1990 to 2100', () => {
  const moment = fc.integer({ min: Date.UTC(1990, 0, 1) / 1000, max: Date.UTC(2100, 0, 1) / 1000 })
  const pad = (value: number) => String(value).padStart(2, '0')
  const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
  const time = (date: Date) => `${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}:${pad(date.getUTCSeconds())}`
  const half = (date: Date) =>
    `${date.getUTCHours() % 12 || 12}:${pad(date.getUTCMinutes())}:${pad(date.getUTCSeconds())} ${date.getUTCHours() < 12 ? 'AM' : 'PM'}`
  const ways: Record<string, (date: Date) => string> = {
    'as ISO 8601': (date) => date.toISOString(),
    'as RFC 2822': (date) => date.toUTCString().replace('GMT', '+0000'),
    'as the browser prints it': (date) => date.toUTCString(),
    'in a locale of America': (date) =>
      date.toLocaleString('en-US', { timeZone: 'UTC', dateStyle: 'medium', timeStyle: 'medium' }),
    'with slashes, month first': (date) =>
      `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()} ${half(date)}`,
    'with dots': (date) => `${date.getUTCDate()}.${date.getUTCMonth() + 1}.${date.getUTCFullYear()} ${time(date)}`,
    'with the month’s name': (date) =>
      `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()} ${time(date)}`,
    'as seconds': (date) => String(date.getTime() / 1000),
    'as milliseconds': (date) => String(date.getTime()),
  }

  it.each(Object.keys(ways))('is read %s', (way) => {
    fc.assert(
      fc.property(moment, (seconds) => {
        const date = new Date(seconds * 1000)
        expect(parseDate(ways[way]?.(date) ?? '', false)?.toISOString()).toBe(date.toISOString())
      }),
    )
  })

  it('is the same with the day first', () => {
    fc.assert(
      fc.property(moment, (seconds) => {
        const date = new Date(seconds * 1000)
        const text = `${pad(date.getUTCDate())}/${pad(date.getUTCMonth() + 1)}/${date.getUTCFullYear()} ${time(date)}`
        expect(parseDate(text, true)?.toISOString()).toBe(date.toISOString())
      }),
    )
  })
})

it('no text throws, and none is parsed as an impossible date', () => {
  const unit = fc.constantFrom('0', '1', '2', '9', '/', '-', '.', ':', ' ', 'T', 'Z', '+', 'a', 'p', 'm', 'Nov', 'GMT')
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 24 }), fc.boolean(), (text, dayFirst) => {
      const date = parseDate(text, dayFirst)
      expect(date === null || (date.getUTCFullYear() >= 1970 && date.getUTCFullYear() <= 2100)).toBe(true)
    }),
    { numRuns: 2000 },
  )
})
