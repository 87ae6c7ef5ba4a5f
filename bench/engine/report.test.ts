import { expect, test } from 'vitest'
import { COLUMNS, page, SHOWN_COLUMNS, spread, table } from './report.ts'

const engine = { data: 'a set', method: 'engine', cells: { majority: [80, 82], precision: [90, 92], churn: null } }
const peer = { data: 'a set', method: 'peer', cells: { precision: [50, 50], recall: null } }

test('mean and standard deviation by hand, and a single value alone', () => {
  expect(spread([1, 2, 3])).toBe('2.0 ± 0.8')
  expect(spread([7])).toBe('7.0')
})

test('a table has the columns and lines with figures', () => {
  const cells = { precision: [90, 92], recall: [50] }
  expect(table([{ ...engine, cells }, peer], COLUMNS)).toBe(
    [
      '| data | method | B³ P | B³ R |',
      '|---|---|---:|---:|',
      '| a set | engine | 91.0 ± 1.0 | 50.0 |',
      '| a set | peer | 50.0 ± 0.0 | – |',
    ].join('\n'),
  )
  expect(table([engine, peer], SHOWN_COLUMNS)).toBe(
    '| data | method | precision of grouped |\n|---|---|---:|\n| a set | engine | 81.0 ± 1.0 |',
  )
})

test('the page says what was measured and what was skipped, and begins with what people see', () => {
  const text = page({ heading: 'here and now', seeds: 2, skipped: ['HWU64'], lines: [engine, peer] })
  expect(text).toContain('here and now')
  expect(text).toContain('- HWU64: skipped')
  expect(text.indexOf('precision of grouped')).toBeLessThan(text.indexOf('B³ P |'))
})
