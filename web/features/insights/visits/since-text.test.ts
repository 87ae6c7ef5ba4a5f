import { expect, test } from 'vitest'
import { sinceText } from './since-text.ts'

const now = new Date(2026, 2, 5, 8, 0)
const at = (day: number, hour: number) => new Date(2026, 2, day, hour, 30).toISOString()
const clock = (iso: string) => new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }).format(new Date(iso))

test('the last visit in words, by the calendar and not by hours', () => {
  expect(sinceText(at(5, 0), now)).toEqual([null, clock(at(5, 0))])
  expect(sinceText(at(4, 23), now)).toEqual(['yesterday', clock(at(4, 23))])
  expect(sinceText(at(4, 0), now)).toEqual(['yesterday', clock(at(4, 0))])
  const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'long' })
  expect(sinceText(at(3, 12), now)).toEqual([weekday.format(new Date(at(3, 12))), clock(at(3, 12))])
  const old = new Date(2026, 1, 26, 9).toISOString()
  const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
  expect(sinceText(old, now)).toEqual([date.format(new Date(old)), clock(old)])
})
