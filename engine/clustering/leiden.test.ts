import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Graph, leiden } from './leiden.ts'

type Edge = [number, number, number?]

function graphOf(size: number, edges: Edge[]): Graph {
  const rows: [number, number][][] = Array.from({ length: size }, () => [])
  for (const [a, b, weight = 1] of edges) {
    rows[a]?.push([b, weight])
    rows[b]?.push([a, weight])
  }
  const starts = new Int32Array(size + 1)
  rows.forEach((row, i) => {
    starts[i + 1] = (starts[i] ?? 0) + row.length
  })
  const flat = rows.flat()
  return {
    size,
    starts,
    targets: Int32Array.from(flat.map(([to]) => to)),
    weights: Float32Array.from(flat.map(([, weight]) => weight)),
  }
}

function clique(members: number[]): Edge[] {
  return members.flatMap((a, i) => members.slice(i + 1).map((b): Edge => [a, b]))
}

/** Zachary's karate club (1977), whose best modularity is known to be 0.4198 with four communities. */
const KARATE: Edge[] =
  '1-2 1-3 2-3 1-4 2-4 3-4 1-5 1-6 1-7 5-7 6-7 1-8 2-8 3-8 4-8 1-9 3-9 3-10 1-11 5-11 6-11 1-12 1-13 4-13 1-14 2-14 3-14 4-14 6-17 7-17 1-18 2-18 1-20 2-20 1-22 2-22 24-26 25-26 3-28 24-28 25-28 3-29 24-30 27-30 2-31 9-31 1-32 25-32 26-32 29-32 3-33 9-33 15-33 16-33 19-33 21-33 23-33 24-33 30-33 31-33 32-33 9-34 10-34 14-34 15-34 16-34 19-34 20-34 21-34 23-34 24-34 27-34 28-34 29-34 30-34 31-34 32-34 33-34'
    .split(' ')
    .map((pair): Edge => {
      const [a, b] = pair.split('-').map(Number)
      return [(a ?? 1) - 1, (b ?? 1) - 1]
    })

function modularity(size: number, edges: Edge[], labels: Int32Array): number {
  const degrees = new Float64Array(size)
  let within = 0
  for (const [a, b] of edges) {
    degrees[a] = (degrees[a] ?? 0) + 1
    degrees[b] = (degrees[b] ?? 0) + 1
    if (labels[a] === labels[b]) within++
  }
  const volumes = new Map<number, number>()
  degrees.forEach((degree, i) => {
    volumes.set(labels[i] ?? -1, (volumes.get(labels[i] ?? -1) ?? 0) + degree)
  })
  let expected = 0
  for (const volume of volumes.values()) expected += (volume / (2 * edges.length)) ** 2
  return within / edges.length - expected
}

describe('leiden', () => {
  test('finds two cliques joined by one edge', () => {
    const edges = [...clique([0, 1, 2, 3]), ...clique([4, 5, 6, 7]), [3, 4] as Edge]
    expect([...leiden(graphOf(8, edges), { resolution: 1, seed: 1 })]).toEqual([0, 0, 0, 0, 1, 1, 1, 1])
  })

  test('finds every clique of a ring of 20', () => {
    const rings = Array.from({ length: 20 }, (_, k) => [0, 1, 2, 3, 4].map((i) => 5 * k + i))
    const edges = rings.flatMap((ring, k): Edge[] => [...clique(ring), [5 * k + 4, (5 * k + 5) % 100]])
    const labels = leiden(graphOf(100, edges), { resolution: 2, seed: 3 })
    expect(new Set(labels).size).toBe(20)
    for (const ring of rings) expect(new Set(ring.map((i) => labels[i])).size).toBe(1)
  })

  test('comes to the best modularity known of the karate club', () => {
    const graph = graphOf(34, KARATE)
    const best = Math.max(
      ...[1, 2, 3, 4, 5].map((seed) => modularity(34, KARATE, leiden(graph, { resolution: 1, seed }))),
    )
    expect(best).toBeGreaterThan(0.4155)
    expect(best).toBeLessThan(0.4199)
  })

  test('gives more communities at a higher resolution', () => {
    const graph = graphOf(34, KARATE)
    const count = (resolution: number) => new Set(leiden(graph, { resolution, seed: 1 })).size
    expect(count(0.2)).toBeLessThan(count(1))
    expect(count(1)).toBeLessThan(count(4))
  })

  test('follows weights', () => {
    const labels = leiden(
      graphOf(4, [
        [0, 1, 0.1],
        [1, 2, 5],
        [2, 3, 0.1],
        [3, 0, 5],
      ]),
      { resolution: 1, seed: 1 },
    )
    expect(labels[1]).toBe(labels[2])
    expect(labels[3]).toBe(labels[0])
    expect(labels[0]).not.toBe(labels[1])
  })

  test('splits a start that holds two unconnected parts', () => {
    const start = new Int32Array(6)
    const labels = leiden(graphOf(6, [...clique([0, 1, 2]), ...clique([3, 4, 5])]), { resolution: 1, seed: 1, start })
    expect([...labels]).toEqual([0, 0, 0, 1, 1, 1])
  })

  test('leaves nodes without edges alone', () => {
    expect([...leiden(graphOf(3, []), { resolution: 1, seed: 1 })]).toEqual([0, 1, 2])
    expect([...leiden(graphOf(0, []), { resolution: 1, seed: 1 })]).toEqual([])
  })

  test('every community is connected, and the same seed gives the same answer, for any graph', () => {
    const edge = fc.tuple(fc.nat(19), fc.nat(19), fc.integer({ min: 1, max: 9 }))
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 60 }), fc.integer({ min: 1, max: 30 }), fc.nat(), (raw, tenths, seed) => {
        const edges = raw.filter(([a, b]) => a !== b) as Edge[]
        const options = { resolution: tenths / 10, seed }
        const labels = leiden(graphOf(20, edges), options)
        expect(leiden(graphOf(20, edges), options)).toEqual(labels)
        for (let i = 0; i < 20; i++) {
          const reached = new Set([i])
          for (let before = 0; before !== reached.size; ) {
            before = reached.size
            for (const [a, b] of edges) {
              if (labels[a] !== labels[i] || labels[b] !== labels[i]) continue
              if (reached.has(a) || reached.has(b)) {
                reached.add(a)
                reached.add(b)
              }
            }
          }
          const companions = Array.from({ length: 20 }, (_, j) => j).filter((j) => labels[j] === labels[i])
          expect(companions.every((j) => reached.has(j))).toBe(true)
        }
      }),
      { numRuns: 150 },
    )
  })
})
