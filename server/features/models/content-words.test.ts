import { describe, expect, test } from 'vitest'
import { contentWords, sameWord } from './content-words.ts'

describe('contentWords', () => {
  test.each([
    ['The CSV export, for our users, is not working!', ['csv', 'export', 'working']],
    ['Der Export von Berichten als PDF geht nicht', ['export', 'berichten', 'als', 'pdf', 'geht']],
    ['2FA code 2FA', ['2fa', 'code']],
    ['ok 👍', []],
  ])('%s', (text, words) => {
    expect(contentWords(text)).toEqual(words)
  })

  test('finds words in scripts without spaces', () => {
    expect(contentWords('レポートのエクスポートが止まる').length).toBeGreaterThan(2)
  })
})

test.each([
  ['export', 'exporting', true],
  ['export', 'exports', true],
  ['category', 'categories', true],
  ['fail', 'failed', true],
  ['delete', 'deleting', true],
  ['contact', 'contract', false],
  ['csv', 'csvs', false],
  ['report', 'repair', false],
])('%s and %s: %s', (a, b, same) => {
  expect(sameWord(a, b)).toBe(same)
  expect(sameWord(b, a)).toBe(same)
})
