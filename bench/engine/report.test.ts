import { expect, test } from 'vitest'
import { page, spread, table } from './report.ts'

test('mean and standard deviation by hand', () => {
  expect(spread([1, 2, 3])).toBe('2.0 ± 0.8')
})

test('the page says what was measured and what was skipped', () => {
  const lines = [{ data: 'a set', method: 'engine', cells: { precision: [90, 92], churn: null } }]
  expect(table(lines)).toMatch(/\| a set \| engine \| 91\.0 ± 1\.0 \| – \|/)
  const text = page({ heading: 'here and now', seeds: 2, skipped: ['HWU64'], lines })
  expect(text).toContain('here and now')
  expect(text).toContain('- HWU64: skipped')
})
