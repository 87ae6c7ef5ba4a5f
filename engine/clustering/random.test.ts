import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seededRandom, shuffle } from './random.ts'

const draw = (seed: number, count: number) => {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => random())
}

describe('seededRandom', () => {
  test('gives the same numbers for the same seed, and others for another', () => {
    expect(draw(7, 20)).toEqual(draw(7, 20))
    expect(draw(7, 20)).not.toEqual(draw(8, 20))
  })

  test('gives these numbers on every machine', () => {
    expect(draw(1, 3)).toEqual([0.6270739405881613, 0.002735721180215478, 0.5274470399599522])
  })

  test('stays in [0, 1) and fills it evenly', () => {
    const tenths = Array.from({ length: 10 }, () => 0)
    for (const value of draw(3, 10_000)) {
      expect(value).toBeGreaterThanOrEqual(0)
      expect(value).toBeLessThan(1)
      tenths[Math.floor(value * 10)] = (tenths[Math.floor(value * 10)] as number) + 1
    }
    for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(150)
  })

  test('uses the whole part of a seed, also of a negative or a large one', () => {
    expect(draw(2.9, 3)).toEqual(draw(2, 3))
    expect(draw(2 ** 32 + 5, 3)).toEqual(draw(5, 3))
    expect(draw(-1, 3)).not.toEqual(draw(1, 3))
  })
})

describe('shuffle', () => {
  test('keeps every value, and the same seed gives the same order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1_000, max: 1_000 })), fc.integer(), (values, seed) => {
        const once = Int32Array.from(values)
        const again = Int32Array.from(values)
        shuffle(once, seededRandom(seed))
        shuffle(again, seededRandom(seed))
        expect(once).toEqual(again)
        expect([...once].sort((a, b) => a - b)).toEqual([...values].sort((a, b) => a - b))
      }),
    )
  })

  test('brings every value to every place about equally often', () => {
    const size = 5
    const counts = Array.from({ length: size }, () => Array.from({ length: size }, () => 0))
    const random = seededRandom(11)
    for (let round = 0; round < 5_000; round++) {
      const values = Int32Array.from({ length: size }, (_, i) => i)
      shuffle(values, random)
      values.forEach((value, place) => {
        const row = counts[place] as number[]
        row[value] = (row[value] as number) + 1
      })
    }
    for (const count of counts.flat()) expect(Math.abs(count - 1_000)).toBeLessThan(150)
  })
})
