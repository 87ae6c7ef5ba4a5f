import { expect, test } from 'vitest'
import { totalText } from './total-in-words.ts'

test('a total is a number up to where the server counts', () => {
  expect(totalText(312)).toBe('312')
  expect(totalText(9_999)).toBe('9,999')
  expect(totalText(10_000)).toBe('10,000 or more')
})
