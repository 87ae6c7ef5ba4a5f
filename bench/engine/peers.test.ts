import { expect, test } from 'vitest'
import { kMeans, leader, withoutSingles } from './peers.ts'
import { cosine, TfIdf } from './tfidf.ts'

const TEXTS = [
  'export fails',
  'invoice wrong',
  'export fails again',
  'invoice wrong total',
  'export fails',
  'invoice wrong',
]

test('k-means finds two clear subjects', () => {
  for (let seed = 1; seed <= 5; seed++) {
    const groups = kMeans(TEXTS, 2, seed)
    expect(groups.map((group) => group === groups[0])).toEqual([true, false, true, false, true, false])
  }
})

test('the leader algorithm joins near texts and starts groups for others', () => {
  expect(leader([...TEXTS, 'something else'])).toEqual([0, 1, 0, 1, 0, 1, 2])
  expect(withoutSingles([0, 1, 0])).toEqual([0, null, 0])
})

test('TF-IDF by hand', () => {
  const tfIdf = new TfIdf(['a b', 'a c'])
  const rare = Math.log(3 / 2) + 1
  const length = Math.sqrt(1 + rare * rare)
  expect(cosine(tfIdf.vector('a b'), tfIdf.vector('a'))).toBeCloseTo(1 / length, 6)
  expect(cosine(tfIdf.vector('a b'), tfIdf.vector('c'))).toBe(0)
  expect(tfIdf.vector('unknown').size).toBe(0)
})
