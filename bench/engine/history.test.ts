import { expect, test } from 'vitest'
import { scoreHistory } from './history.ts'

test('churn counts what left its group, averaged over batches', () => {
  const { churn } = scoreHistory(
    [
      [1, 1, null],
      [1, 2, 2, null],
      [1, null, 2, 2],
    ],
    ['a', 'a', 'b', 'b'],
  )
  expect(churn).toBeCloseTo((100 * (1 / 2 + 1 / 3)) / 2, 6)
})

test('a group survives when at least half of what it held is still in it', () => {
  const { survival } = scoreHistory(
    [
      [1, 1, 2, 2],
      [1, 3, 3, 3],
    ],
    ['a', 'a', 'b', 'b'],
  )
  expect(survival).toBe(50)
})

test('a subject is found when a group is about it; what came until then is its delay', () => {
  const { delay, discovered } = scoreHistory(
    [
      [null, null, 1],
      [null, null, 1, 1, 2, 2],
    ],
    ['a', 'b', 'a', 'a', 'c', null],
  )
  expect(discovered).toBeCloseTo(100 / 3, 6)
  expect(delay).toBe(3)
})

test('nothing has no history', () => {
  expect(scoreHistory([], [])).toEqual({ churn: 0, survival: 0, delay: 0, discovered: 0 })
})
