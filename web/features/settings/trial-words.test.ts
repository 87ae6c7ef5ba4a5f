import { expect, test } from 'vitest'
import { showShare, showValue } from './trial-words.ts'

test.each([
  [12.54, true, '12.5 %'],
  [7, true, '7.0 %'],
  [7.4, false, '7'],
  ['Export', false, 'Export'],
])('%s is shown as a value', (value, percent, shown) => {
  expect(showValue(value, percent)).toBe(shown)
})

test('the number of insights with a value includes the total', () => {
  expect([showShare(8, 9), showShare(0, 1)]).toEqual(['8 of the last 9 insights', '0 of 1 insight'])
})
