import { expect, test } from 'vitest'
import { totalInWords } from './total-in-words.ts'

test('a total is a number up to where the server counts', () => {
  expect(totalInWords(312)).toBe('312')
  expect(totalInWords(9_999)).toBe('9,999')
  expect(totalInWords(10_000)).toBe('10,000 or more')
})
