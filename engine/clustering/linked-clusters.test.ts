import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StatementVectors } from '../text/statement-vectors.ts'
import { mergeLinkedClusters } from './linked-clusters.ts'
import type { Pairs } from './similarity/nearest-pairs.ts'

type Edge = readonly [from: number, to: number, weight: number]

function edges(list: readonly Edge[]): { pairs: Pairs; weights: Float32Array } {
  const weights = Float32Array.from(list, ([, , weight]) => weight)
  return {
    pairs: {
      from: Int32Array.from(list, ([from]) => from),
      to: Int32Array.from(list, ([, to]) => to),
      scores: weights,
    },
    weights,
  }
}

/** Directions in a plane, one angle (in degrees) per place; null: unknown. */
function pointing(angles: readonly (number | null)[]): StatementVectors {
  const values = angles.flatMap((angle) =>
    angle === null ? [0, 0] : [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)],
  )
  return {
    dimensions: 2,
    values: Float32Array.from(values),
    known: Uint8Array.from(angles, (angle) => (angle === null ? 0 : 1)),
    lengthFactors: new Float32Array(angles.length).fill(1),
    languages: angles.map(() => 'en' as const),
  }
}

function joined(
  labels: readonly number[],
  list: readonly Edge[],
  { angles, issues }: { angles?: readonly (number | null)[]; issues?: readonly number[] } = {},
): number[] {
  const result = Int32Array.from(labels)
  const { pairs, weights } = edges(list)
  const before = Int32Array.from(issues ?? labels.map(() => 0))
  mergeLinkedClusters(result, pairs, weights, pointing(angles ?? labels.map(() => 0)), before)
  return [...result]
}

const isOne = (labels: readonly number[]) => new Set(labels).size === 1

/** Two groups of three places, each group fully connected. */
const TWO = [0, 0, 0, 1, 1, 1]
const WITHIN: Edge[] = [
  [0, 1, 1],
  [1, 2, 1],
  [0, 2, 1],
  [3, 4, 1],
  [4, 5, 1],
  [3, 5, 1],
]

/** At least a quarter of all edges lead from one group to the other. */
const TIED: Edge[] = [...WITHIN, [0, 3, 1], [1, 4, 1.15]]

describe('two clusters', () => {
  test('are merged when a large share of their edges connects them', () => {
    expect(isOne(joined(TWO, TIED))).toBe(true)
  })

  test('stay apart when few or no edges connect them', () => {
    expect(joined(TWO, [...WITHIN, [0, 3, 0.8]])).toEqual(TWO)
    expect(joined(TWO, WITHIN)).toEqual(TWO)
    expect(joined(TWO, [...WITHIN, [0, 3, 0]])).toEqual(TWO)
  })

  test('stay apart when their directions differ, however many edges connect them', () => {
    expect(isOne(joined(TWO, TIED, { angles: [0, 5, 10, 0, 5, 10] }))).toBe(true)
    expect(joined(TWO, TIED, { angles: [0, 5, 10, 70, 75, 80] })).toEqual(TWO)
  })

  test('without vectors are linked by edges alone, and need a stronger link', () => {
    const unknown = { angles: TWO.map(() => null) }
    expect(joined(TWO, TIED, unknown)).toEqual(TWO)
    expect(isOne(joined(TWO, [...TIED, [2, 5, 1.5]], unknown))).toBe(true)
  })

  test('of one existing issue stay together with a weaker link', () => {
    const tied: Edge[] = [...WITHIN, [0, 3, 0.8]]
    expect(joined(TWO, tied)).toEqual(TWO)
    expect(joined(TWO, tied, { issues: [7, 7, 7, 8, 8, 8] })).toEqual(TWO)
    expect(isOne(joined(TWO, tied, { issues: [7, 7, 0, 7, 7, 7] }))).toBe(true)
  })
})

test('the strongest link is merged first, and directions are updated after each merge', () => {
  const labels = [0, 0, 1, 1, 2, 2]
  const angles = [0, 0, 40, 40, 80, 80]
  const within: Edge[] = [
    [0, 1, 2],
    [2, 3, 2],
    [4, 5, 2],
  ]
  const weaker: Edge[] = [[3, 4, 1.8]]
  const stronger: Edge[] = [
    [0, 2, 1],
    [1, 3, 1],
  ]
  expect(isOne(joined(labels, [...within, ...weaker], { angles }).slice(2))).toBe(true)
  const both = joined(labels, [...within, ...weaker, ...stronger], { angles })
  expect(isOne(both.slice(0, 4))).toBe(true)
  expect(both.slice(4)).toEqual([2, 2])
})

test('clusters that stay apart among equals are merged among larger ones', () => {
  const tied: Edge[] = [...WITHIN, [0, 3, 1.5]]
  const others = Array.from({ length: 10 }, (_, i) => i)
  const labels = [...TWO, ...others.flatMap((other) => [2 + other, 2 + other])]
  const beside = (weight: number) => others.map((other): Edge => [6 + 2 * other, 7 + 2 * other, weight])
  expect(joined(labels, [...tied, ...beside(4)])).toEqual(labels)
  const larger = joined(labels, [...tied, ...beside(30)])
  expect(isOne(larger.slice(0, 6))).toBe(true)
  expect(larger.slice(6)).toEqual(labels.slice(6))
})

test('a subject cut into many pieces becomes one cluster, although many pieces look like many subjects', () => {
  const pieces = Array.from({ length: 12 }, (_, piece) => piece)
  const subjectOf = (piece: number) => Math.floor(piece / 4)
  const labels = pieces.flatMap((piece) => [piece, piece])
  const within = pieces.map((piece): Edge => [2 * piece, 2 * piece + 1, 6])
  const between = pieces.flatMap((piece) =>
    pieces
      .filter((other) => other > piece && subjectOf(other) === subjectOf(piece))
      .map((other): Edge => [2 * piece, 2 * other, 3]),
  )
  const result = joined(labels, [...within, ...between])
  expect(new Set(result).size).toBe(3)
  const ofSubject = (subject: number) => result.slice(8 * subject, 8 * subject + 8)
  expect([0, 1, 2].map((subject) => isOne(ofSubject(subject)))).toEqual([true, true, true])
})

test('clusters are merged only along edges, deterministically', () => {
  const place = fc.integer({ min: 0, max: 11 })
  const edge = fc.tuple(place, place, fc.double({ min: 0, max: 1, noNaN: true }))
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 12, maxLength: 12 }),
      fc.array(edge, { maxLength: 40 }),
      fc.array(fc.option(fc.integer({ min: 0, max: 359 })), { minLength: 12, maxLength: 12 }),
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 12, maxLength: 12 }),
      (labels, list, angles, issues) => {
        const real = list.filter(([from, to]) => from < to)
        const result = joined(labels, real, { angles, issues })
        expect(joined(labels, real, { angles, issues })).toEqual(result)
        const reach = new Map<number, number>()
        const root = (label: number): number => {
          const next = reach.get(label) ?? label
          return next === label ? label : root(next)
        }
        for (const [from, to, weight] of real)
          if (weight > 0) reach.set(root(labels[from] as number), root(labels[to] as number))
        const places = labels.map((label, at) => ({ label, after: result[at] as number }))
        const pairsOf = places.flatMap((one) => places.map((two) => ({ one, two })))
        const torn = pairsOf.filter(({ one, two }) => one.label === two.label && one.after !== two.after)
        const apart = pairsOf.filter(({ one, two }) => one.after === two.after && root(one.label) !== root(two.label))
        expect({ torn, apart }).toEqual({ torn: [], apart: [] })
      },
    ),
  )
})
