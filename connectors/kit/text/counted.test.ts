import { expect, test } from 'vitest'
import { counted } from './counted.ts'

test('one has the noun, other numbers its plural, and thousands are separated', () => {
  expect([0, 1, 1204].map((count) => counted(count, 'mention'))).toEqual(['0 mentions', '1 mention', '1,204 mentions'])
  expect([1, 2].map((count) => counted(count, 'reply', 'replies'))).toEqual(['1 reply', '2 replies'])
})
