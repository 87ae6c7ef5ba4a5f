import { expect, test } from 'vitest'
import { DEFAULT_SORT } from '../table/sort.ts'
import { LARGEST_FIRST, offersLargestFirst } from './largest-first.ts'

const NOW = Date.parse('2026-11-29T12:00:00Z')
const updated = (minutes: number) => ({ last_updated: new Date(NOW - minutes * 60_000).toISOString() })
const list = (recent: number, older: number) => [
  ...Array.from({ length: recent }, () => updated(20)),
  ...Array.from({ length: older }, () => updated(70)),
]

test('the order by size is offered when nearly all insights were updated within the hour', () => {
  expect(offersLargestFirst(list(10, 0), DEFAULT_SORT, NOW)).toBe(true)
  expect(offersLargestFirst(list(18, 2), DEFAULT_SORT, NOW)).toBe(true)
  expect(offersLargestFirst(list(17, 3), DEFAULT_SORT, NOW)).toBe(false)
})

test('it is not offered for a short list, nor where people chose an order', () => {
  expect(offersLargestFirst(list(9, 0), DEFAULT_SORT, NOW)).toBe(false)
  expect(offersLargestFirst(list(20, 0), LARGEST_FIRST, NOW)).toBe(false)
  expect(offersLargestFirst(list(20, 0), { ...DEFAULT_SORT, descending: false }, NOW)).toBe(false)
  expect(offersLargestFirst([], DEFAULT_SORT, NOW)).toBe(false)
})
