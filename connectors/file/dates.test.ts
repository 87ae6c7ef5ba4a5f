import { describe, expect, it } from 'vitest'
import { parseDate } from './dates.ts'

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
    ['1775037600', '2026-04-01T10:00:00.000Z'],
    ['1775037600.123', '2026-04-01T10:00:00.123Z'],
    ['1775037600000', '2026-04-01T10:00:00.000Z'],
    ['Wed, 01 Apr 2026 10:00:00 GMT', '2026-04-01T10:00:00.000Z'],
    ['Wed, 01 Apr 2026 10:00:00 +0200', '2026-04-01T08:00:00.000Z'],
    ['Apr 1, 2026 10:00', '2026-04-01T10:00:00.000Z'],
    ['1 April 2026', '2026-04-01T00:00:00.000Z'],
    ['  2026-04-01  ', '2026-04-01T00:00:00.000Z'],
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
    '4/1/26',
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

  it('puts the day first when told to, and with dots always', () => {
    expect(parseDate('03/04/2026', false)?.getUTCMonth()).toBe(2)
    expect(parseDate('03/04/2026', true)?.getUTCMonth()).toBe(3)
    expect(parseDate('03.04.2026', false)?.getUTCMonth()).toBe(3)
  })

  it('means the same in every time zone', () => {
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
