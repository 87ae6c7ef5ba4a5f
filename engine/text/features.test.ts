import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Representer, read } from './features.ts'
import { isFrame } from './frame.ts'
import { stem } from './language.ts'
import { Vocabulary } from './vocabulary.ts'
import { weigh } from './weights.ts'
import { stemHash } from './words.ts'

function representer() {
  const vocabulary = new Vocabulary()
  const stemOf = (word: string) => vocabulary.idOf(stemHash(stem(word, 'en')))
  return { vocabulary, of: new Representer(vocabulary), stemOf }
}

describe('read', () => {
  test('hashes the words, not their marks and markup', () => {
    const { hash } = read('The export fails!')
    expect(read('<b>the</b> EXPORT fails 😡').hash).toBe(hash)
    expect(read('the export failed').hash).not.toBe(hash)
    expect(Number.isSafeInteger(hash)).toBe(true)
  })

  test('gives different hashes to different texts', () => {
    const hashes = Array.from({ length: 20_000 }, (_, i) => read(`report x${i}y`).hash)
    expect(new Set(hashes).size).toBe(hashes.length)
  })
})

describe('Representer', () => {
  const word = fc.oneof(
    fc.constantFrom(
      'export',
      "don't",
      "l'export",
      "qu'il",
      'les',
      'der',
      'até',
      'thanks',
      '404',
      '12345',
      'エクスポート',
      "it's5",
      "''",
      'x'.repeat(50),
    ),
    fc.string({ unit: fc.constantFrom('a', 'z', '0', '9', "'", '-', '_', '.', 'É', 'K', '한'), maxLength: 6 }),
    fc.string({ unit: 'grapheme', maxLength: 4 }),
  )
  const texts = fc.array(
    fc.array(word, { maxLength: 25 }).map((words) => words.join(' ')),
    { maxLength: 12 },
  )

  test('reads every text as it is read without a memory of words', () => {
    fc.assert(
      fc.property(texts, (said) => {
        const { of } = representer()
        for (const text of [...said, ...said]) {
          const { talk, numbers, ...reading } = of.read(text)
          const { talk: spoken, ...expected } = read(text)
          expect(reading).toEqual(expected)
          expect(Array.from(talk).slice(0, reading.tokens.length)).toEqual(spoken)
          expect(numbers?.length).toBeGreaterThanOrEqual(reading.tokens.length)
        }
      }),
    )
  })

  test('represents its own readings as it does those of others', () => {
    fc.assert(
      fc.property(texts, (said) => {
        const [one, other] = [representer().of, representer().of]
        for (const text of said) expect(one.represent(one.read(text))).toEqual(other.represent(read(text)))
      }),
    )
  })

  test('forgets words when there are too many, and goes on the same', () => {
    const { of } = representer()
    const { of: other } = representer()
    for (let i = 0; i < 500; i++) {
      const text = Array.from({ length: 150 }, (_, n) => `w${(i * 150 + n).toString(36)}q`).join(' ')
      expect(of.represent(of.read(text)).terms).toEqual(other.represent(read(text)).terms)
    }
  })
})

describe('represent', () => {
  test('has stems first, each once, then character n-grams', () => {
    const { of } = representer()
    const { terms, counts, words } = of.represent(read('exports export exporting'))
    expect(words).toBe(1)
    expect(counts[0]).toBe(12)
    expect(new Set(terms).size).toBe(terms.length)
    expect(counts).toHaveLength(terms.length)
  })

  test('counts frame words less the longer the statement is', () => {
    const { of, stemOf } = representer()
    const countOf = (text: string, word: string) => {
      const { terms, counts } = of.represent(read(text))
      return counts[terms.indexOf(stemOf(word))]
    }
    expect(countOf('where is the export', 'where')).toBe(4)
    const long = `where is ${'export report invoice timer calendar '.repeat(4)}`
    expect(countOf(long, 'where')).toBe(1)
    expect(countOf(long, 'export')).toBe(16)
    expect(isFrame('where') && !isFrame('export')).toBe(true)
    expect(isFrame('comment', 'fr') && !isFrame('comment') && !isFrame('facture', 'fr')).toBe(true)
  })

  test('is bounded for a statement of any length', () => {
    const { of } = representer()
    const text = Array.from({ length: 5_000 }, (_, i) => `w${i.toString(36)}ord`).join(' ')
    expect(of.represent(read(text)).terms.length).toBeLessThan(1_024)
  })

  test('is empty for a text without words', () => {
    const { of } = representer()
    expect(of.represent(read('!!! 😀')).terms).toHaveLength(0)
  })

  test('gives the same numbers whatever was looked up before', () => {
    fc.assert(
      fc.property(fc.array(fc.lorem({ maxCount: 8 }), { minLength: 1, maxLength: 10 }), (texts) => {
        const { of } = representer()
        const first = texts.map((text) => of.represent(read(text)))
        expect(texts.map((text) => of.represent(read(text)))).toEqual(first)
      }),
    )
  })

  test('knows how rare a stem is', () => {
    const { of, vocabulary } = representer()
    for (const text of ['the export', 'the login', 'the timer']) vocabulary.count(of.represent(read(text)).terms)
    expect(of.rarity('export')).toBeGreaterThan(of.rarity('the'))
    expect(of.rarity('unheard')).toBeGreaterThan(of.rarity('export'))
  })
})

describe('weigh', () => {
  test('weighs rare words more and repeats a little more', () => {
    const { of, vocabulary, stemOf } = representer()
    for (let i = 0; i < 50; i++) vocabulary.count(of.represent(read(`the app word${i}`)).terms)
    const features = of.represent(read('the export export app'))
    const weights = weigh(features, vocabulary)
    const weightOf = (word: string) => weights[features.terms.indexOf(stemOf(word))] as number
    expect(weightOf('export')).toBeGreaterThan(weightOf('app'))
    expect(weightOf('app')).toBeCloseTo(weightOf('the'), 6)
  })

  test('fills what it is given when that is long enough', () => {
    const { of, vocabulary } = representer()
    const features = of.represent(read('csv export'))
    const room = new Float32Array(200)
    expect(weigh(features, vocabulary, room)).toBe(room)
    expect(weigh(features, vocabulary, new Float32Array(1))).toHaveLength(features.terms.length)
  })

  test('is finite and not negative for any text', () => {
    const { of, vocabulary } = representer()
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const features = of.represent(read(text))
        vocabulary.count(features.terms)
        for (const weight of weigh(features, vocabulary)) expect(weight >= 0 && weight < 1_000).toBe(true)
      }),
    )
  })
})
