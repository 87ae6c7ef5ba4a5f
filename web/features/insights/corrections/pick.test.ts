import { expect, test } from 'vitest'
import { idsBetween, withPicks } from './pick.ts'

const ids = ['1:0', '2:0', '3:0', '4:0']

test('a range works in both directions and includes both ends', () => {
  expect(idsBetween(ids, '2:0', '4:0')).toEqual(['2:0', '3:0', '4:0'])
  expect(idsBetween(ids, '3:0', '1:0')).toEqual(['1:0', '2:0', '3:0'])
  expect(idsBetween(ids, '3:0', '3:0')).toEqual(['3:0'])
})

test('a range whose start is not in the list is only its end', () => {
  expect(idsBetween(ids, null, '2:0')).toEqual(['2:0'])
  expect(idsBetween(ids, '9:0', '2:0')).toEqual(['2:0'])
})

test('a repeated selection counts once, and a deselected one leaves the rest', () => {
  expect(withPicks(['1:0', '3:0'], ['2:0', '3:0'], true)).toEqual(['1:0', '2:0', '3:0'])
  expect(withPicks(['1:0', '2:0', '3:0'], ['2:0', '3:0'], false)).toEqual(['1:0'])
})
