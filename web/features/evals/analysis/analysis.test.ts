import { expect, test } from 'vitest'
import { viewSession } from '../session-view.ts'
import { agreementOf, describeAgreement } from './agreement.ts'
import { byRegression, compareSessions } from './compare-sessions.ts'
import { histogramOf } from './histogram.ts'
import { placeOf, scoredSession } from './scored-rows.ts'

type Given = [source: string, day: string, ...averages: (number | null)[]]

const session = (
  evaluators: string[],
  rows: Given[],
  people: [page: number, evaluator: number, score: number][] = [],
) =>
  scoredSession(
    viewSession({
      evaluators: evaluators.map((unique_name) => ({ unique_name })),
      response_evaluations: rows.map(([source_id, day, ...averages]) => ({
        source_metadata: { source_id, datetime_from: `${day}T00:00:00Z` },
        rubrics_responses_evaluations: averages.map((avg_score) => ({ avg_score })),
        formatted_user_input: `said in ${source_id}`,
      })),
    }),
    new Map(people.map(([page, evaluator, score]) => [placeOf(page, evaluator), score])),
  )

test('rows are matched by what was evaluated, and evaluators by name', () => {
  const now = session(
    ['Faithful', 'Brief', 'New'],
    [
      ['chat', '2026-09-21', 0.9, 0.5, 1],
      ['tickets', '2026-09-14', 0.25, 0.5, null],
      ['tickets', '2026-09-14', 0.75, null, 1],
      ['calls', '2026-09-28', 0.2, 0.2, 0.2],
    ],
  )
  const before = session(
    ['Brief', 'Faithful'],
    [
      ['tickets', '2026-09-14', 0.5, 0.75],
      ['tickets', '2026-09-14', null, 0.752],
      ['chat', '2026-09-21', 0.5, 0.5],
      ['mail', '2026-09-21', 1, 1],
    ],
  )
  const { rows, counts, unmatched, onlyInBaseline } = compareSessions(now, before)
  expect(rows.map(({ delta, verdict }) => [delta?.toFixed(3), verdict])).toEqual([
    ['0.200', 'improved'],
    ['-0.250', 'regressed'],
    ['-0.002', 'equal'],
    [undefined, null],
  ])
  expect(rows[0]).toMatchObject({ score: 0.7, baseline: 0.5 })
  expect(rows[3]?.score).toBeCloseTo(0.2)
  expect([counts, unmatched, onlyInBaseline]).toEqual([{ improved: 1, regressed: 1, equal: 1 }, 1, 1])
  expect(byRegression(rows).map(({ page }) => page)).toEqual([1, 2, 0, 3])
})

test('a person’s score counts in place of the automatic one', () => {
  const { rows } = session(['A', 'B'], [['chat', '2026-09-21', 1, 0.5]], [[0, 0, 0.25]])
  expect(rows).toMatchObject([{ scores: [0.25, 0.5], reviewed: true }])
  expect(compareSessions({ evaluators: ['A', 'B'], rows }, null).rows[0]).toMatchObject({ score: 0.375, delta: null })
})

test('agreement is the rank correlation of two evaluators', () => {
  // Worked by hand: d = 0, 1, 1, 0, 0; 1 − 6 · 2 / (5 · 24) = 0.9.
  const pairs = [
    [1, 1],
    [2, 3],
    [3, 2],
    [4, 4],
    [5, 5],
  ] as const
  const scores = pairs.map(([one, other], index): Given => ['chat', `2026-09-2${index}`, one, other, 6 - one, 7])
  const names = ['A', 'B', 'Reverse', 'Constant']
  const table = agreementOf(names, session(names, scores).rows)
  expect(table[0]?.[1]).toMatchObject({ value: expect.closeTo(0.9), rows: 5 })
  expect(table[2]?.[0]?.value).toBeCloseTo(-1)
  expect(table[0]?.[0]?.value).toBeCloseTo(1)
  expect(table[3]?.[0]).toEqual({ value: null, rows: 5 })
  expect(describeAgreement(names, table)).toBe(
    'The most agreement: A and B (0.90, 5 responses). The least: A and Reverse (−1.00, 5 responses).',
  )
  // Ties share their rank: ranks 1.5, 1.5, 3 against 1, 2, 3.
  const tied = session(
    ['A', 'B'],
    [
      ['a', '1', 1, 1],
      ['b', '2', 1, 2],
      ['c', '3', 2, 3],
    ],
  ).rows
  expect(agreementOf(['A', 'B'], tied)[0]?.[1]?.value).toBeCloseTo(0.866, 3)
  expect(describeAgreement(['A', 'B'], agreementOf(['A', 'B'], []))).toMatch(/^No two evaluators/)
})

test('the histogram counts every score once, edges upwards, and follows another scale', () => {
  expect(histogramOf([])).toEqual([])
  expect(histogramOf([0, 0.3, 0.29, 0.7, 1, 1]).map(({ count }) => count)).toEqual([1, 0, 1, 1, 0, 0, 0, 1, 0, 2])
  const wide = histogramOf([-1.5, 3, 5])
  expect([wide[0]?.from, wide.at(-1)?.to]).toEqual([-2, 5])
  expect(wide.reduce((sum, { count }) => sum + count, 0)).toBe(3)
})
