import { expect, test } from 'vitest'
import type { Insight } from '../insights.ts'
import { comparer, insightKey } from './insight-order.ts'

const insight = (issue_number: number, rest: object) => ({ issue_number, ...rest }) as unknown as Insight

/** The numbers of insights in the order of an address. */
function inOrder(column: string, descending: boolean, insights: readonly Insight[]): number[] {
  const keyOf = insightKey(column)
  if (!keyOf) throw new Error(`There is no column ${column}`)
  return insights
    .map((one) => ({ insight: one, key: keyOf(one) }))
    .sort(comparer(descending, new Intl.Collator('en', { numeric: true })))
    .map((one) => one.insight.issue_number)
}

test('by trend, the last four weeks count, and an insight whose mentions are all older has none', () => {
  const weeks = (...last: number[]) => [...Array.from({ length: 12 - last.length }, () => 9), ...last]
  const insights = [
    insight(1, { trend: weeks(0, 0, 0, 1) }),
    insight(2, { trend: weeks(2, 0, 0, 0) }),
    insight(3, { trend: weeks(9, 9, 9, 9), trend_end: '2025-01-06' }),
    insight(4, { trend: weeks(0, 0, 0, 1) }),
  ]
  expect(inOrder('trend', true, insights)).toEqual([2, 4, 1, 3])
  expect(inOrder('trend', false, insights)).toEqual([3, 4, 1, 2])
})

test('without a value is last in both directions, and texts are compared by the given rules', () => {
  const tag = (option_value: string) => ({ categories: [{ cat_name: 'Area', option_value }] })
  const insights = [insight(1, tag('B10')), insight(2, {}), insight(3, tag('B9'))]
  expect(inOrder('tag:Area', false, insights)).toEqual([3, 1, 2])
  expect(inOrder('tag:Area', true, insights)).toEqual([1, 3, 2])
  expect(insightKey('constructor')).toBeNull()
})
