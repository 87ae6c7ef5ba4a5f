import { OPPOSITES } from '@groundswell/fixtures/engine/opposites.ts'
import { describe, expect, test } from 'vitest'
import { LEXICONS, type Lexicon } from '../lexicons/lexicons.ts'
import { normalise, tokenise } from '../text/normalise.ts'
import { toneOf } from './tone.ts'

test.each(Object.entries<Lexicon>(LEXICONS))(
  'every phrase of %s is written as texts are read, none twice',
  (_, { TONES }) => {
    for (const phrases of Object.values(TONES)) {
      for (const phrase of phrases) expect(tokenise(normalise(phrase)).join(' ')).toBe(phrase)
      expect(new Set(phrases).size).toBe(phrases.length)
    }
  },
)

describe.each(OPPOSITES)('$style in $language about $about', ({ language, praise, complaint }) => {
  test('what praises, and what does not', () => {
    expect(praise.filter((text) => toneOf(text, language) !== 'praise')).toEqual([])
    expect(complaint.filter((text) => toneOf(text, language) !== 'complaint')).toEqual([])
  })
})

test.each([
  ['Great, another delay', 'complaint'],
  ['Would be great if the export was faster', 'complaint'],
  ['The app is great but login is a pain', 'complaint'],
  ['not easy to use', 'complaint'],
  ['Is the refund fast?', null],
  ['It must be easy to use', 'complaint'],
  ['no problems with the export, works perfectly', 'praise'],
  ['It used to be great', null],
  ['50h here, my boss was impressed 🙃', null],
  ['Fast forward button of the player', null],
  ['CSV export of large reports', null],
] as const)('%s: %s', (text, tone) => {
  expect(toneOf(text, 'en')).toBe(tone)
})

test.each([
  ['funktioniert hervorragend', 'praise'],
  ['das Programm ist kaputt', 'complaint'],
  ['Rechnungen im Archiv', null],
] as const)('%s, taken for English: %s', (text, tone) => {
  expect(toneOf(text, 'en')).toBe(tone)
})

test('in other languages nothing is known', () => {
  expect(toneOf('素晴らしい great', 'other')).toBeNull()
})
