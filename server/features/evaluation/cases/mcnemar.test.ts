import { expect, test } from 'vitest'
import { mcnemar } from './mcnemar.ts'

test.each([
  [0, 0, 1],
  [0, 9, 1],
  [1, 0, 0.5],
  [4, 0, 1 / 16],
  [5, 0, 1 / 32],
  [8, 2, 56 / 1024],
  [9, 1, 11 / 1024],
  [3, 3, 42 / 64],
])('%i worse and %i better: p = %f', (worse, better, p) => {
  expect(mcnemar(worse, better)).toBeCloseTo(p, 12)
})

test('thousands of changes are no problem', () => {
  expect(mcnemar(2_000, 2_000)).toBeCloseTo(0.506, 3)
  expect(mcnemar(2_100, 1_900)).toBeCloseTo(0.000_825, 5)
})
