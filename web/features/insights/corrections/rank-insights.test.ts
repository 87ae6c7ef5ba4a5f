import type { Insight } from '@groundswell/contract/insights.ts'
import { expect, test } from 'vitest'
import { likenessTo, rankInsights } from './rank-insights.ts'

const insight = (issue_number: number, issue_name: string): Insight => ({
  issue_number,
  issue_name,
  summary: '',
  status: 'created',
  last_updated: '2026-11-01T00:00:00Z',
  evidence: [],
  categories: [],
})

const all = [
  insight(1, 'Cannot log in after the update'),
  insight(2, 'Export of large reports to CSV fails'),
  insight(3, 'Dark mode'),
  insight(12, 'CSV export is slow'),
  insight(120, 'Invoices show the wrong address'),
]
const numbers = (about: string, typed: string) => rankInsights(all, about, typed).map((one) => one.issue_number)

test('the most similar names come first', () => {
  expect(numbers('CSV export fails for large reports', '').slice(0, 2)).toEqual([2, 12])
  expect(numbers('The login fails since the update', '')[0]).toBe(1)
})

test('insights that the server ranks by meaning come first, and words decide among the matches', () => {
  const ranked = (typed: string) =>
    rankInsights(all, 'CSV export fails for large reports', typed, [120, 3, 12, 2]).map((one) => one.issue_number)
  expect(ranked('')).toEqual([120, 3, 12, 2, 1])
  expect(ranked('export')[0]).toBe(2)
})

test('every typed word must be in the name, in any case and order', () => {
  expect(numbers('', 'EXPORT csv')).toEqual([12, 2])
  expect(numbers('', 'csv nowhere')).toEqual([])
})

test('a number finds its insight before those that only contain it', () => {
  expect(numbers('', '#12')).toEqual([12, 120])
  expect(numbers('', '12')[0]).toBe(12)
})

test('names that start with the text come before those that contain it', () => {
  expect(numbers('Export of large reports', 'csv')[0]).toBe(12)
})

test('similarity is 1 for the same words, 0 for none in common, and between for some', () => {
  expect(likenessTo('CSV export')('csv EXPORT!')).toBe(1)
  expect(likenessTo('CSV export')('dark mode')).toBe(0)
  expect(likenessTo('')('dark mode')).toBe(0)
  expect(likenessTo('dark mode')('!?')).toBe(0)
  expect(likenessTo('abc def')('abc')).toBeCloseTo(likenessTo('abc')('abc def'))
  expect(likenessTo('abc def')('abc')).toBeGreaterThan(likenessTo('abc def')('abc something else'))
})
