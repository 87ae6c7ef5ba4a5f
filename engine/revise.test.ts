import { expect, test } from 'vitest'
import { leastNearness } from './revise.ts'

test('the more a workspace has read, the more alike two statements must be', () => {
  const asked = [100, 800, 5_500, 20_000].map((texts) => leastNearness(0.518, texts))
  expect(asked).toEqual([...asked].sort((a, b) => a - b))
  expect(leastNearness(0.518, 5_500)).toBe(0.518)
  expect(leastNearness(0.518, 800)).toBeLessThan(0.47)
})

test('it never asks for so little that anything goes, nor for so much that nothing does', () => {
  expect(leastNearness(0.518, 0)).toBeGreaterThanOrEqual(0.39)
  expect(leastNearness(0.41, 0)).toBe(0.4)
  expect(leastNearness(0.518, 1e9)).toBeCloseTo(0.568)
})
