import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPairOfHan, koreanStem, lettersOf } from './hangul-and-han.ts'
import { stem } from './language.ts'

test.each([
  ['청구서의', '청구서'],
  ['달력에서', '달력'],
  ['달력에는', '달력'],
  ['멈췄습니다', '멈췄'],
  ['보이지', '보이'],
  ['앱이', '앱이'],
  ['배송', '배송'],
])('the stem of %s is %s', (word, expected) => {
  expect(koreanStem(word)).toBe(expected)
  expect(stem(word, 'other')).toBe(expected)
})

test('a stem of Hangul begins its word and has at least two syllables, if the word has', () => {
  const syllables = fc.array(fc.integer({ min: 0xac00, max: 0xd7a3 }), { minLength: 2, maxLength: 12 })
  fc.assert(
    fc.property(syllables, (codes) => {
      const word = String.fromCharCode(...codes)
      const stemmed = koreanStem(word)
      expect(word.startsWith(stemmed)).toBe(true)
      expect(stemmed.length).toBeGreaterThanOrEqual(2)
    }),
  )
})

test('two forms of a Korean verb begin with the same letters', () => {
  expect(lettersOf('틀립니다').slice(0, 4)).toBe(lettersOf('틀렸어요').slice(0, 4))
  expect(lettersOf('export')).toBe('export')
})

test('two Chinese characters are a pair, whatever else has two characters is none', () => {
  expect(['税号', '税', '税号错', 'ab', 'カレ', '税a'].map(isPairOfHan)).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ])
})
