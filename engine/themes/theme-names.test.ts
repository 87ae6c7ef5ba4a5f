import { expect, test } from 'vitest'
import { ThemeNames } from './theme-names.ts'

const insight = (issueId: number, name: string, texts: string[], mentions = texts.length) => ({
  issueId,
  name,
  mentions,
  texts: texts.map((text) => ({ text, language: 'en' as const })),
})
const NAMES = new ThemeNames([
  insight(1, 'Invoices arrive late', ['The invoice arrives late', 'Our invoice was late again']),
  insight(2, 'VAT is wrong', ['VAT on the invoice is wrong', 'Wrong VAT in an invoice']),
  insight(3, 'CSV is empty', ['The CSV is empty', 'an empty CSV', 'My CSV has nothing in it']),
  insight(4, 'CSV misses columns', ['Columns are missing in the CSV', 'The CSV lacks a column']),
  insight(5, 'Robots rebel', ['The robot rebels']),
  insight(6, 'Coffee is cold', ['The coffee is cold'], 9),
])

test('the name is the noun that most insights share, as people write it, with an initial capital', () => {
  expect(NAMES.choose([1, 2], new Set())).toBe('Invoice')
  expect(NAMES.choose([3, 4], new Set())).toBe('CSV')
})

test('no name is given twice', () => {
  const taken = new Set<string>()
  const first = NAMES.choose([1, 2], taken)
  expect(NAMES.choose([1, 2], taken)).not.toBe(first)
})

test('without a noun that two of them and half of them say there is none', () => {
  expect(NAMES.choose([5, 6], new Set())).toBeNull()
  expect(NAMES.choose([1, 5], new Set())).toBeNull()
  expect(NAMES.choose([1, 2, 5, 6], new Set())).toBe('Invoice')
  expect(NAMES.choose([1, 3, 4, 5, 6], new Set())).toBeNull()
})

test('a known name fits as long as half of the insights are about it, and not one alone', () => {
  expect(NAMES.fits('Invoices', [1, 2])).toBe(true)
  expect(NAMES.fits('Invoices', [1, 2, 3])).toBe(true)
  expect(NAMES.fits('Invoices', [1, 2, 3, 4])).toBe(true)
  expect(NAMES.fits('Invoices', [1, 2, 3, 4, 5])).toBe(false)
  expect(NAMES.fits('Invoices', [3, 4])).toBe(false)
  expect(NAMES.fits('Invoices', [1, 3])).toBe(false)
})
