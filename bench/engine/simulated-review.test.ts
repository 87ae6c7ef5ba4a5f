import { expect, test } from 'vitest'
import { review } from './simulated-review.ts'

const DIRECTIONS: Record<string, [number, number]> = { bag: [1, 0.1], seat: [0.1, 1], fee: [1, 0.2] }
/** Statements are named by their subject: `bag-1`; of `noise-1`, nobody says the same. */
const subjectOf = (id: string) => id.slice(0, id.indexOf('-'))
const reviewing = (right: number, wrong: number, seed = 1) => ({
  rates: { right, wrong },
  seed,
  labelOf: (id: string) => (subjectOf(id) === 'noise' ? null : subjectOf(id)),
  vectorOf: (id: string) => Float32Array.from(DIRECTIONS[subjectOf(id)] ?? [0.5, 0.5]),
})
const sorted = (insights: string[][]) =>
  insights.map((ids) => ids.toSorted()).toSorted((a, b) => a.join().localeCompare(b.join()))

const MIXED = [
  ['bag-1', 'bag-2', 'bag-3', 'fee-1', 'fee-2', 'noise-1'],
  ['bag-4', 'bag-5'],
  ['seat-1', 'seat-2', 'seat-3'],
]

test('a reviewer without errors parts what is different, and merges what is the same', () => {
  expect(sorted(review(MIXED, reviewing(1, 0)))).toEqual([
    ['bag-1', 'bag-2', 'bag-3', 'bag-4', 'bag-5'],
    ['fee-1', 'fee-2'],
    ['seat-1', 'seat-2', 'seat-3'],
  ])
})

test('a reviewer who never says yes changes nothing; what is given is not changed', () => {
  const before = structuredClone(MIXED)
  expect(review(MIXED, reviewing(0, 0))).toEqual(MIXED)
  review(MIXED, reviewing(1, 1))
  expect(MIXED).toEqual(before)
})

test('a single statement leaves only where it is less alike than most', () => {
  const one = [['bag-1', 'bag-2', 'bag-3', 'noise-1']]
  expect(review(one, reviewing(1, 0))).toEqual([['bag-1', 'bag-2', 'bag-3']])
  const alike = { ...reviewing(1, 0), vectorOf: () => Float32Array.of(1, 0) }
  expect(sorted(review(one, alike))).toEqual([['bag-1', 'bag-2', 'bag-3', 'noise-1']])
})

test('the same seed errs alike, another one otherwise', () => {
  const results = [1, 1, 2, 3, 4].map((seed) => JSON.stringify(review(MIXED, reviewing(0.5, 0.5, seed))))
  expect(results[1]).toBe(results[0])
  expect(new Set(results).size).toBeGreaterThan(1)
})
