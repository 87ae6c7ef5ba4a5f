import { expect, test } from 'vitest'
import { scoreHistory } from './history.ts'

test('churn counts messages that left their group, averaged over batches', () => {
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

test('a group survives if it still holds at least half of its members', () => {
  const { survival } = scoreHistory(
    [
      [1, 1, 2, 2],
      [1, 3, 3, 3],
    ],
    ['a', 'a', 'b', 'b'],
  )
  expect(survival).toBe(50)
})

test('a subject is found once a group is about it; the messages until then are its delay', () => {
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

test('an empty stream has an empty history', () => {
  expect(scoreHistory([], [])).toEqual({ churn: 0, survival: 0, delay: 0, discovered: 0 })
})
