import { expect, test } from 'vitest'
import { passwordProblem } from './password-rules.ts'

test('8 to 72 bytes are taken, and what is outside is told in words', () => {
  expect(passwordProblem('1234567')).toContain('Too short')
  expect(passwordProblem('12345678')).toBeNull()
  expect(passwordProblem('x'.repeat(72))).toBeNull()
  expect(passwordProblem('x'.repeat(73))).toContain('Too long')
})

test('bytes count, not letters: an emoji is four', () => {
  expect(passwordProblem('🌊🌊')).toBeNull()
  expect(passwordProblem('🌊'.repeat(18))).toBeNull()
  expect(passwordProblem('🌊'.repeat(19))).toContain('Too long')
})
