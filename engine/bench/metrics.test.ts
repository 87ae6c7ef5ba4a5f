import { expect, test } from 'vitest'
import { scoreGrouping } from './metrics.ts'

test('a perfect grouping has all the marks, whatever its numbers', () => {
  const scores = scoreGrouping([7, 7, 3, 3, null], ['a', 'a', 'b', 'b', null])
  expect(scores).toMatchObject({
    precision: 100,
    recall: 100,
    f1: 100,
    acc: 100,
    coverage: 100,
    noiseGrouped: 0,
    groups: 2,
  })
  expect(scores.nmi).toBeCloseTo(100, 6)
})

test('B³ by hand: two labels in one group', () => {
  const scores = scoreGrouping([1, 1, 1, 1], ['a', 'a', 'a', 'b'])
  expect(scores.precision).toBeCloseTo(62.5, 6)
  expect(scores.recall).toBe(100)
  expect(scores.acc).toBe(75)
})

test('ungrouped texts stand alone; grouped noise is counted', () => {
  const scores = scoreGrouping([1, 1, null, 2, 2], ['a', 'a', 'a', null, null])
  expect(scores.coverage).toBeCloseTo(66.67, 1)
  expect(scores.noiseGrouped).toBe(100)
  expect(scores.recall).toBeCloseTo((100 * (2 / 3 + 2 / 3 + 1 / 3 + 1 + 1)) / 5, 6)
  expect(scores.precision).toBeCloseTo((100 * (1 + 1 + 1 + 0.5 + 0.5)) / 5, 6)
})

test('accuracy takes the best one-to-one match', () => {
  const scores = scoreGrouping([1, 1, 2, 2, 2, 3], ['a', 'b', 'a', 'a', 'b', 'b'])
  expect(scores.acc).toBeCloseTo((100 * 3) / 6, 6)
})
