import { expect, test } from 'vitest'
import { baselineOf, compare, type Outcome } from './baseline.ts'

const outcomes = (passed: readonly (boolean | null)[]): Outcome[] =>
  passed.map((one, at) => ({ id: `case ${at}`, kind: 'merge', content: `c${at}`, passed: one, reason: '' }))
const made = { generator: {}, engine_version: '1', encoder: null }
const all = (count: number, from: number) => Array.from({ length: count }, (_, at) => at >= from)

test('five cases that fail now of twenty are a significant regression, four are not', () => {
  const baseline = baselineOf(outcomes(all(20, 0)), made)
  expect(compare(outcomes(all(20, 5)), baseline)).toMatchObject({
    verdict: 'regression',
    p: expect.closeTo(1 / 32, 9),
    compared: 20,
  })
  expect(compare(outcomes(all(20, 4)), baseline)).toMatchObject({
    verdict: 'no regression',
    p: expect.closeTo(1 / 16, 9),
  })
})

test('fewer than twenty cases decide nothing', () => {
  const baseline = baselineOf(outcomes(all(19, 0)), made)
  expect(compare(outcomes(all(19, 19)), baseline).verdict).toBe('too few cases')
})

test('cases that changed, are new or are not graded are not compared', () => {
  const baseline = baselineOf(outcomes([true, true, null, false]), made)
  expect(baseline.cases).toHaveLength(3)
  const [first, second, third, fourth] = outcomes([false, false, false, true]) as [Outcome, Outcome, Outcome, Outcome]
  const compared = compare([{ ...first, content: 'other' }, second, third, fourth], baseline)
  expect(compared).toMatchObject({ compared: 2, changed: 1, unknown: 1 })
  expect([compared.worse, compared.better].map((some) => some.map(({ id }) => id))).toEqual([['case 1'], ['case 3']])
})
