import { describe, expect, test } from 'vitest'
import { hashText, hashWords, termRarity, Vocabulary } from './vocabulary.ts'

describe('hashText', () => {
  test('hashes a slice like the same text alone, and never gives 0', () => {
    expect(hashText('an export', 3, 9, 1)).toBe(hashText('export', 0, 6, 1))
    for (let n = 0; n < 2_000; n++) expect(hashText(`${n}`, 0, `${n}`.length, n)).not.toBe(0)
  })

  test('depends on the salt', () => {
    expect(hashText('export', 0, 6, 1)).not.toBe(hashText('export', 0, 6, 2))
  })
})

describe('hashWords', () => {
  test('depends on the words, their order and their borders, and is a safe integer', () => {
    const hashes = [['a', 'b'], ['b', 'a'], ['ab'], ['a'], []].map(hashWords)
    expect(new Set(hashes).size).toBe(5)
    for (const hash of hashes) expect(Number.isSafeInteger(hash)).toBe(true)
    expect(hashWords(['a', 'b'])).toBe(hashes[0])
  })
})

describe('Vocabulary', () => {
  test('gives each hash one id, also past its first size', () => {
    const vocabulary = new Vocabulary()
    const ids = Array.from({ length: 10_000 }, (_, n) => vocabulary.idOf(n + 1))
    expect(ids).toEqual(Array.from({ length: 10_000 }, (_, n) => n))
    expect(vocabulary.idOf(5_000)).toBe(4_999)
    expect(vocabulary.size).toBe(10_000)
  })

  test('counts the texts that hold a term', () => {
    const vocabulary = new Vocabulary()
    const [one, other] = [vocabulary.idOf(11), vocabulary.idOf(12)]
    vocabulary.count(Int32Array.of(one, other))
    vocabulary.count(Int32Array.of(one))
    expect(vocabulary.texts).toBe(2)
    expect([...vocabulary.frequency.subarray(0, 2)]).toEqual([2, 1])
  })

  test('weighs the root of the inverse document frequency, with 200 texts assumed', () => {
    const vocabulary = new Vocabulary()
    const term = vocabulary.idOf(11)
    for (let n = 0; n < 50; n++) vocabulary.count(n < 9 ? Int32Array.of(term) : new Int32Array(0))
    expect(termRarity(vocabulary.weights(), 9)).toBeCloseTo(Math.sqrt(Math.log(250 / 10) + 1), 5)
    expect(termRarity(vocabulary.weights(), 0)).toBeCloseTo(Math.sqrt(Math.log(250) + 1), 5)
  })

  test('weights never rise with the frequency, however high it is', () => {
    const vocabulary = new Vocabulary()
    for (let n = 0; n < 1_000; n++) vocabulary.count(new Int32Array(0))
    const weights = vocabulary.weights()
    for (let frequency = 1; frequency < 2_000; frequency++)
      expect(termRarity(weights, frequency)).toBeLessThanOrEqual(termRarity(weights, frequency - 1))
    expect(termRarity(weights, 1e9)).toBe(termRarity(weights, 20_000))
  })

  test('a restored vocabulary knows the same terms and goes on numbering', () => {
    const vocabulary = new Vocabulary()
    for (let n = 1; n <= 5_000; n++) vocabulary.idOf(n)
    const { hashes, frequency, size } = vocabulary
    const restored = Vocabulary.of(hashes.slice(0, size), frequency.slice(0, size), 3)
    expect(restored.idOf(4_000)).toBe(3_999)
    expect(restored.idOf(6_000)).toBe(5_000)
    expect(restored.texts).toBe(3)
  })
})
