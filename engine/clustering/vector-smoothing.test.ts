import { statementsOf } from '@groundswell/fixtures/engine/statements.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cosine, statementVectors } from '../text/statement-vectors.ts'
import { nearestPairs, type Pairs } from './similarity/nearest-pairs.ts'
import { rescorePairs, smoothVectors } from './vector-smoothing.ts'

const TEXTS = [
  'i forgot my password and cannot log in',
  'i forgot the password, how do i log in',
  'cannot log in, the password is wrong',
  'the invoice shows the wrong tax',
  'tax on the invoice is wrong',
  'what is the weather tomorrow',
  'zxqv wqzzk jjqx',
]

function read(texts: string[]) {
  const { statements, vocabulary } = statementsOf(texts)
  const features = statements.map((one) => one.features)
  return { vocabulary, features, vectors: statementVectors(statements, vocabulary) }
}

const SURELY: Pairs = {
  from: Int32Array.from([0, 1, 3, 0]),
  to: Int32Array.from([1, 2, 4, 5]),
  scores: Float32Array.from([0.7, 0.6, 0.8, 0.5]),
}

test('close neighbours move towards each other, and nothing else does', () => {
  const { vectors } = read(TEXTS)
  const turned = smoothVectors(vectors, SURELY)
  for (const [a, b] of [
    [0, 1],
    [1, 2],
    [3, 4],
    [0, 2],
  ] as const) {
    expect(cosine(turned, a, b)).toBeGreaterThan(cosine(vectors, a, b))
  }
  const rowOf = ({ values, dimensions }: typeof vectors, place: number) => [
    ...values.subarray(place * dimensions, (place + 1) * dimensions),
  ]
  for (const place of [5, 6]) expect(rowOf(turned, place)).toEqual(rowOf(vectors, place))
  expect(turned.known).toEqual(vectors.known)
})

test('vectors stay normalised, and the input is unchanged', () => {
  const { vectors } = read(TEXTS)
  const before = [...vectors.values]
  const turned = smoothVectors(vectors, SURELY)
  expect([...vectors.values]).toEqual(before)
  for (let place = 0; place < TEXTS.length; place++) {
    expect(cosine(turned, place, place)).toBeCloseTo(vectors.known[place] as number, 5)
  }
})

test('with the same vectors pairs keep their scores, and each statement its nearest', () => {
  const words = fc.constantFrom('export', 'csv', 'invoice', 'tax', 'wrong', 'password', 'login', 'slow', 'page', 'der')
  const text = fc.array(words, { minLength: 1, maxLength: 6 }).map((some) => some.join(' '))
  fc.assert(
    fc.property(fc.array(text, { minLength: 2, maxLength: 25 }), fc.integer({ min: 1, max: 6 }), (texts, k) => {
      const { vocabulary, features, vectors } = read(texts)
      const least = 0.2
      const wide = nearestPairs(features, vocabulary, texts.length, least)
      const none = { ...vectors, known: new Uint8Array(texts.length) }
      const again = rescorePairs(wide, features, vocabulary, none, k, least)
      const scores = new Map(Array.from(wide.from, (from, p) => [`${from} ${wide.to[p]}`, wide.scores[p] as number]))
      const kept = new Map<number, number>()
      again.from.forEach((from, p) => {
        const to = again.to[p] as number
        const score = again.scores[p] as number
        expect(Math.abs(score - (scores.get(`${from} ${to}`) ?? 9))).toBeLessThan(1e-4)
        expect(score).toBeGreaterThanOrEqual(least)
        for (const place of [from, to]) kept.set(place, (kept.get(place) ?? 0) + 1)
      })
      const near = [...wide.from.keys()].filter((p) => (wide.scores[p] as number) >= least + 1e-4)
      for (const p of near) {
        for (const place of [wide.from[p], wide.to[p]]) expect(kept.get(place as number)).toBeGreaterThan(0)
      }
    }),
  )
})

test('accepts an empty input', () => {
  const { vocabulary, features, vectors } = read(['export fails'])
  const none: Pairs = { from: new Int32Array(0), to: new Int32Array(0), scores: new Float32Array(0) }
  expect(rescorePairs(none, features, vocabulary, smoothVectors(vectors, none), 15, 0.3)).toEqual(none)
})
