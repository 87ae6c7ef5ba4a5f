import { expect, test } from 'vitest'
import { sharedWords } from './why.ts'

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
