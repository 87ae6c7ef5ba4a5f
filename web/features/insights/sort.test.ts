import type { Insight } from '@groundswell/contract/insights.ts'
import { expect, test } from 'vitest'
import { searchInsights } from './search.ts'
import { DEFAULT_SORT, mentionCount, nextSort, type Sort, sortInsights } from './sort.ts'

function insight(issue_number: number, over: Partial<Insight> = {}): Insight {
  return {
    issue_number,
    issue_name: `Issue ${issue_number}`,
    summary: '',
    status: 'created',
    last_updated: '2026-06-01T00:00:00Z',
    evidence: [],
    categories: [],
    ...over,
  }
}

const numbers = (list: readonly Insight[]) => list.map((one) => one.issue_number)

test('the newest update comes first by default', () => {
  const list = [
    insight(1, { last_updated: '2026-06-02T00:00:00Z' }),
    insight(2, { last_updated: '2026-06-03T00:00:00+02:00' }),
    insight(3, { last_updated: 'never' }),
  ]
  expect(numbers(sortInsights(list, DEFAULT_SORT))).toEqual([2, 1, 3])
  expect(numbers(list)).toEqual([1, 2, 3])
})

test('a new column starts ascending and the same one turns round', () => {
  const byName = nextSort(DEFAULT_SORT, 'issue_name')
  expect(byName).toEqual({ column: 'issue_name', descending: false })
  expect(nextSort(byName, 'issue_name').descending).toBe(true)
  expect(nextSort(DEFAULT_SORT, 'last_updated').descending).toBe(false)
})

test('names sort as people read them', () => {
  const list = [
    insight(1, { issue_name: 'Step 10' }),
    insight(2, { issue_name: 'step 9' }),
    insight(3, { issue_name: 'Élan' }),
  ]
  expect(numbers(sortInsights(list, { column: 'issue_name', descending: false }))).toEqual([3, 2, 1])
})

test('the trend column weighs the last four weeks only', () => {
  const sort: Sort = { column: 'trend', descending: true }
  const list = [insight(1, { trend: [99, 0, 0, 0, 1] }), insight(2, { trend: [0, 0, 0, 2, 0] }), insight(3)]
  expect(numbers(sortInsights(list, sort))).toEqual([2, 1, 3])
})

test('equal ones keep one order in both directions', () => {
  const list = [insight(1), insight(3), insight(2)]
  expect(numbers(sortInsights(list, { column: 'status', descending: false }))).toEqual([3, 2, 1])
  expect(numbers(sortInsights(list, { column: 'status', descending: true }))).toEqual([3, 2, 1])
})

test('mentions are counted from the evidence where the server does not count', () => {
  const mention = { text: 'x', link: null, date: '2026-06-01T00:00:00Z' }
  expect(mentionCount(insight(1, { evidence: [mention, mention] }))).toBe(2)
  expect(mentionCount(insight(1, { evidence: [mention], mention_count: 40 }))).toBe(40)
})

test('a search wants every word, in any part', () => {
  const list = [
    insight(1, { issue_name: 'Export times out', summary: 'Large workspaces' }),
    insight(2, { issue_name: 'Search is slow' }),
    insight(42, {
      categories: [{ cat_name: 'Area', cat_type: 'category', option_value: 'Export', option_colour: null }],
    }),
  ]
  expect(numbers(searchInsights(list, 'EXPORT'))).toEqual([1, 42])
  expect(numbers(searchInsights(list, 'export large'))).toEqual([1])
  expect(numbers(searchInsights(list, '#42'))).toEqual([42])
  expect(searchInsights(list, '  ')).toBe(list)
})
