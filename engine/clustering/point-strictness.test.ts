import { expect, test } from 'vitest'
import { assign, createState, issues, prepare, revise, type State } from '../index.ts'
import type { SplitItem } from '../text/prepare.ts'
import { findCommunities, TUNING } from './communities.ts'
import { discountPoints, extraMeaning, readPlaces } from './point-strictness.ts'
import { chooseScope } from './scope.ts'

const TEXTS = [
  'CSV export fails with an error',
  'CSV export fails with a timeout error',
  'The export as CSV fails with an error',
]

/** The state of these messages: the texts themselves, or unlike texts in which they were read. */
function stateOf(asPoints: readonly boolean[]): State {
  const state = createState({ seed: 1 })
  const items = TEXTS.map((text, i): SplitItem => {
    const said = asPoints[i] ? `${'qwrtz'.repeat(i + 1)} ${i}` : text
    const points = [{ start: 0, end: said.length, point: text, kind: 'problem' as const }]
    return { id: `m${i}`, text: said, at: i, ...(asPoints[i] ? { points } : {}) }
  })
  assign(state, items.flatMap(prepare))
  return state
}

const STRICT = { ...TUNING, points: { ...TUNING.points, edge: 0.999 } }
const groups = (asPoints: readonly boolean[], tuning = TUNING) => {
  const state = stateOf(asPoints)
  return new Set(findCommunities(state, chooseScope(state), tuning).labels).size
}

test('two points need the edge of points, texts and a text beside a point that of texts', () => {
  expect(groups([true, true, true])).toBe(1)
  expect(groups([true, true, true], STRICT)).toBe(3)
  expect(groups([false, false, false], STRICT)).toBe(1)
  expect(groups([true, false, false], STRICT)).toBe(1)
})

test('a revision of texts alone is the same whatever points need', () => {
  const [first, second] = [TUNING, STRICT].map((tuning) => {
    const state = stateOf([false, false, false])
    return { changes: revise(state, { tuning }), groups: [...issues(state)].map(({ statementIds }) => statementIds) }
  })
  expect(second).toEqual(first)
  expect(first?.groups).toEqual([['m0:0', 'm1:0', 'm2:0']])
})

test('the mean cosine of groups is lowered as far as both are points, others not', () => {
  const cosines = Float32Array.of(-Infinity, 0.5, 0.5, 0.5, -Infinity, 0.5, 0.5, 0.5, -Infinity)
  const isRead = Uint8Array.of(1, 1, 0, 0)
  discountPoints(cosines, [[0], [1, 2], [3]], isRead, 0.1)
  expect([...cosines].map((value) => Number(value.toFixed(3)))).toEqual([
    -Infinity,
    0.45,
    0.5,
    0.45,
    -Infinity,
    0.5,
    0.5,
    0.5,
    -Infinity,
  ])
  expect(extraMeaning(TUNING)).toBeGreaterThan(0)
})

test('places where a model read are known by their point', () => {
  const state = stateOf([true, false, true])
  expect([...readPlaces(state, chooseScope(state))]).toEqual([1, 0, 1])
})
