import { describe, expect, test } from 'vitest'
import { Reader, Writer } from '../../state/bytes.ts'
import { analyse, FeatureExtractor } from '../../text/features.ts'
import { Vocabulary } from '../../text/vocabulary.ts'
import { trigramScale, wordScale } from '../../text/weights.ts'
import { ForwardIndex } from './forward-index.ts'
import { NormCache } from './norms.ts'

const TEXTS = ['the export of large reports fails', 'please add a dark mode', 'single sign-on is broken']

function indexed(texts: readonly string[] = TEXTS) {
  const vocabulary = new Vocabulary()
  const extractor = new FeatureExtractor(vocabulary)
  const rows = new ForwardIndex()
  for (const text of texts) {
    const features = extractor.extract(analyse(text))
    vocabulary.count(features.terms)
    rows.add(features, 0)
  }
  /** Counts texts without words, so that every term becomes rarer. */
  const grow = (texts: number) => {
    for (let i = 0; i < texts; i++) vocabulary.count(new Int32Array())
  }
  return { vocabulary, rows, grow }
}

function current(rows: ForwardIndex, vocabulary: Vocabulary, node: number) {
  rows.squaredNorms(node, vocabulary)
  return { words: Math.fround(rows.words), chars: Math.fround(rows.chars) }
}

const held = (norms: NormCache, node: number) => ({ words: norms.words(node), chars: norms.chars(node) })

describe('NormCache', () => {
  test('gives the norms of the row, and the length normalisation that belongs to them', () => {
    const { vocabulary, rows } = indexed()
    const norms = new NormCache()
    for (let node = 0; node < TEXTS.length; node++) {
      norms.refresh(node, rows, vocabulary)
      expect(held(norms, node)).toEqual(current(rows, vocabulary, node))
      expect(norms.wordScale(node)).toBe(wordScale(norms.words(node)))
      expect(norms.ngramScale(node)).toBe(trigramScale(norms.chars(node)))
    }
  })

  test('keeps them for 16 more uses, then computes them again', () => {
    const { vocabulary, rows } = indexed(Array.from({ length: 40 }, (_, i) => `${TEXTS[i % 3]} ${i}`))
    const norms = new NormCache()
    norms.refresh(0, rows, vocabulary)
    const first = held(norms, 0)
    for (let i = 0; i < 5; i++) vocabulary.count(new Int32Array())
    const drifted = current(rows, vocabulary, 0)
    expect(drifted).not.toEqual(first)
    for (let use = 0; use < 16; use++) {
      norms.refresh(0, rows, vocabulary)
      expect(held(norms, 0)).toEqual(first)
    }
    norms.refresh(0, rows, vocabulary)
    expect(held(norms, 0)).toEqual(drifted)
  })

  test('computes them again as soon as there are a quarter more texts', () => {
    const { vocabulary, rows, grow } = indexed(Array.from({ length: 8 }, (_, i) => `${TEXTS[i % 3]} ${i}`))
    const norms = new NormCache()
    norms.refresh(0, rows, vocabulary)
    const first = held(norms, 0)
    grow(1)
    norms.refresh(0, rows, vocabulary)
    expect(held(norms, 0)).toEqual(first)
    grow(1)
    norms.refresh(0, rows, vocabulary)
    expect(held(norms, 0)).toEqual(current(rows, vocabulary, 0))
    expect(held(norms, 0)).not.toEqual(first)
  })

  test('renumbering moves the norms with their nodes and forgets the others', () => {
    const { vocabulary, rows } = indexed()
    const norms = new NormCache()
    for (let node = 0; node < 3; node++) norms.refresh(node, rows, vocabulary)
    const [, second, third] = [0, 1, 2].map((node) => ({
      ...held(norms, node),
      word: norms.wordScale(node),
      ngram: norms.ngramScale(node),
    }))
    norms.renumber(Int32Array.of(-1, 0, 1), 2)
    const moved = [0, 1].map((node) => ({
      ...held(norms, node),
      word: norms.wordScale(node),
      ngram: norms.ngramScale(node),
    }))
    expect(moved).toEqual([second, third])
    expect(held(norms, 2)).toEqual({ words: 0, chars: 0 })
  })

  test('stored norms are the same after reading, uses left included', () => {
    const { vocabulary, rows } = indexed(Array.from({ length: 40 }, (_, i) => `${TEXTS[i % 3]} ${i}`))
    const norms = new NormCache()
    for (let node = 0; node < 40; node++)
      for (let use = 0; use <= node % 18; use++) norms.refresh(node, rows, vocabulary)
    const out = new Writer()
    norms.write(out, 40)
    const restored = NormCache.from(new Reader(out.finish()))
    const again = new Writer()
    restored.write(again, 40)
    expect(again.finish()).toEqual(out.finish())
    for (let i = 0; i < 3; i++) vocabulary.count(new Int32Array())
    for (let node = 0; node < 40; node++) {
      expect(held(restored, node)).toEqual(held(norms, node))
      expect(restored.wordScale(node)).toBe(norms.wordScale(node))
      expect(restored.ngramScale(node)).toBe(norms.ngramScale(node))
      for (let use = 0; use < 17; use++) {
        norms.refresh(node, rows, vocabulary)
        restored.refresh(node, rows, vocabulary)
        expect(held(restored, node)).toEqual(held(norms, node))
      }
    }
  })

  test('grows beyond its first thousand nodes without losing any', () => {
    const texts = Array.from({ length: 1_100 }, (_, i) => `report ${i} of ${TEXTS[i % 3]}`)
    const { vocabulary, rows } = indexed(texts)
    const norms = new NormCache()
    norms.refresh(0, rows, vocabulary)
    const first = held(norms, 0)
    norms.refresh(1_099, rows, vocabulary)
    expect(held(norms, 0)).toEqual(first)
    expect(held(norms, 1_099)).toEqual(current(rows, vocabulary, 1_099))
  })
})
