import { expect, test } from 'vitest'
import { insightsOf, type ShownInsight, scoreShown } from './shown-insights.ts'

const regular = (members: number[], suggested: number[] = []): ShownInsight => ({
  emerging: false,
  members,
  suggested,
})
const emerging = (members: number[], suggested: number[] = []): ShownInsight => ({
  ...regular(members, suggested),
  emerging: true,
})

/** Messages 0–3 are about a, 4–6 about b, 7 about c, 8–9 are noise. */
const LABELS = ['a', 'a', 'a', 'a', 'b', 'b', 'b', 'c', null, null]

test('the right insights score 100, and nothing can be said about suggestions that do not exist', () => {
  expect(scoreShown([regular([0, 1, 2, 3]), regular([4, 5, 6])], LABELS)).toEqual({
    majority: 100,
    groupedPrecision: 100,
    pure: 100,
    subjects: 100,
    fragments: 1,
    missed: 12.5,
    inScope: 87.5,
    noise: 0,
    regularInScope: null,
    regularNoise: null,
    firstSuggestion: null,
    fiveSuggestions: null,
    insights: 2,
    emerging: 0,
  })
})

test('precision by hand: the majority counts fully, B³ by its share of the insight', () => {
  const scores = scoreShown([regular([0, 1, 2, 4]), regular([5, 8, 9])], LABELS)
  // a, a, a of 4, and b of 3
  expect(scores.majority).toBeCloseTo((100 * (3 + 1)) / 7, 6)
  // a: 3 × 3/4; b: 1/4; b, noise, noise: 1/3 each
  expect(scores.groupedPrecision).toBeCloseTo((100 * (9 / 4 + 1 / 4 + 1)) / 7, 6)
  expect(scores.pure).toBe(50)
})

test('exactly two thirds of one subject are pure, and less is not', () => {
  expect(scoreShown([regular([0, 1, 4])], LABELS).pure).toBe(100)
  expect(scoreShown([regular([0, 1, 2, 4, 5])], LABELS).pure).toBe(0)
})

test('a subject is found by two of its messages that are half of an insight, and fragments are counted', () => {
  const scores = scoreShown([regular([0, 1]), regular([2, 3, 8, 9]), regular([4, 7]), regular([5, 6, 7, 8, 9])], LABELS)
  // a twice; b: one message of two, then two of five; c has one message only and cannot be found
  expect(scores.subjects).toBe(50)
  expect(scores.fragments).toBe(2)
  expect(scoreShown([regular([4, 7])], LABELS).fragments).toBeNull()
})

test('emerging insights count as insights, and regular ones are also counted alone', () => {
  const scores = scoreShown([regular([0, 1, 8]), emerging([4, 5, 9])], LABELS)
  expect(scores).toMatchObject({ inScope: 50, noise: 100, regularInScope: 25, regularNoise: 50 })
  expect(scores).toMatchObject({ insights: 2, emerging: 1, subjects: 100 })
  expect(scores.majority).toBeCloseTo((100 * 4) / 6, 6)
})

test('a message that is only suggested is not missed', () => {
  const scores = scoreShown([regular([0, 1], [2, 4])], LABELS)
  expect(scores.missed).toBe(50)
  expect(scores.inScope).toBe(25)
})

test('suggestions by hand: the first of each insight, and five of each', () => {
  const scores = scoreShown(
    [regular([0, 1], [2, 4, 3, 5, 8, 6]), emerging([4, 5], [8, 6]), regular([7, 0]), regular([8, 9], [7])],
    LABELS,
  )
  expect(scores.firstSuggestion).toBeCloseTo(100 / 3, 6)
  expect(scores.fiveSuggestions).toBeCloseTo((100 * (2 + 1)) / (5 + 2 + 1), 6)
})

test('a message in two insights is judged in both and counted once as grouped', () => {
  const scores = scoreShown([regular([0, 1]), regular([0, 4, 5])], LABELS)
  expect(scores.majority).toBe(80)
  expect(scores.inScope).toBe(50)
})

test('without insights, noise or subjects the shares are unknown', () => {
  expect(scoreShown([], ['a', 'a'])).toMatchObject({
    majority: null,
    pure: null,
    subjects: 0,
    fragments: null,
    missed: 100,
    inScope: 0,
    noise: null,
    insights: 0,
  })
  expect(scoreShown([regular([0, 1])], [null, null])).toMatchObject({ majority: 0, subjects: null, missed: null })
})

test('groups of an algorithm are regular insights', () => {
  expect(insightsOf([1, null, 2, 1])).toEqual([regular([0, 3]), regular([2])])
})
