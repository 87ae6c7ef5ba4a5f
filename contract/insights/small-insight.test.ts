import { expect, test } from 'vitest'
import type { Insight } from '../insights.ts'
import { isSmall } from './small-insight.ts'

const insight = (more: Partial<Insight>): Insight => ({
  issue_number: 1,
  issue_name: 'name',
  summary: 'summary',
  status: 'created',
  last_updated: '2026-03-04T10:00:00Z',
  evidence: [],
  categories: [],
  ...more,
})

test('small: created, with fewer mentions than the threshold', () => {
  expect(isSmall(insight({ mention_count: 2 }), { min_inputs: 3 })).toBe(true)
  expect(isSmall(insight({ mention_count: 3 }), { min_inputs: 3 })).toBe(false)
  for (const status of ['pushed', 'resolved', 'regressed', 'ignored'] as const) {
    expect(isSmall(insight({ mention_count: 2, status }), { min_inputs: 3 })).toBe(false)
  }
})

test('where the threshold counts people, so does this', () => {
  const one = insight({ mention_count: 9, people_count: 2 })
  expect(isSmall(one, { min_inputs: 3, count_people: true })).toBe(true)
  expect(isSmall(one, { min_inputs: 3, count_people: false })).toBe(false)
  expect(isSmall(one, { min_inputs: 3, count_people: true, count_by: 'mentions' })).toBe(false)
  expect(isSmall(one, { min_inputs: 3, count_by: 'customers' })).toBe(true)
  expect(isSmall({ ...one, customer_count: 3 }, { min_inputs: 3, count_by: 'customers' })).toBe(false)
})

test('without counts, as other servers send it, none is', () => {
  expect(isSmall(insight({}), { min_inputs: 3 })).toBe(false)
})

test('copies of too few texts by too few known authors are small, however many there are', () => {
  const copies = insight({ mention_count: 39, people_count: 39, text_count: 1, author_count: 1 })
  expect(isSmall(copies, { min_inputs: 3 })).toBe(true)
  expect(isSmall(copies, { min_inputs: 3, count_by: 'people' })).toBe(true)
  expect(isSmall({ ...copies, text_count: 3 }, { min_inputs: 3 })).toBe(false)
  expect(isSmall({ ...copies, author_count: 3 }, { min_inputs: 3 })).toBe(false)
  expect(isSmall({ ...copies, customer_count: 3 }, { min_inputs: 3, count_by: 'customers' })).toBe(false)
  expect(isSmall({ ...copies, status: 'pushed' }, { min_inputs: 3 })).toBe(false)
  expect(isSmall(insight({ mention_count: 39 }), { min_inputs: 3 })).toBe(false)
})
