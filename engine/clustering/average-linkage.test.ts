import { describe, expect, test } from 'vitest'
import { averageLinkage } from './average-linkage.ts'
import { seededRandom } from './random.ts'

/** A symmetric matrix; `similarity` is called once for each pair, the lower index first. */
function matrixOf(size: number, similarity: (a: number, b: number) => number): Float32Array {
  const matrix = new Float32Array(size * size).fill(Number.NEGATIVE_INFINITY)
  for (let a = 0; a < size; a++) {
    for (let b = a + 1; b < size; b++) {
      matrix[a * size + b] = similarity(a, b)
      matrix[b * size + a] = matrix[a * size + b] as number
    }
  }
  return matrix
}

/** The same by the definition: merge the most similar two, average again, until none is similar enough. */
function byDefinition(similarities: Float32Array, sizes: readonly number[], threshold: number): number[] {
  const size = sizes.length
  let clusters = sizes.map((_, index) => [index])
  const between = (one: number[], other: number[]) => {
    let sum = 0
    let weight = 0
    for (const a of one) {
      for (const b of other) {
        const pairs = (sizes[a] as number) * (sizes[b] as number)
        sum += pairs * (similarities[a * size + b] as number)
        weight += pairs
      }
    }
    return sum / weight
  }
  for (;;) {
    let best: { score: number; one: number[]; other: number[] } | null = null
    for (const one of clusters) {
      for (const other of clusters) {
        if (one === other) continue
        const score = between(one, other)
        if (score >= threshold && (!best || score > best.score)) best = { score, one, other }
      }
    }
    if (!best) break
    const { one, other } = best
    clusters = [...clusters.filter((cluster) => cluster !== one && cluster !== other), [...one, ...other]]
  }
  const roots: number[] = []
  for (const cluster of clusters) for (const index of cluster) roots[index] = Math.min(...cluster)
  return roots
}

describe('average linkage', () => {
  test('merges what is similar on average, not what has one similar member', () => {
    const pairs: Record<string, number> = { '0 1': 0.9, '1 2': 0.8, '0 2': 0.1 }
    const similarities = matrixOf(3, (a, b) => pairs[`${a} ${b}`] ?? 0)
    expect([...averageLinkage(similarities, Int32Array.of(1, 1, 1), 0.5)]).toEqual([0, 0, 2])
  })

  test('counts a cluster by its size', () => {
    const pairs: Record<string, number> = { '0 1': 0.9, '0 2': 0.8, '1 2': 0.2 }
    const similarities = () => matrixOf(3, (a, b) => pairs[`${a} ${b}`] ?? 0)
    expect([...averageLinkage(similarities(), Int32Array.of(1, 1, 1), 0.55)]).toEqual([0, 0, 2])
    expect([...averageLinkage(similarities(), Int32Array.of(9, 1, 1), 0.55)]).toEqual([0, 0, 0])
  })

  test('never puts two into one cluster that must stay apart, however similar the rest is', () => {
    const similarities = matrixOf(4, (a, b) => (a === 0 && b === 1 ? Number.NEGATIVE_INFINITY : 0.9))
    const roots = averageLinkage(similarities, Int32Array.of(1, 1, 1, 1), 0.1)
    expect(roots[0]).not.toBe(roots[1])
    expect(roots[2]).toBe(roots[3])
  })

  test('gives what the definition gives', () => {
    const random = seededRandom(3)
    for (let round = 0; round < 40; round++) {
      const sizes = Array.from({ length: 2 + Math.floor(random() * 12) }, () => 1 + Math.floor(random() * 4))
      const similarities = matrixOf(sizes.length, () => random())
      const expected = byDefinition(similarities.slice(), sizes, 0.55)
      expect([...averageLinkage(similarities, Int32Array.from(sizes), 0.55)]).toEqual(expected)
    }
  })

  test('handles none and one', () => {
    expect([...averageLinkage(new Float32Array(), new Int32Array(), 0)]).toEqual([])
    expect([
      ...averageLinkage(
        matrixOf(1, () => 0),
        Int32Array.of(1),
        0,
      ),
    ]).toEqual([0])
  })
})
