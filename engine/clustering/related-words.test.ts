import { expect, test } from 'vitest'
import { sharedWords, similarWords } from './related-words.ts'

test('words most of the others use come first, whatever their form', () => {
  const others = [
    'CSV exports are slow',
    'the export of a report fails',
    'Exporting a CSV takes ages',
    'dark mode, please',
  ]
  expect(sharedWords('The export to CSV of our report hangs', others)).toEqual(['export', 'csv', 'report'])
})

test('returns nothing when nothing is shared', () => {
  expect(sharedWords('the and of it', ['the and of it'])).toEqual([])
  expect(sharedWords('', ['a'])).toEqual([])
  expect(sharedWords('export fails', [])).toEqual([])
})

test('stop words of the text’s language are left out', () => {
  const text = 'les factures ne sont pas dans la liste'
  expect(sharedWords(text, ['les factures ne sont pas dans notre liste'])).toEqual(['factures', 'liste'])
})

test('words that others express differently, or in another language, are paired with theirs', () => {
  const others = ['the dashboard takes half a minute to load', 'le chargement est très lent depuis hier']
  expect(similarWords('Das Laden ist so langsam', others)).toEqual(expect.arrayContaining(['langsam ≈ lent']))
  expect(similarWords('Projects that were removed', ['Restore deleted projects'])).toEqual(['removed ≈ deleted'])
})

test('shared words, and words without a similar one, are left out', () => {
  expect(similarWords('página lenta', ['página lenta', 'a página é lenta e não abre'])).toEqual([])
  expect(similarWords('Where can I buy shoes?', ['the export of invoices fails'])).toEqual([])
  expect(similarWords('', ['a'])).toEqual([])
  expect(similarWords('export fails', [])).toEqual([])
})
