import { expect, test } from 'vitest'
import { idsBetween, withPicks } from './pick.ts'

const ids = ['1:0', '2:0', '3:0', '4:0']

test('a range goes either way and holds both its ends', () => {
  expect(idsBetween(ids, '2:0', '4:0')).toEqual(['2:0', '3:0', '4:0'])
  expect(idsBetween(ids, '3:0', '1:0')).toEqual(['1:0', '2:0', '3:0'])
  expect(idsBetween(ids, '3:0', '3:0')).toEqual(['3:0'])
})

test('without a beginning that is still in the list a range is its end alone', () => {
  expect(idsBetween(ids, null, '2:0')).toEqual(['2:0'])
  expect(idsBetween(ids, '9:0', '2:0')).toEqual(['2:0'])
})

test('what is picked twice is picked once, and what is taken back leaves the rest', () => {
  expect(withPicks(['1:0', '3:0'], ['2:0', '3:0'], true)).toEqual(['1:0', '2:0', '3:0'])
  expect(withPicks(['1:0', '2:0', '3:0'], ['2:0', '3:0'], false)).toEqual(['1:0'])
})
