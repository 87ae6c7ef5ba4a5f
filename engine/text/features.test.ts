import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { analyse, FeatureExtractor } from './features.ts'
import { stem } from './language.ts'
import { isStopword } from './stopwords.ts'
import { stemHash } from './term-cache.ts'
import { Vocabulary } from './vocabulary.ts'
import { weighTerms } from './weights.ts'

function extractor() {
  const vocabulary = new Vocabulary()
  const stemOf = (word: string) => vocabulary.idOf(stemHash(stem(word, 'en')))
  return { vocabulary, of: new FeatureExtractor(vocabulary), stemOf }
}

describe('read', () => {
  test('hashes the words, not punctuation and markup', () => {
    const { hash } = analyse('The export fails!')
    expect(analyse('<b>the</b> EXPORT fails 😡').hash).toBe(hash)
    expect(analyse('the export failed').hash).not.toBe(hash)
    expect(Number.isSafeInteger(hash)).toBe(true)
  })

  test('gives different hashes to different texts', () => {
    const hashes = Array.from({ length: 20_000 }, (_, i) => analyse(`report x${i}y`).hash)
    expect(new Set(hashes).size).toBe(hashes.length)
  })
})

describe('FeatureExtractor', () => {
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

  test('analyses every text as the uncached function does', () => {
    fc.assert(
      fc.property(texts, (said) => {
        const { of } = extractor()
        for (const text of [...said, ...said]) {
          const { noiseFlags, tokenIds, ...reading } = of.analyse(text)
          const { noiseFlags: spoken, ...expected } = analyse(text)
          expect(reading).toEqual(expected)
          expect(Array.from(noiseFlags).slice(0, reading.tokens.length)).toEqual(spoken)
          expect(tokenIds?.length).toBeGreaterThanOrEqual(reading.tokens.length)
        }
      }),
    )
  })

  test('extracts the same features from cached and uncached analyses', () => {
    fc.assert(
      fc.property(texts, (said) => {
        const [one, other] = [extractor().of, extractor().of]
        for (const text of said) expect(one.extract(one.analyse(text))).toEqual(other.extract(analyse(text)))
      }),
    )
  })

  test('evicts its word cache without changing results', () => {
    const { of } = extractor()
    const { of: other } = extractor()
    for (let i = 0; i < 500; i++) {
      const text = Array.from({ length: 150 }, (_, n) => `w${(i * 150 + n).toString(36)}q`).join(' ')
      expect(of.extract(of.analyse(text)).terms).toEqual(other.extract(analyse(text)).terms)
    }
  })
})

describe('represent', () => {
  test('lists stems first, each once, then character n-grams', () => {
    const { of } = extractor()
    const { terms, counts, words } = of.extract(analyse('exports export exporting'))
    expect(words).toBe(1)
    expect(counts[0]).toBe(12)
    expect(new Set(terms).size).toBe(terms.length)
    expect(counts).toHaveLength(terms.length)
  })

  test('counts stop words less the longer the statement is', () => {
    const { of, stemOf } = extractor()
    const countOf = (text: string, word: string) => {
      const { terms, counts } = of.extract(analyse(text))
      return counts[terms.indexOf(stemOf(word))]
    }
    expect(countOf('where is the export', 'where')).toBe(4)
    const long = `where is ${'export report invoice timer calendar '.repeat(4)}`
    expect(countOf(long, 'where')).toBe(1)
    expect(countOf(long, 'export')).toBe(16)
    expect(isStopword('where') && !isStopword('export')).toBe(true)
    expect(isStopword('comment', 'fr') && !isStopword('comment') && !isStopword('facture', 'fr')).toBe(true)
  })

  test('is bounded for a statement of any length', () => {
    const { of } = extractor()
    const text = Array.from({ length: 5_000 }, (_, i) => `w${i.toString(36)}ord`).join(' ')
    expect(of.extract(analyse(text)).terms.length).toBeLessThan(1_024)
  })

  test('is empty for a text without words', () => {
    const { of } = extractor()
    expect(of.extract(analyse('!!! 😀')).terms).toHaveLength(0)
  })

  test('is independent of earlier lookups', () => {
    fc.assert(
      fc.property(fc.array(fc.lorem({ maxCount: 8 }), { minLength: 1, maxLength: 10 }), (texts) => {
        const { of } = extractor()
        const first = texts.map((text) => of.extract(analyse(text)))
        expect(texts.map((text) => of.extract(analyse(text)))).toEqual(first)
      }),
    )
  })

  test('knows how rare a stem is', () => {
    const { of, vocabulary } = extractor()
    for (const text of ['the export', 'the login', 'the timer']) vocabulary.count(of.extract(analyse(text)).terms)
    expect(of.rarity('export')).toBeGreaterThan(of.rarity('the'))
    expect(of.rarity('unheard')).toBeGreaterThan(of.rarity('export'))
  })
})

describe('weigh', () => {
  test('weighs rare words more and repeats a little more', () => {
    const { of, vocabulary, stemOf } = extractor()
    for (let i = 0; i < 50; i++) vocabulary.count(of.extract(analyse(`the app word${i}`)).terms)
    const features = of.extract(analyse('the export export app'))
    const weights = weighTerms(features, vocabulary)
    const weightOf = (word: string) => weights[features.terms.indexOf(stemOf(word))] as number
    expect(weightOf('export')).toBeGreaterThan(weightOf('app'))
    expect(weightOf('app')).toBeCloseTo(weightOf('the'), 6)
  })

  test('writes to the given buffer if it is long enough', () => {
    const { of, vocabulary } = extractor()
    const features = of.extract(analyse('csv export'))
    const output = new Float32Array(200)
    expect(weighTerms(features, vocabulary, output)).toBe(output)
    expect(weighTerms(features, vocabulary, new Float32Array(1))).toHaveLength(features.terms.length)
  })

  test('is finite and not negative for any text', () => {
    const { of, vocabulary } = extractor()
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const features = of.extract(analyse(text))
        vocabulary.count(features.terms)
        for (const weight of weighTerms(features, vocabulary)) expect(weight >= 0 && weight < 1_000).toBe(true)
      }),
    )
  })
})
