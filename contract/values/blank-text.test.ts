import { expect, it } from 'vitest'
import { isBlank } from './blank-text.ts'

it.each([
  '',
  ' \t\n',
  '\u200b\u200b',
  '\u200b \u2060\ufeff',
  '\u00ad',
  '\u3164',
  '\u2800',
  '\u0000',
  '\u202e',
  '\ufe0f',
])('%j shows nothing', (text) => {
  expect(isBlank(text)).toBe(true)
})

it.each(['a', '💩', '\u200b.', 'ー', '?', '❤\ufe0f'])('%j shows something', (text) => {
  expect(isBlank(text)).toBe(false)
})
