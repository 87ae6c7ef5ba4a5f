import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rowsInView } from './table/rows-in-view.ts'
import { sparklinePoints } from './table/sparkline.tsx'
import { dismissToast, toast, useToasts } from './toast-store.ts'

beforeEach(() => {
  vi.useFakeTimers()
  useToasts.setState({ toasts: [], nextId: 1 })
})
afterEach(() => vi.useRealTimers())

const shown = () => useToasts.getState().toasts

test('only one toast is shown at a time, for 5 s unless it sets another duration', () => {
  toast({ title: 'One' })
  toast({ title: 'Two', durationMs: 4_000 })
  expect(shown().map(({ title, durationMs }) => [title, durationMs])).toEqual([['Two', 4_000]])
  toast({ title: 'Three' })
  expect(shown()[0]?.durationMs).toBe(5_000)
})

test('a closed toast is removed after 1,000,000 ms', () => {
  toast({ title: 'One' })
  dismissToast(1)
  expect(shown()).toMatchObject([{ open: false }])
  vi.advanceTimersByTime(1_000_000 - 1)
  expect(shown()).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(shown()).toHaveLength(0)
})

test('fewer than sixty rows of a long list are in the document', () => {
  expect(rowsInView(0, 900, 44, 10_000)).toEqual({ first: 0, last: 29 })
  const middle = rowsInView(44 * 5_000, 900, 44, 10_000)
  expect(middle.first).toBeLessThanOrEqual(5_000)
  expect(middle.last).toBeGreaterThanOrEqual(5_020)
  expect(middle.last - middle.first).toBeLessThan(60)
  expect(rowsInView(44 * 10_000, 900, 44, 10_000).last).toBe(9_999)
  expect(rowsInView(44 * 10_000, 900, 44, 3)).toEqual({ first: 0, last: 2 })
})

test('a sparkline stays in its box, also when nothing happened', () => {
  expect(sparklinePoints([0, 5, 10], 22, 20)).toBe('1.0,18.0 11.0,10.0 21.0,2.0')
  expect(sparklinePoints([0, 0], 22, 20)).toBe('1.0,18.0 21.0,18.0')
  expect(sparklinePoints([])).toBe('')
})
