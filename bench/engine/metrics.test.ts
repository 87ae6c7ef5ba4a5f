import { expect, test } from 'vitest'
import { scoreGrouping } from './metrics.ts'

test('a perfect grouping scores 100 everywhere, whatever its ids', () => {
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

test('pairs and the adjusted Rand index by hand', () => {
  // together in both: 1 + 1 pairs; in groups: 3 + 1; under labels: 1 + 3; of 10 pairs in all
  const scores = scoreGrouping([1, 1, 1, 2, 2], ['a', 'a', 'b', 'b', 'b'])
  expect(scores.pairs).toBeCloseTo(50, 6)
  expect(scores.ari).toBeCloseTo((100 * (2 - 1.6)) / (4 - 1.6), 6)
  expect(scoreGrouping([1, 1, 2, 2], ['a', 'a', 'b', 'b']).ari).toBe(100)
})

test('NMI by hand: one of two groups is pure', () => {
  const scores = scoreGrouping([1, 1, 2, 2], ['a', 'a', 'a', 'b'])
  const mutual = 0.5 * Math.log(4 / 3) + 0.25 * Math.log(2 / 3) + 0.25 * Math.log(2)
  const labels = -(0.75 * Math.log(0.75) + 0.25 * Math.log(0.25))
  expect(scores.nmi).toBeCloseTo((100 * mutual) / ((Math.log(2) + labels) / 2), 6)
})

test('single texts are as many groups as texts, and accuracy looks at all of them', () => {
  const texts = Array.from({ length: 500 }, (_, i) => i)
  const scores = scoreGrouping(texts.concat(500, 500), [...texts.map(String), 'last', 'last'])
  expect(scores.acc).toBe(100)
})
