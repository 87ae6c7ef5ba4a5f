import type { Theme } from '@groundswell/contract/insights/themes.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import { expect, test } from 'vitest'
import { DEFAULT_SORT } from '../table/sort.ts'
import { linesOf, sectionsOf } from './theme-lines.ts'

const insight = (issue_number: number, mention_count: number, more: Partial<Insight> = {}): Insight => ({
  issue_number,
  issue_name: `issue ${issue_number}`,
  summary: '',
  status: 'created',
  last_updated: `2026-03-0${issue_number}T00:00:00.000Z`,
  evidence: [],
  categories: [],
  mention_count,
  trend: [0, mention_count],
  trend_end: null,
  ...more,
})
const theme = (theme_id: number, name: string, issue_numbers: number[]): Theme => ({
  theme_id,
  name,
  issue_numbers,
  by_person: issue_numbers.length === 0,
  mention_count: 0,
  trend: [],
})
const INSIGHTS = [insight(5, 1), insight(4, 8), insight(3, 2), insight(2, 3), insight(1, 4)]
const THEMES = [theme(7, 'Export', [1, 2, 3]), theme(8, 'Calendar', [4, 99]), theme(9, 'Own', [])]
const sections = (sort = DEFAULT_SORT, keepEmpty = false, insights: readonly Insight[] = INSIGHTS) =>
  sectionsOf(insights, THEMES, sort, keepEmpty)

test('insights are under their themes in the order of the list, those in no theme last', () => {
  expect(sections().map(({ name, insights }) => [name, insights.map((one) => one.issue_number)])).toEqual([
    ['Calendar', [4]],
    ['Export', [3, 2, 1]],
    ['In no theme', [5]],
  ])
  expect(sections(DEFAULT_SORT, true).map(({ name }) => name)).toEqual(['Calendar', 'Export', 'Own', 'In no theme'])
})

test('themes are sorted by the sums of their insights, and by name', () => {
  const names = (column: 'mentions' | 'issue_name', descending: boolean) =>
    sections({ column, descending }).map(({ name }) => name)
  expect(names('mentions', false)).toEqual(['Calendar', 'Export', 'In no theme'])
  expect(names('mentions', true)).toEqual(['Export', 'Calendar', 'In no theme'])
  expect(names('issue_name', true)).toEqual(['Export', 'Calendar', 'In no theme'])
})

test('a theme has the mentions and the trend of its listed insights; old trends count only where all are old', () => {
  const [first] = sections(DEFAULT_SORT, false, [INSIGHTS[3] as Insight, INSIGHTS[4] as Insight])
  expect(first).toMatchObject({ mentions: 7, trend: [0, 7], end: null, latest: { issue_number: 2 } })
  const old = { trend: [5, 5], trend_end: '2025-01-06T00:00:00.000Z' }
  expect(sections(DEFAULT_SORT, false, [insight(1, 4), insight(2, 3, old)])[0]).toMatchObject({
    trend: [0, 4],
    end: null,
  })
  expect(sections(DEFAULT_SORT, false, [insight(1, 4, old), insight(2, 3, old)])[0]).toMatchObject({
    trend: [10, 10],
    end: old.trend_end,
  })
})

test('an open theme has its insights below it', () => {
  const lines = linesOf(sections(), ({ id }) => id === 8)
  expect(lines.map((line) => (line.kind === 'section' ? line.section.name : line.insight.issue_number))).toEqual([
    'Calendar',
    4,
    'Export',
    'In no theme',
  ])
  expect(lines[1]).toMatchObject({ heading: 0 })
})
