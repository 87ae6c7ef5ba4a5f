import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addNode, createState } from '../../state/state.ts'
import { analyse, FeatureExtractor, type Features } from '../../text/features.ts'
import { hashText, Vocabulary } from '../../text/vocabulary.ts'
import { evidenceOf, similarity, similarityOf, trigramScale, weighTerms, wordScale } from '../../text/weights.ts'
import { matchIssues } from '../lineage.ts'
import { nearestPairs } from './nearest-pairs.ts'
import { finderFor } from './neighbour-finder.ts'

const TEXTS = [
  'the csv export fails for large reports',
  'csv export of large reports fails',
  'exports to CSV are failing',
  'cannot log in with single sign-on',
  'single sign-on login is broken',
  'please add a dark mode',
  'the weather is nice in Lisbon',
]

function represented(texts: string[]): { features: Features[]; vocabulary: Vocabulary } {
  const vocabulary = new Vocabulary()
  const extractor = new FeatureExtractor(vocabulary)
  const features = texts.map((text) => {
    const one = extractor.extract(analyse(text))
    vocabulary.count(one.terms)
    return one
  })
  return { features, vocabulary }
}

describe('similarity', () => {
  test('is higher for texts that say the same, whatever the word forms', () => {
    const { features, vocabulary } = represented(TEXTS)
    const between = (a: number, b: number) => similarity(features[a] as Features, features[b] as Features, vocabulary)
    expect(between(0, 1)).toBeGreaterThan(0.5)
    expect(between(0, 2)).toBeGreaterThan(between(0, 3))
    expect(between(3, 4)).toBeGreaterThan(between(3, 5))
    expect(between(0, 6)).toBeLessThan(0.3)
  })

  test('is the same both ways, and never 1 or more', () => {
    const { features, vocabulary } = represented(TEXTS)
    for (const a of features) {
      for (const b of features) {
        expect(similarity(a, b, vocabulary)).toBeCloseTo(similarity(b, a, vocabulary), 5)
        expect(similarity(a, b, vocabulary)).toBeLessThan(1)
      }
    }
    expect(similarityOf(evidenceOf(0.4))).toBeCloseTo(0.4, 9)
  })

  test('recognises related words by their spelling', () => {
    const { features, vocabulary } = represented(['invoice rounding', 'invoise roundings', 'calendar sync'])
    const [a, b, c] = features as [Features, Features, Features]
    expect(similarity(a, b, vocabulary)).toBeGreaterThan(2 * similarity(a, c, vocabulary))
  })
})

describe('nearestPairs', () => {
  test('finds exactly what comparing all pairs finds', () => {
    const word = fc.constantFrom(
      'export',
      'login',
      'dark',
      'mode',
      'csv',
      'report',
      'fails',
      'broken',
      'slow',
      'please',
    )
    const texts = fc.array(fc.array(word, { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 25 })
    fc.assert(
      fc.property(texts, (raw) => {
        const { features, vocabulary } = represented(raw.map((words) => words.join(' ')))
        const pairs = nearestPairs(features, vocabulary, 100, 0.35)
        const found = new Map(
          Array.from(pairs.from, (from, p) => [`${from}-${pairs.to[p]}`, pairs.scores[p] as number]),
        )
        for (let i = 0; i < features.length; i++) {
          for (let j = i + 1; j < features.length; j++) {
            const exact = similarity(features[i] as Features, features[j] as Features, vocabulary)
            const score = found.get(`${i}-${j}`)
            if (Math.abs(exact - 0.35) < 1e-4) continue
            expect(score ?? 0).toBeCloseTo(exact > 0.35 ? exact : 0, 4)
          }
        }
      }),
      { numRuns: 60 },
    )
  })

  test('keeps at least the k nearest of each', () => {
    const { features, vocabulary } = represented(
      Array.from({ length: 12 }, (_, i) => `export fails ${'x'.repeat(i + 1)}`),
    )
    const pairs = nearestPairs(features, vocabulary, 3, 0.01)
    const degree = new Int32Array(12)
    for (const place of [...pairs.from, ...pairs.to]) degree[place] = (degree[place] ?? 0) + 1
    expect(Math.min(...degree)).toBeGreaterThanOrEqual(3)
    expect(pairs.from.length).toBeLessThanOrEqual(36)
  })
})

describe('NeighbourFinder', () => {
  test('finds the nearest kept statement first, and 1 as cosine for the same words', () => {
    const state = createState()
    TEXTS.forEach((text) => {
      const reading = analyse(text)
      const features = state.featureExtractor.extract(reading)
      state.vocabulary.count(features.terms)
      addNode(state, { features, text, language: reading.language, hash: reading.hash, at: 0, issue: 0 })
    })
    const asked = state.featureExtractor.extract(analyse('the csv export fails for large reports'))
    const near = finderFor(state).nearest(asked)
    expect(near[0]?.node).toBe(0)
    expect(near[0]?.cosine).toBeCloseTo(1, 5)
    expect(near[1]?.node).toBe(1)
    const short = { ...asked, terms: asked.terms.slice(0, asked.short) }
    const pieces = trigramScale(1) ** 2 / (1 - wordScale(1) ** 2)
    const evidence = weighTerms(short, state.vocabulary).reduce(
      (sum, weight, i) => sum + weight * weight * (i < asked.words ? 1 : pieces),
      0,
    )
    expect(near[0]?.score).toBeCloseTo(similarityOf(evidence), 5)
  })
})

describe('Vocabulary', () => {
  test('numbers terms in order of appearance, also when it grows and when it is restored', () => {
    const vocabulary = new Vocabulary()
    const hashes = Array.from({ length: 20_000 }, (_, i) => hashText(`term${i}`, 0, 9, 5))
    const ids = hashes.map((hash) => vocabulary.idOf(hash))
    expect(new Set(ids).size).toBe(new Set(hashes).size)
    vocabulary.count(Int32Array.from([0, 5]))
    const restored = Vocabulary.of(
      vocabulary.hashes.slice(0, vocabulary.size),
      vocabulary.frequency.slice(0, vocabulary.size),
      vocabulary.texts,
    )
    expect(hashes.map((hash) => restored.idOf(hash))).toEqual(ids)
    expect(restored.frequency[5]).toBe(1)
    expect(restored.weights()).toEqual(vocabulary.weights())
  })

  test('weighs rare terms more', () => {
    const vocabulary = new Vocabulary()
    vocabulary.texts = 1_000
    const weights = vocabulary.weights()
    expect(weights[1]).toBeGreaterThan(weights[10] as number)
    expect(weights[10]).toBeGreaterThan(weights[900] as number)
  })
})

describe('matchIssues', () => {
  test('an issue goes where most of its statements went, and to one community only', () => {
    const issueOf = [1, 1, 1, 2, 2, 0, 1]
    const communities = [
      { places: [0, 1, 3], issue: 0 },
      { places: [2, 4, 5], issue: 0 },
      { places: [6], issue: 0 },
    ]
    matchIssues(
      communities,
      (place) => issueOf[place] as number,
      () => 1,
    )
    expect(communities.map((community) => community.issue)).toEqual([1, 2, 0])
  })
})
