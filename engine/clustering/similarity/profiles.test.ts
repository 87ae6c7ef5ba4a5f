import { statementsOf } from '@groundswell/fixtures/engine/statements.ts'
import { describe, expect, test } from 'vitest'
import { statementVectors } from '../../text/statement-vectors.ts'
import { similarityOf } from '../../text/weights.ts'
import { TUNING } from '../communities.ts'
import { seededRandom, shuffle } from '../random.ts'
import { nearestPairs } from './nearest-pairs.ts'
import { applyProfiles, membersOf, type ProfileTuning } from './profiles.ts'

/** Applies profiles to texts whose groups are known; -1: pending. Without vectors unless asked for. */
function apply(texts: readonly (readonly [text: string, label: number])[], tuning: Partial<ProfileTuning> = {}) {
  const { statements, vocabulary } = statementsOf(texts.map(([text]) => text))
  const features = statements.map((one) => one.features)
  const known = statementVectors(statements, vocabulary)
  const vectors = { ...known, known: new Uint8Array(known.known.length) }
  const labels = Int32Array.from(texts, ([, label]) => label)
  const pairs = nearestPairs(features, vocabulary, 20, 0.05)
  const taken = applyProfiles(labels, features, pairs, vocabulary, { ...TUNING, ...tuning }, vectors)
  return { labels: [...labels], taken: [...taken] }
}

const GROUP = [
  ['barcode scanner freezes', 0],
  ['scanner of the warehouse freezes', 0],
  ['barcode label in the warehouse', 0],
  ['warehouse scanner with barcode label', 0],
] as const
const OTHERS = [
  ['weekly digest email arrives twice', 1],
  ['the digest email comes twice a week', 1],
  ['two digest emails each week', 1],
] as const

describe('membersOf', () => {
  test('lists the places of each group, without those in none', () => {
    expect(membersOf(Int32Array.of(2, -1, 0, 2, -1, 0))).toEqual(
      new Map([
        [2, [0, 3]],
        [0, [2, 5]],
      ]),
    )
    expect(membersOf(new Int32Array())).toEqual(new Map())
    expect(membersOf(Int32Array.of(-1, -1))).toEqual(new Map())
  })
})

describe('a group profile', () => {
  test('adds a pending statement that shares words with several members', () => {
    const { labels, taken } = apply([...GROUP, ...OTHERS, ['barcode scanner in the warehouse', -1]])
    expect(labels.at(-1)).toBe(0)
    expect(taken.at(-1)).toBeGreaterThanOrEqual(similarityOf(TUNING.attach))
    expect(taken.slice(0, -1).every((similarity) => similarity === 0)).toBe(true)
  })

  test('leaves alone what belongs to no group', () => {
    const { labels, taken } = apply([...GROUP, ...OTHERS, ['please add a dark mode', -1]])
    expect(labels).toEqual([0, 0, 0, 0, 1, 1, 1, -1])
    expect(taken.every((similarity) => similarity === 0)).toBe(true)
  })

  test('never moves what has a group', () => {
    const { labels } = apply([...GROUP, ...OTHERS, ['barcode scanner in the warehouse', 1]])
    expect(labels.at(-1)).toBe(1)
  })

  test('needs three members', () => {
    const pending = ['barcode scanner in the warehouse', -1] as const
    expect(apply([...GROUP.slice(0, 2), pending]).labels.at(-1)).toBe(-1)
  })

  test('adds nothing below the required evidence', () => {
    const pending = ['barcode scanner in the warehouse', -1] as const
    expect(apply([...GROUP, ...OTHERS, pending], { attach: 1_000 }).labels.at(-1)).toBe(-1)
  })

  test('adds nothing that matches a second group nearly as well', () => {
    const torn = ['barcode scanner in the warehouse, weekly digest email twice', -1] as const
    expect(apply([...GROUP, ...OTHERS, torn], { attach: 0.5, margin: 1 }).labels.at(-1)).not.toBe(-1)
    expect(apply([...GROUP, ...OTHERS, torn], { attach: 0.5, margin: 100 }).labels.at(-1)).toBe(-1)
  })

  test('without groups changes nothing', () => {
    const { labels, taken } = apply([
      ['barcode scanner freezes', -1],
      ['barcode scanner freezes again', -1],
    ])
    expect(labels).toEqual([-1, -1])
    expect(taken).toEqual([0, 0])
    expect(apply([])).toEqual({ labels: [], taken: [] })
  })

  test.each([1, 2, 3, 4])('does not depend on the order of the statements (seed %i)', (seed) => {
    const texts = [...GROUP, ...OTHERS, ['barcode scanner in the warehouse', -1], ['dark mode please', -1]] as const
    const order = Int32Array.from(texts.keys())
    shuffle(order, seededRandom(seed))
    const moved = apply(Array.from(order, (place) => texts[place] as readonly [string, number])).labels
    const plain = apply(texts).labels
    expect(Array.from(order, (place) => plain[place])).toEqual(moved)
  })
})

describe('near-duplicates', () => {
  const flood = (label: number, count: number, ending: string) =>
    Array.from({ length: count }, () => [`gateway timeout while saving the invoice draft ${ending}`, label] as const)

  test('in two linked groups are merged into the one with the lower number', () => {
    const { labels } = apply([...flood(3, 4, 'today'), ...flood(5, 4, 'tonight'), ...OTHERS])
    expect(labels).toEqual([3, 3, 3, 3, 3, 3, 3, 3, 1, 1, 1])
  })

  test('stay apart when the groups have to be more alike', () => {
    const { labels } = apply([...flood(3, 4, 'today'), ...flood(5, 4, 'tonight')], { alike: 2 })
    expect(new Set(labels)).toEqual(new Set([3, 5]))
  })

  test('in a group of two are not merged', () => {
    const { labels } = apply([...flood(3, 4, 'today'), ...flood(5, 2, 'tonight')])
    expect(labels.slice(-2)).toEqual([5, 5])
  })

  test('of different subjects are not merged', () => {
    const other = Array.from({ length: 4 }, () => ['calendar sync removes every second birthday', 5] as const)
    expect(new Set(apply([...flood(3, 4, 'today'), ...other]).labels)).toEqual(new Set([3, 5]))
  })
})
