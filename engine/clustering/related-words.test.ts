import { expect, test } from 'vitest'
import { sharedWords, similarWords } from './related-words.ts'

test('what most of the others say too comes first, whatever its form', () => {
  const others = [
    'CSV exports are slow',
    'the export of a report fails',
    'Exporting a CSV takes ages',
    'dark mode, please',
  ]
  expect(sharedWords('The export to CSV of our report hangs', others)).toEqual(['export', 'csv', 'report'])
})

test('nothing shared is nothing said', () => {
  expect(sharedWords('the and of it', ['the and of it'])).toEqual([])
  expect(sharedWords('', ['a'])).toEqual([])
  expect(sharedWords('export fails', [])).toEqual([])
})

test('words of the frame are left out in the language of the text', () => {
  const text = 'les factures ne sont pas dans la liste'
  expect(sharedWords(text, ['les factures ne sont pas dans notre liste'])).toEqual(['factures', 'liste'])
})

test('words that others say in another word, or in another language, stand beside theirs', () => {
  const others = ['the dashboard takes half a minute to load', 'le chargement est très lent depuis hier']
  expect(similarWords('Das Laden ist so langsam', others)).toEqual(expect.arrayContaining(['langsam ≈ lent']))
  expect(similarWords('Projects that were removed', ['Restore deleted projects'])).toEqual(['removed ≈ deleted'])
})

test('words that both share, and those without a like, are not named', () => {
  expect(similarWords('página lenta', ['página lenta', 'a página é lenta e não abre'])).toEqual([])
  expect(similarWords('Where can I buy shoes?', ['the export of invoices fails'])).toEqual([])
  expect(similarWords('', ['a'])).toEqual([])
  expect(similarWords('export fails', [])).toEqual([])
})
