import { expect, test } from 'vitest'
import { relativeTime } from './relative-time.ts'

const HOUR = 3_600_000
const now = Date.parse('2026-06-15T12:00:00Z')
const ago = (ms: number) => relativeTime(new Date(now - ms).toISOString(), now)

test.each([
  [0, 'now'],
  [HOUR - 1, 'now'],
  [HOUR, '1h'],
  [24 * HOUR - 1, '23h'],
  [24 * HOUR, '1d'],
  [168 * HOUR - 1, '6d'],
  [168 * HOUR, '1w'],
  [744 * HOUR - 1, '4w'],
  [744 * HOUR, '1m'],
  [8_760 * HOUR - 1, '11m'],
  [8_760 * HOUR, '1y'],
  [17_520 * HOUR, '2y'],
])('%i ms ago is %s', (ms, words) => {
  expect(ago(ms)).toBe(words)
})

test('a future time is now, and an invalid date is empty', () => {
  expect(ago(-5 * HOUR)).toBe('now')
  expect(relativeTime('soon', now)).toBe('')
})
