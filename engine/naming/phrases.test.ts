import { expect, test } from 'vitest'
import { sharedPhrase } from './phrases.ts'

const SHARES = new Map([
  ['dark', 0.8],
  ['mode', 0.8],
  ['phone', 0.5],
  ['banner', 0.1],
])

const phrase = (texts: string[], taken: string[] = [], more: [string, number][] = [], language: 'en' | 'de' = 'en') =>
  sharedPhrase(
    texts.map((text) => ({ text, language, weight: 1 })),
    new Map([...SHARES, ...more]),
    () => 5,
    (text) => taken.includes(text),
  )

test('is the words that most members use, as they follow each other', () => {
  expect(phrase(['a banner about dark mode', 'the dark mode hurts', 'what a banner'])).toBe('Dark mode')
  expect(phrase(['banner for dark mode on my phone', 'dark mode on phone, thanks'])).toBe('Dark mode on phone')
})

test('does not cross the end of a clause, nor a word that few use', () => {
  expect(phrase(['dark, mode', 'dark banner mode', 'dark. mode'])).toBeNull()
})

test('is none when a single sentence has it, or of one word', () => {
  expect(phrase(['the dark mode'])).toBeNull()
  expect(phrase(['the phone', 'a phone'])).toBeNull()
})

test('is no part that cannot stand alone', () => {
  expect(phrase(['through phone', 'only through phone'], [], [['through', 0.8]])).toBeNull()
  expect(phrase(['dark-mode bugs', 'a dark-mode banner'])).toBeNull()
})

test('is one word with a hyphen where that is a noun', () => {
  const shares: [string, number][] = [
    ['dark', 0.8],
    ['mod', 0.8],
  ]
  expect(phrase(['der Dark-Mode fehlt', 'kein Dark-Mode'], [], shares, 'de')).toBe('Dark-Mode')
})

test('is not a name in use', () => {
  expect(phrase(['dark mode', 'dark mode'], ['Dark mode'])).toBeNull()
})
