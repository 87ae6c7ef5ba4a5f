import { NO_OPTIONS } from '@groundswell/contract/evaluation/comparisons.ts'
import { expect, test } from 'vitest'
import { generatorAt, keepParts, placeFromAddress, placeToAddress } from './flow-address.ts'

test('a position survives a round trip through an address', () => {
  const ticked = { ...NO_OPTIONS, llm_temperatures: [0.2, '0.7'], methods: ['one & two'] }
  for (const place of [
    { directory: 'weekly', ticked, source: 'tickets & more', index: 2 },
    { directory: 'weekly', ticked: NO_OPTIONS, source: '', index: 0 },
    { directory: 'weekly', ticked: null, source: '', index: 0 },
    { directory: '', ticked: null, source: '', index: 0 },
  ]) {
    expect(placeFromAddress(new URLSearchParams(placeToAddress(place).toString()))).toEqual(place)
  }
})

test('an address that was edited manually breaks nothing', () => {
  const hostile = 'dir=a&filtered=1&methods=not-json&llm_temperatures={}&page=-3&source=b'
  expect(placeFromAddress(new URLSearchParams(hostile))).toEqual({
    directory: 'a',
    ticked: NO_OPTIONS,
    source: 'b',
    index: 0,
  })
})

test('what the screen shows stays in the address as long as there is a source', () => {
  const before = new URLSearchParams('dir=a&filtered=1&source=b&words=1&first=A+%26+B&analysis=0&other=1')
  const at = (source: string) => placeToAddress({ directory: 'a', ticked: NO_OPTIONS, source, index: 1 })
  expect(keepParts(at('b'), before).toString()).toBe('dir=a&filtered=1&source=b&page=2&words=1&first=A+%26+B')
  expect(keepParts(at(''), before).toString()).toBe('dir=a&filtered=1')
})

test('a generator is found by its name, and another one stands in for a name that is unknown', () => {
  const generators = ['words', 'sentences']
  expect(generatorAt(generators, 'sentences', 0)).toBe(1)
  expect(generatorAt(generators, 'gone', 1)).toBe(1)
  expect(generatorAt(['words'], null, 1)).toBe(0)
  expect(generatorAt([], null, 1)).toBe(0)
})
