import { expect, test } from 'vitest'
import { LEXICONS } from '../lexicons/lexicons.ts'
import { OTHER_LANGUAGE_WORDS } from '../lexicons/other-languages.ts'
import { analyse } from '../text/features.ts'
import { isUnknownLanguage } from './unknown-language.ts'

test('no common word of another language is common in one of the five', () => {
  const known = new Set(
    Object.values(LEXICONS).flatMap(({ COMMON_WORDS, STOPWORDS }) => [...COMMON_WORDS, ...STOPWORDS]),
  )
  expect(OTHER_LANGUAGE_WORDS.filter((word) => known.has(word))).toEqual([])
})

test.each([
  'the quick brown fox',
  'setFocusable() and setFocusableInTouchMode() do not work',
  'Datenschutzgrundverordnungskonformität Rechnungsstellungsprozess fehlerhaft',
  'Poderiam oferecer aulas à noite',
  'ajoutez le mode sombre svp',
  'Muéstrenme más opciones sin lactosa',
  'lol omg wtf bro',
  'Anna Maria Schmidt Meyer',
  'ok',
  '',
])('is not told of: %s', (text) => {
  expect(isUnknownLanguage(analyse(text))).toBe(false)
})

test.each([
  'Kunnen jullie een donkere modus toevoegen',
  'Vorrei che questa app fosse più veloce ogni giorno',
  'Jestem bardzo zadowolony z obsługi',
  'Sovellus kaatuu joka kerta kun avaan kameran',
  'Aplikasi ini tidak bisa dibuka sama sekali',
  'Aplicația nu pornește și nu știu ce să fac',
  'ไม่ทำงาน',
  'не работает',
])('is told of: %s', (text) => {
  expect(isUnknownLanguage(analyse(text))).toBe(true)
})
