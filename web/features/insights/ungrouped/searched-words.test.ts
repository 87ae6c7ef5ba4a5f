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

test('words are found inside text without spaces', () => {
  expect(findSearched('領収書をダウンロードしたら空白。空', 'ダウンロード 空白')).toEqual([
    { start: 4, text: 'ダウンロード' },
    { start: 13, text: '空白' },
  ])
  expect(found('ﾀﾞｳﾝﾛｰﾄﾞのボタン', 'ダウンロード')).toEqual(['ﾀﾞｳﾝﾛｰﾄﾞ'])
  expect(found('ダウン、ロード', 'ダウンロード')).toEqual([])
  expect(found('PDFが空白', 'pdf 空')).toEqual(['PDF', '空'])
  expect(found('다운로드가 안 됩니다', '다운로드')).toEqual(['다운로드'])
  expect(found('ดาวน์โหลดใบเสร็จ', 'ใบเสร็จ')).toEqual(['ใบเสร็จ'])
  expect(found('報表是空白的', '"是空白"')).toEqual(['是空白'])
  expect(found('great🎉work', '🎉 wor')).toEqual(['🎉', 'work'])
})

test('letters are found in any form, and marked as they are', () => {
  expect(found('Groß, gross, GROSS, groß-, größer', 'gross x')).toEqual(['Groß', 'gross', 'GROSS', 'groß'])
  expect(found('Größenangabe', 'große')).toEqual(['Größenangabe'])
  expect(found('Café cafe\u0301 cafe', 'cafe')).toEqual(['Café', 'cafe\u0301', 'cafe'])
  expect(found('İstanbul ＡＢＣ', 'istanbul abc')).toEqual(['İstanbul', 'ＡＢＣ'])
  expect(found('Groß, gross', '"groß"')).toEqual(['Groß'])
  expect(found('cafe\u0301 cafe', '"café"')).toEqual(['cafe\u0301'])
})

test('terms whose punctuation has a meaning are found as they are written', () => {
  expect(found('C++ or C? c++17', 'C++')).toEqual(['C++', 'c++'])
  expect(found('最新のC++で', 'c++')).toEqual(['C++'])
  expect(found('.NET and the net', '.NET')).toEqual(['.NET'])
  expect(found('<b>bold</b> b', '<b>')).toEqual(['<b>'])
  expect(found('100 % of 100', '100%')).toEqual(['100 %'])
  expect(found('#12 and #123', '#12 and')).toEqual(['#12', 'and'])
})

test('what overlaps is marked once', () => {
  expect(found('takes minutes to load', 'minutes "takes minutes" lo')).toEqual(['takes minutes', 'load'])
})

test('nothing typed finds nothing', () => {
  expect(findSearched('all of it', '  ')).toEqual([])
})
