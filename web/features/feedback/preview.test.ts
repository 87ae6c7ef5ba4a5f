import { FileEncoding } from '@groundswell/contract/feedback.ts'
import { describe, expect, test } from 'vitest'
import { choicesQuery, ENCODINGS, NotText, preview, withChoice } from './preview.ts'

describe('choices', () => {
  test('are sent only where the user made them', () => {
    expect(choicesQuery({})).toEqual({})
    expect(
      choicesQuery({ header: false, encoding: 'windows-1252', dateOrder: 'day_first', mapping: { text: 'a' } }),
    ).toEqual({ header: 'false', encoding: 'windows-1252', date_order: 'day_first', mapping: '{"text":"a"}' })
  })

  test('of columns are reset by another header or encoding, which changes the names of columns', () => {
    const chosen = { mapping: { text: 'a', date: 'b' }, dateOrder: 'day_first' } as const
    expect(withChoice(chosen, { header: false })).toEqual({ header: false })
    expect(withChoice({ ...chosen, header: true }, { encoding: 'utf-8' })).toEqual({ header: true, encoding: 'utf-8' })
  })

  test('of a header and columns are reset by another format or sheet', () => {
    const chosen = { mapping: { text: 'a' }, header: true, sheet: 'Web' } as const
    expect(withChoice(chosen, { sheet: 'App' })).toEqual({ sheet: 'App' })
    expect(withChoice({ header: true, mapping: { text: 'a' } }, { format: 'text' })).toEqual({ format: 'text' })
  })

  test('of an order of dates are reset by another date column only', () => {
    const chosen = { mapping: { text: 'a', date: 'b' }, dateOrder: 'day_first' } as const
    expect(withChoice(chosen, { mapping: { text: 'c', date: 'b' } })).toEqual({
      mapping: { text: 'c', date: 'b' },
      dateOrder: 'day_first',
    })
    expect(withChoice(chosen, { mapping: { text: 'a', date: 'd' } })).toEqual({ mapping: { text: 'a', date: 'd' } })
    expect(withChoice(chosen, { dateOrder: 'month_first' })).toEqual({ ...chosen, dateOrder: 'month_first' })
  })
})

test('every encoding of the contract has a name', () => {
  expect(Object.keys(ENCODINGS).toSorted()).toEqual([...FileEncoding.options].toSorted())
})

test.each([
  ['a picture', [0x89, 0x50, 0x4e, 0x47], /picture/],
  ['an old workbook', [0xd0, 0xcf, 0x11, 0xe0], /save the sheet as CSV/],
  ['half a workbook', [0x50, 0x4b, 0x03, 0x04, ...Array.from({ length: 300_000 }, () => 0)], /damaged or incomplete/],
])('%s is refused before anything is sent', async (_, bytes, reason) => {
  const file = new File([Uint8Array.from(bytes)], 'feedback.csv')
  // There is no server, so any call would fail differently: with a CallError.
  await expect(preview(file)).rejects.toThrow(NotText)
  await expect(preview(file)).rejects.toThrow(reason)
})
