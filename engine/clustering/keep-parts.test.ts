import { expect, test } from 'vitest'
import { keepParts } from './keep-parts.ts'
import type { Community } from './lineage.ts'
import type { Pairs } from './similarity/nearest-pairs.ts'

/** Places 0 to 3 were in issue 1, 4 to 6 in issue 2, 7 and 8 in issue 3, 9 in none. */
const issueAt = (place: number) => [1, 1, 1, 1, 2, 2, 2, 3, 3, 0][place] as number

function pairsOf(...links: [from: number, to: number, score: number][]): Pairs {
  return {
    from: Int32Array.from(links, ([from]) => from),
    to: Int32Array.from(links, ([, to]) => to),
    scores: Float32Array.from(links, ([, , score]) => score),
  }
}

function kept(communities: Community[], pairs: Pairs): number[][] {
  keepParts(communities, issueAt, pairs)
  return communities.map(({ places }) => places)
}

const exchanged = (): Community[] => [
  { places: [0, 1, 2], issue: 1 },
  { places: [3, 4, 5, 6], issue: 2 },
]

test('a part that is about as near to the rest of its issue goes back', () => {
  const pairs = pairsOf([2, 3, 0.6], [3, 4, 0.6], [3, 5, 0.6])
  expect(kept(exchanged(), pairs)).toEqual([
    [0, 1, 2, 3],
    [4, 5, 6],
  ])
})

test('a part that is clearly nearer to the other issue moves', () => {
  const pairs = pairsOf([2, 3, 0.4], [3, 4, 0.7], [3, 5, 0.7], [3, 6, 0.7])
  expect(kept(exchanged(), pairs)).toEqual([
    [0, 1, 2],
    [3, 4, 5, 6],
  ])
})

test('an issue that ends goes into the other one, whatever it is near to', () => {
  const communities = [
    { places: [0, 1, 2, 3, 7, 8], issue: 1 },
    { places: [4, 5, 6], issue: 2 },
  ]
  expect(kept(communities, pairsOf([7, 8, 0.9]))).toEqual([
    [0, 1, 2, 3, 7, 8],
    [4, 5, 6],
  ])
})

test('a split stays a split, also when statements of no issue join one half', () => {
  const halves = () => [
    { places: [0, 1], issue: 1 },
    { places: [2, 3], issue: 0 },
  ]
  expect(kept(halves(), pairsOf([1, 2, 0.5]))).toEqual([
    [0, 1],
    [2, 3],
  ])
  const joined = [
    { places: [0, 1], issue: 1 },
    { places: [2, 3, 9], issue: 0 },
  ]
  expect(kept(joined, pairsOf([2, 9, 0.8], [3, 9, 0.8]))).toEqual([
    [0, 1],
    [2, 3, 9],
  ])
})

test('two issues that would exchange the same part keep theirs', () => {
  const communities = [
    { places: [0, 1, 2, 4], issue: 1 },
    { places: [3, 5, 6], issue: 2 },
  ]
  const pairs = pairsOf([0, 3, 0.5], [3, 5, 0.5], [4, 5, 0.5], [0, 4, 0.5])
  expect(kept(communities, pairs)).toEqual([
    [0, 1, 2, 3],
    [4, 5, 6],
  ])
})
