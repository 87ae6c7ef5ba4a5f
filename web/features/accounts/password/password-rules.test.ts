import { expect, test } from 'vitest'
import { passwordProblem } from './password-rules.ts'

test('8 characters to 72 bytes are accepted, and anything else is explained', () => {
  expect(passwordProblem('1234567')).toContain('Too short')
  expect(passwordProblem('12345678')).toBeNull()
  expect(passwordProblem('x'.repeat(72))).toBeNull()
  expect(passwordProblem('x'.repeat(73))).toContain('Too long')
})

test('characters count for the shortest, bytes for the longest: an emoji is four', () => {
  expect(passwordProblem('🌊'.repeat(7))).toContain('Too short')
  expect(passwordProblem('🌊'.repeat(8))).toBeNull()
  expect(passwordProblem('🌊'.repeat(18))).toBeNull()
  expect(passwordProblem('🌊'.repeat(19))).toContain('Too long')
})
