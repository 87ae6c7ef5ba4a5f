import { SAMPLE } from '@groundswell/fixtures/engine/feedback.ts'
import { statementsOf } from '@groundswell/fixtures/engine/statements.ts'
import { describe, expect, test } from 'vitest'
import { quantise } from '../../text/packed-vectors.ts'
import { statementVectors } from '../../text/statement-vectors.ts'
import { similarity } from '../../text/weights.ts'
import { seededRandom, shuffled } from '../random.ts'
import { nearestPairs, type Pairs } from './nearest-pairs.ts'

const TEXTS = SAMPLE.map(({ text }) => text)

type Pair = { a: string; b: string; score: number }

/** Pairs by their texts, so that orders can be compared. */
function named({ from, to, scores }: Pairs, texts: readonly string[]): Pair[] {
  return Array.from(from, (a, p) => {
    const [one, other] = [texts[a] as string, texts[to[p] as number] as string].sort()
    return { a: one as string, b: other as string, score: scores[p] as number }
  }).sort((x, y) => x.a.localeCompare(y.a) || x.b.localeCompare(y.b))
}

function pairsOf(texts: readonly string[], k: number, minScore: number): Pairs {
  const { statements, vocabulary } = statementsOf(texts)
  return nearestPairs(
    statements.map(({ features }) => features),
    vocabulary,
    k,
    minScore,
  )
}

describe('nearestPairs', () => {
  test('finds nothing among no texts, one text, and texts that share nothing', () => {
    expect(pairsOf([], 5, 0.1).from).toHaveLength(0)
    expect(pairsOf(['the export fails'], 5, 0.1).from).toHaveLength(0)
    expect(pairsOf(['bcdf', 'ghjk', 'lmnp'], 5, 0.1).from).toHaveLength(0)
  })

  test('gives the same pairs and similarities as comparing each with each', () => {
    const { statements, vocabulary } = statementsOf(TEXTS)
    const all: { a: number; b: number; score: number }[] = []
    for (let b = 0; b < statements.length; b++) {
      for (let a = 0; a < b; a++) {
        const [one, other] = [statements[a]?.features, statements[b]?.features]
        const score = one && other ? similarity(one, other, vocabulary) : 0
        if (score >= 0.2) all.push({ a, b, score })
      }
    }
    const found = pairsOf(TEXTS, TEXTS.length, 0.2)
    const listed = Array.from(found.from, (a, p) => ({ a, b: found.to[p] as number, score: found.scores[p] as number }))
    const order = (x: { a: number; b: number }, y: { a: number; b: number }) => x.a - y.a || x.b - y.b
    expect(all.length).toBeGreaterThan(20)
    expect(listed.sort(order).map(({ a, b }) => [a, b])).toEqual(all.sort(order).map(({ a, b }) => [a, b]))
    listed.forEach(({ score }, p) => expect(score).toBeCloseTo(all[p]?.score as number, 5))
  })

  test('lists each pair once, the lower place first', () => {
    const { from, to } = pairsOf(TEXTS, 3, 0.1)
    const keys = Array.from(from, (a, p) => `${a} ${to[p]}`)
    expect(new Set(keys).size).toBe(keys.length)
    for (let p = 0; p < from.length; p++) expect(from[p]).toBeLessThan(to[p] as number)
  })

  test('keeps a pair when one is among the k nearest of the other, and no other pair', () => {
    const k = 2
    const all = pairsOf(TEXTS, TEXTS.length, 0.05)
    const kept = pairsOf(TEXTS, k, 0.05)
    const scoresAt = TEXTS.map((_, place) =>
      Array.from(all.scores)
        .filter((_score, p) => all.from[p] === place || all.to[p] === place)
        .sort((a, b) => b - a),
    )
    const limit = scoresAt.map((scores) => scores[k - 1] ?? 0)
    const isNear = (p: number, pairs: Pairs) =>
      [pairs.from[p], pairs.to[p]].some((place) => (pairs.scores[p] as number) >= (limit[place as number] as number))
    const expected = Array.from(all.from.keys()).filter((p) => isNear(p, all))
    for (const p of kept.from.keys()) expect(isNear(p, kept)).toBe(true)
    expect(kept.from.length).toBe(expected.length)
    expect(kept.from.length).toBeLessThan(all.from.length)
  })

  test('leaves out pairs below the minimum', () => {
    const loose = pairsOf(TEXTS, TEXTS.length, 0.1)
    const strict = pairsOf(TEXTS, TEXTS.length, 0.5)
    expect(strict.from.length).toBeGreaterThan(0)
    expect(strict.from.length).toBe(Array.from(loose.scores).filter((score) => score >= 0.5).length)
    for (const score of strict.scores) expect(score).toBeGreaterThanOrEqual(0.5 - 1e-6)
  })

  test.each([1, 2, 3])('does not depend on the order of the texts (seed %i)', (seed) => {
    const before = named(pairsOf(TEXTS, TEXTS.length, 0.1), TEXTS)
    const order = shuffled(TEXTS, seededRandom(seed))
    const after = named(pairsOf(order, TEXTS.length, 0.1), order)
    expect(after.map(({ a, b }) => [a, b])).toEqual(before.map(({ a, b }) => [a, b]))
    after.forEach(({ score }, p) => expect(score).toBeCloseTo(before[p]?.score as number, 5))
  })

  test('equal texts are the nearest of each other, in any script', () => {
    const texts = ['выгрузка отчёта не работает', '報告書のエクスポートが失敗する', 'התצוגה ריקה', 'the map is empty']
    const { from, to, scores } = pairsOf([...texts, ...texts], 1, 0.05)
    const pairs = Array.from(from, (a, p) => [a, to[p] as number])
    for (let place = 0; place < texts.length; place++) expect(pairs).toContainEqual([place, place + texts.length])
    for (const score of scores) expect(score).toBeGreaterThan(0.5)
  })

  test('vectors join what shares no word, and one without a vector is compared by words alone', () => {
    const texts = ['invoice is wrong', 'Rechnung stimmt nicht', 'map stays blank', 'invoice is late']
    const { statements, vocabulary } = statementsOf(texts)
    const directions = [[1, 0.1], [1, 0.2], [-0.1, 1], null]
    const pointed = statements.map(({ features, language }, place) => {
      const direction = directions[place]
      return { features: direction ? { ...features, vector: quantise(direction) } : features, language }
    })
    const features = pointed.map((one) => one.features)
    const between = ({ from, to }: Pairs) => Array.from(from, (a, p) => `${a}-${to[p]}`).sort()
    expect(between(nearestPairs(features, vocabulary, 3, 0.3))).toEqual(['0-3'])
    const vectors = statementVectors(pointed, vocabulary)
    expect(between(nearestPairs(features, vocabulary, 3, 0.3, vectors))).toEqual(['0-1', '0-3'])
  })
})
