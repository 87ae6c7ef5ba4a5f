import { expect, test } from 'vitest'
import { readPhrases } from './noun-phrases.ts'

const phrasesOf = (text: string) => readPhrases(text, 'en').phrases.map((phrase) => phrase.text)
const useOf = (text: string, stemmed: string) => readPhrases(text, 'en').uses.get(stemmed)

test('phrases are content words, and two that stand next to each other, as written', () => {
  expect(phrasesOf('The Google Calendar sync, broken again')).toEqual([
    'Google',
    'Google Calendar',
    'Calendar',
    'Calendar sync',
    'sync',
    'broken',
  ])
  expect(phrasesOf('see https://example.com/export or write to export@example.com')).toEqual(['write'])
  expect(phrasesOf('')).toEqual([])
})

test('a word ends a noun phrase, is inside one, or stands elsewhere', () => {
  expect(useOf('the export', 'export')).toEqual({ heads: 1, inside: 0, ends: 0, elsewhere: 0 })
  expect(useOf('the export button', 'export')).toEqual({ heads: 0, inside: 1, ends: 0, elsewhere: 0 })
  expect(useOf('the export button', 'button')).toEqual({ heads: 0, inside: 0, ends: 1, elsewhere: 0 })
  expect(useOf('we can export', 'export')).toEqual({ heads: 0, inside: 0, ends: 0, elsewhere: 1 })
})

test('signing in is one noun, however it is written', () => {
  expect(phrasesOf('I can log in')).toEqual(['login'])
  expect(phrasesOf('signing in fails')).toEqual(['login', 'fails'])
  expect(useOf('I cannot log in', 'login')).toMatchObject({ heads: 1 })
})

test('the start of a sentence is known, because capitals there mean nothing', () => {
  const firsts = readPhrases('Calendar broken. "Invoice wrong" and Jira too', 'en').phrases.filter((one) => one.isFirst)
  expect(firsts.map((one) => one.text)).toEqual(['Calendar', 'Calendar broken', 'Invoice', 'Invoice wrong'])
})

test('other languages have articles of their own', () => {
  expect(readPhrases('der Export fehlt', 'de').uses.get('export')).toMatchObject({ inside: 1 })
  expect(readPhrases('la facture', 'fr').uses.get('factur')).toMatchObject({ heads: 1 })
})
