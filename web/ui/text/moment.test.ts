import { afterEach, expect, test, vi } from 'vitest'

const day = { date: '2026-10-04T00:00:00.000Z', date_only: true }
const before = process.env['TZ']

/** The formats are made when the modules are loaded, in the zone of the process. */
async function inZone(zone: string) {
  process.env['TZ'] = zone
  vi.resetModules()
  const { saidText } = await import('./moment.ts')
  const { calendarDay } = await import('./calendar-day.ts')
  return { saidText, calendarDay }
}

afterEach(() => {
  if (before === undefined) delete process.env['TZ']
  else process.env['TZ'] = before
})

test.each(['Pacific/Honolulu', 'UTC', 'Pacific/Kiritimati'])('a day without a time is that day in %s', async (zone) => {
  const { saidText, calendarDay } = await inZone(zone)
  expect(saidText(day)).toBe('Oct 4, 2026')
  expect(calendarDay(day.date, true)).toBe('Oct 4, 2026')
})

test('a moment has its time and its day in the zone of the reader', async () => {
  const { saidText, calendarDay } = await inZone('Pacific/Honolulu')
  expect(saidText({ date: day.date }).replace('\u202f', ' ')).toBe('Oct 3, 2026, 2:00 PM')
  expect(calendarDay(day.date)).toBe('Oct 3, 2026')
  expect(saidText({ ...day, date_known: false })).toBe('Date unknown')
})
