import { expect, test } from 'vitest'
import { oneLine } from './one-line.ts'

test.each([
  ['  two\n\twords ', undefined, 'two words'],
  ['🤯🤯🤯', 3, '🤯🤯🤯'],
  ['🤯🤯🤯🤯', 3, '🤯🤯…'],
  [' \n ', 3, ''],
])('%j with at most %s characters is %j', (text, most, line) => {
  expect(oneLine(text, most)).toBe(line)
})
