import { expect, test } from 'vitest'
import { cohensKappa, varianceOf } from './agreement.ts'

const pairs = (counts: Record<string, number>) =>
  Object.entries(counts).flatMap(([pair, number]) =>
    Array.from({ length: number }, () => pair.split(' ') as [string, string]),
  )

test('is 0.4, from 0.151 to 0.649, for the usual example of two readers of 50 proposals', () => {
  const found = cohensKappa(pairs({ 'yes yes': 20, 'yes no': 5, 'no yes': 10, 'no no': 15 }))
  expect(found?.kappa).toBeCloseTo(0.4, 10)
  expect(found?.observed).toBeCloseTo(0.7, 10)
  expect(found?.low).toBeCloseTo(0.151, 3)
  expect(found?.high).toBeCloseTo(0.649, 3)
  expect(found?.items).toBe(50)
})

test('is lower for the same agreement where one grade is given nearly always', () => {
  const even = cohensKappa(pairs({ 'yes yes': 45, 'yes no': 15, 'no yes': 25, 'no no': 15 }))
  const skewed = cohensKappa(pairs({ 'yes yes': 25, 'yes no': 35, 'no yes': 5, 'no no': 35 }))
  expect(even?.kappa).toBeCloseTo(0.1304, 4)
  expect(skewed?.kappa).toBeCloseTo(0.2593, 4)
})

test('is 1 for two who always agree, below 0 for two who never do, and nothing where chance would agree always', () => {
  expect(cohensKappa(pairs({ 'yes yes': 5, 'no no': 5 }))).toMatchObject({ kappa: 1, low: 1, high: 1 })
  expect(cohensKappa(pairs({ 'yes no': 5, 'no yes': 5 }))?.kappa).toBe(-1)
  expect(cohensKappa(pairs({ 'yes yes': 5 }))).toBeNull()
  expect(cohensKappa([])).toBeNull()
})

test('the variance of repeats is that of a sample', () => {
  expect(varianceOf([1, 0.5, 0, 0.5])).toBeCloseTo(1 / 6, 10)
  expect(varianceOf([1])).toBe(0)
})
