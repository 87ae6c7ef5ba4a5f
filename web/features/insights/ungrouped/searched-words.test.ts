import { expect, test } from 'vitest'
import { findSearched } from './searched-words.ts'

const found = (text: string, search: string) => findSearched(text, search).map((one) => one.text)

test('whole words are found in any case, and the last may be incomplete', () => {
  expect(findSearched('The export of our Export list: exports fail', 'export fai')).toEqual([
    { start: 4, text: 'export' },
    { start: 18, text: 'Export' },
    { start: 39, text: 'fail' },
  ])
  expect(found('important imports', 'port')).toEqual([])
  expect(found('exporting, exports', 'expor')).toEqual(['exporting', 'exports'])
})

test('text in quotes is found as it is, over line breaks too', () => {
  expect(found('It takes\nminutes to load. Minutes!', '"takes minutes"')).toEqual(['takes\nminutes'])
  expect(found('sign-on fails, sign on works', '"sign-on"')).toEqual(['sign-on'])
  expect(found('still being typed', '"still be')).toEqual(['still', 'being'])
})

test('punctuation in a word separates words', () => {
  expect(found('Single sign-on: signing on', 'sign-on')).toEqual(['sign', 'on', 'signing', 'on'])
  expect(found('Single sign-on: signing on', 'sign-on fails')).toEqual(['sign', 'on', 'on'])
})

test('other scripts and accents are whole words too', () => {
  expect(found('Größe der Größenangabe', 'größe x')).toEqual(['Größe'])
  expect(found('не работает экспорт', 'экспорт')).toEqual(['экспорт'])
})

test('what a pattern would read as a command is text', () => {
  for (const search of ['(', '.*', '[a-z]+', '$^', '"(a|b)"', '\\', '""', '" "', '-']) {
    expect(found('plain words', search)).toEqual([])
  }
  expect(found('costs (a|b) now', '"(a|b)"')).toEqual(['(a|b)'])
})

test('nothing typed finds nothing', () => {
  expect(findSearched('all of it', '  ')).toEqual([])
})
