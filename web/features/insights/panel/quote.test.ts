import type { Category } from '@groundswell/contract/insights.ts'
import { categoryValue } from '@groundswell/contract/values/category-value.ts'
import { expect, test } from 'vitest'
import { placeQuote } from './quote.ts'

const base = { link: null, date: '2026-06-01T00:00:00Z' }

test('the offsets choose between two equal passages', () => {
  const message = 'slow, really slow'
  expect(placeQuote({ ...base, text: 'slow', message, start: 13, end: 17 }, false)).toMatchObject({
    before: 'slow, really ',
    quote: 'slow',
    after: '',
  })
})

test('wrong offsets never mark other text: the quote is searched for', () => {
  const placed = placeQuote({ ...base, text: 'crash', message: 'It may crash.', start: 0, end: 5 }, false)
  expect([placed.before, placed.quote, placed.after]).toEqual(['It may ', 'crash', '.'])
})

test('a quote without its message is shown alone', () => {
  const alone = { before: '', quote: 'crash', after: '', cutBefore: false, cutAfter: false }
  expect(placeQuote({ ...base, text: 'crash' }, false)).toEqual(alone)
  expect(placeQuote({ ...base, text: 'crash', message: 'Nothing of the kind' }, false)).toEqual(alone)
})

test('a long message is cut at words unless the whole is requested', () => {
  const message = `${'word '.repeat(200)}here it is${' tail'.repeat(200)}`
  const mention = { ...base, text: 'here it is', message, start: 1000, end: 1010 }
  const cut = placeQuote(mention, false)
  expect(cut.cutBefore && cut.cutAfter).toBe(true)
  expect(cut.before.startsWith('word ')).toBe(true)
  expect(cut.after.endsWith(' tail')).toBe(true)
  expect(cut.before.length).toBeLessThanOrEqual(240)
  const whole = placeQuote(mention, true)
  expect(whole.before + whole.quote + whole.after).toBe(message)
})

test.each<[Category['cat_type'], Category['option_value'], string | null]>([
  ['calculated', 3.456, '3.5'],
  ['calculated', '2', '2.0'],
  ['number', 41.7, '42'],
  ['number', 'many', 'many'],
  ['category', 'Export', 'Export'],
  ['other', 1.25, '1.25'],
  ['number', 0, '0'],
  ['category', null, null],
])('a %s of %s is shown as %s', (cat_type, option_value, shown) => {
  expect(categoryValue({ cat_name: 'x', cat_type, option_value, option_colour: null })).toBe(shown)
})
