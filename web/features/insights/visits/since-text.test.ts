import { expect, test } from 'vitest'
import { formatMoment } from '../../../ui/text/moment.ts'
import { sinceText } from './since-text.ts'

const now = new Date(2026, 2, 5, 8, 0)
const at = (day: number, hour: number) => new Date(2026, 2, day, hour, 30).toISOString()
const clock = (iso: string) => new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }).format(new Date(iso))

test('the last visit in words, by the calendar and not by hours', () => {
  expect(sinceText(at(5, 0), now)).toBe(clock(at(5, 0)))
  expect(sinceText(at(4, 23), now)).toBe(`yesterday, ${clock(at(4, 23))}`)
  expect(sinceText(at(4, 0), now)).toBe(`yesterday, ${clock(at(4, 0))}`)
  const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'long' })
  expect(sinceText(at(3, 12), now)).toBe(`${weekday.format(new Date(at(3, 12)))}, ${clock(at(3, 12))}`)
  expect(sinceText(new Date(2026, 1, 27, 9).toISOString(), now)).toMatch(/,/)
  const old = new Date(2026, 1, 26, 9).toISOString()
  expect(sinceText(old, now)).toBe(formatMoment(old))
})
