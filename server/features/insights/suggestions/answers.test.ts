import { expect, test } from 'vitest'
import { requiredScore } from './answers.ts'

const answers = (accepted: readonly number[], rejected: number) => [
  ...accepted.map((score) => ({ accepted: true, score })),
  ...Array.from({ length: rejected }, (_, n) => ({ accepted: false, score: n / 100 })),
]

test.each([
  ['too few answers', answers([], 19), 0],
  ['40% accepted', answers([0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.3], 12), 0],
  ['fewer accepted: an odd number', answers([0.3, 0.9, 0.5], 17), 0.5],
  ['fewer accepted: an even number', answers([0.3, 0.9, 0.5, 0.7], 40), 0.6],
  ['none accepted', answers([], 20), Number.POSITIVE_INFINITY],
])('%s', (_, given, required) => {
  expect(requiredScore(given)).toBeCloseTo(required)
})
