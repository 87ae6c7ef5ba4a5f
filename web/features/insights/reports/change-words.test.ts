import type { Report, ReportChange } from '@groundswell/contract/reports.ts'
import { expect, test } from 'vitest'
import { changeName, changeVerb, changeWords, excludedText } from './change-words.ts'
import { daysBeyond } from './older-data.tsx'
import { colorsOf } from './part-colors.ts'

const name = (id: string) => `the ${id}`
const change: ReportChange = {
  issue_number: null,
  key: '7',
  label: 'Sign-in',
  total: 24,
  previous: 12,
  since: '2026-11-12',
  mostly: { by: 'plan', key: 'Enterprise', label: null },
}

test('a change is said in words', () => {
  const said = (more: Partial<ReportChange> = {}) => changeWords({ ...change, ...more }, '2026-11-30', name)
  expect([changeName(change, 'theme', name), said()]).toEqual(['Sign-in', 'doubled, mostly Enterprise, since Nov 12'])
  expect(said({ since: null, mostly: null, total: 6 })).toBe('halved')
  expect(said({ since: '2025-12-30', mostly: { by: 'source', key: 'slack', label: null } })).toBe(
    'doubled, mostly the slack, since Dec 30, 2025',
  )
  expect(said({ since: null, mostly: { by: 'insight', key: '3', label: 'Cannot sign in' } })).toBe(
    'doubled, mostly “Cannot sign in”',
  )
  expect(changeName({ ...change, issue_number: 3, key: null, label: 'Cannot sign in' }, 'theme', name)).toBe(
    'Cannot sign in',
  )
  expect(changeName({ ...change, key: 'slack', label: null }, 'source', name)).toBe('the slack')
})

test.each([
  [12, 0, 'is new'],
  [0, 12, 'stopped'],
  [30, 10, 'tripled'],
  [52, 10, 'rose to 5 times as many'],
  [14, 10, 'rose by 40%'],
  [6, 10, 'fell by 40%'],
  [2, 10, 'fell by 80%'],
])('%i after %i: %s', (total, previous, words) => {
  expect(changeVerb({ total, previous })).toBe(words)
})

test('what a report leaves out is said, and nothing where it leaves out nothing', () => {
  expect(excludedText({ ungrouped: 14, emerging: 3, small_talk: 5, deleted: 0 })).toBe(
    'Not counted: 22 other mentions from this time (14 in no insight, 3 in emerging insights, 5 thanks or greetings).',
  )
  expect(excludedText({ ungrouped: 0, emerging: 0, small_talk: 0, deleted: 1 })).toBe(
    'Not counted: 1 other mention from this time (1 in deleted insights).',
  )
  expect(excludedText({ ungrouped: 0, emerging: 0, small_talk: 0, deleted: 0 })).toBeNull()
})

test('the days of the mentions are offered where none of them are in the report', () => {
  const beyond = (first_day: string | null, last_day: string | null) =>
    daysBeyond({ from: '2026-01-01', to: '2026-03-31', first_day, last_day } as Report)
  expect(beyond('2024-03-01', '2024-05-20')).toEqual({ from: '2024-03-01', to: '2024-05-20' })
  expect(beyond('2026-05-01', '2026-05-20')).toEqual({ from: '2026-05-01', to: '2026-05-20' })
  // Not all of nine years: at most five.
  expect(beyond('2015-01-01', '2024-12-31')).toEqual({ from: '2019-12-29', to: '2024-12-31' })
  expect(beyond('2024-03-01', '2026-01-01')).toBeNull()
  expect(beyond(null, null)).toBeNull()
})

test('parts have different colours, what is in none is grey, and all others have another grey', () => {
  const colors = colorsOf(['a', null, 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
  expect(new Set(colors).size).toBe(9)
  expect(colors[1]).toBe('var(--idle-dot)')
  expect(new Set(colorsOf([null, 'a', null], 2)).size).toBe(3)
})
