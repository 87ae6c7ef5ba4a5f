import { fileURLToPath } from 'node:url'
import { readRows, stream } from '@groundswell/bench/engine/stream.ts'
import { expect, test } from 'vitest'
import { assign, createState, deserialize, issues, prepare, serialize } from '../index.ts'
import { type Node, nodeOf, placeNode } from '../state/state.ts'
import { joinNearestIssues } from './lineage.ts'
import { needsRevision, revise } from './revise.ts'
import { LOOSE_SLOPE, minSimilarity } from './similarity/min-similarity.ts'

test('the required similarity grows with the number of texts', () => {
  const asked = [100, 800, 5_500, 20_000].map((texts) => minSimilarity(0.518, texts))
  expect(asked).toEqual([...asked].sort((a, b) => a - b))
  expect(minSimilarity(0.518, 5_500)).toBe(0.518)
  expect(minSimilarity(0.518, 800)).toBeLessThan(0.47)
})

test('the required similarity stays within bounds', () => {
  expect(minSimilarity(0.518, 0)).toBeGreaterThanOrEqual(0.39)
  expect(minSimilarity(0.41, 0)).toBe(0.4)
  expect(minSimilarity(0.518, 1e9)).toBeCloseTo(0.568)
  expect(minSimilarity(0.518, 5_500, LOOSE_SLOPE)).toBe(0.518)
  expect(minSimilarity(0.518, 800, LOOSE_SLOPE)).toBeLessThan(minSimilarity(0.518, 800))
})

test('a flood of near-duplicates stays one issue per subject, although each one’s nearest neighbours are its own variant', () => {
  const subjects = [
    ['CSV export stops after the first thousand rows', ' of every report'],
    ['Password reset mail never arrives in the inbox', ' of our colleagues'],
    ['Dark mode makes the calendar text unreadable', ' on small phones'],
    ['Invoice PDF shows the wrong tax number', ' for German customers'],
  ] as const
  const state = createState()
  for (let from = 0; from < 1_200; from += 200) {
    const items = Array.from({ length: 200 }, (_, i) => {
      const n = from + i
      const [what, where] = subjects[n % subjects.length] as (typeof subjects)[number]
      return { id: `m${n}`, text: `${what}${n % 3 === 0 ? where : ''} (${n})`, at: n }
    })
    assign(state, items.flatMap(prepare))
    revise(state)
  }
  expect(issues(state).map(({ statementIds }) => statementIds.length)).toEqual([300, 300, 300, 300])
})

test('a revision is due after a fifth is new, in a large workspace after half, and before pending statements are forgotten', () => {
  const state = createState()
  const isDue = (before: number, fresh: number) => {
    state.seenAtRevision = before
    state.seen = before + fresh
    return needsRevision(state)
  }
  expect([isDue(0, 99), isDue(0, 100), isDue(5_000, 999), isDue(5_000, 1_000)]).toEqual([false, true, false, true])
  expect([isDue(20_000, 9_999), isDue(20_000, 10_000)]).toEqual([false, true])
  expect([isDue(900_000, 449_999), isDue(900_000, 450_000)]).toEqual([false, true])
  const item = (n: number) => ({ id: `m${n}`, text: `qa${n} qb${n} qc${n} qd${n}`, at: n })
  assign(state, Array.from({ length: 1_999 }, (_, n) => item(n)).flatMap(prepare))
  expect(isDue(20_000, 4_500)).toBe(false)
  assign(state, prepare(item(1_999)))
  expect(isDue(20_000, 4_500)).toBe(true)
})

test('what was already pending at the last revision does not make the next one due', () => {
  const state = createState()
  assign(
    state,
    Array.from({ length: 2_500 }, (_, n) => ({ id: `m${n}`, text: `qa${n} qb${n} qc${n} qd${n}`, at: n })).flatMap(
      prepare,
    ),
  )
  revise(state)
  state.seen = 24_500
  state.seenAtRevision = 20_000
  expect(needsRevision(state)).toBe(false)
  expect(needsRevision(deserialize(serialize(state)))).toBe(false)
})

const TAILS = ['on Monday', 'for large teams', 'in Safari', 'after lunch', 'with two accounts', 'since the update']

test('where a large workspace only has too many pending statements, a revision decides about those alone', () => {
  const said = (text: string, from: number, count: number) =>
    Array.from({ length: count }, (_, n) => ({
      id: `m${from + n}`,
      text: `${text} ${TAILS[n]}`,
      at: from + n,
    })).flatMap(prepare)
  const state = createState()
  assign(state, [
    ...said('CSV export stops after the first thousand rows', 0, 6),
    ...said('Password reset mail never arrives in the inbox', 100, 6),
  ])
  revise(state)
  const [exported, reset] = issues(state).map(({ issueId }) => issueId) as [number, number]
  const issueOf = (id: string) => nodeOf(state, `${id}:0`)?.issue
  placeNode(state, state.nodes.indexOf(nodeOf(state, 'm3:0') as Node), reset)
  state.seen = 24_500
  state.seenAtRevision = 20_000
  assign(state, said('Dark mode makes the calendar text unreadable', 200, 6))
  const before = issueOf('m3')
  expect([issueOf('m200'), before]).toEqual([0, reset])
  assign(
    state,
    Array.from({ length: 2_000 }, (_, n) => ({ id: `x${n}`, text: `qa${n} qb${n} qc${n} qd${n}`, at: n })).flatMap(
      prepare,
    ),
  )
  expect(needsRevision(state)).toBe(true)
  const { moves, events } = revise(state)
  expect(moves.filter(({ from }) => from !== undefined)).toEqual([])
  expect(events.map(({ kind }) => kind)).toEqual(['born'])
  expect([issueOf('m3'), issueOf('m0')]).toEqual([reset, exported])
  expect(new Set(moves.map(({ statementId }) => statementId))).toEqual(
    new Set(Array.from({ length: 6 }, (_, n) => `m${200 + n}:0`)),
  )
  expect([needsRevision(state), state.seenAtRevision]).toEqual([false, 20_000])

  state.seenAtRevision = state.seen
  expect(needsRevision(state)).toBe(false)
  revise(state)
  expect(issueOf('m3')).toBe(exported)
})

const STREAMS = fileURLToPath(new URL('../../bench/engine/companies/', import.meta.url))

test.each(['hotel', 'devtool', 'fitness', 'shop'])(
  'a second revision without anything new moves nothing: %s',
  (name) => {
    const rows = readRows(`${STREAMS}${name}.jsonl`)
    for (const seed of [1, 2]) {
      const { state } = stream(rows, seed)
      const again = deserialize(serialize(state))
      expect(revise(again)).toMatchObject({ moves: [], events: [] })
      expect(issues(again)).toEqual(issues(state))
    }
  },
)

test.each(['hotel', 'devtool', 'shop'])(
  'an issue that nothing joined or left keeps what is in it, whatever else is new: %s',
  (name) => {
    const state = createState()
    const said = readRows(`${STREAMS}${name}.jsonl`).flatMap(({ id = '', text, at = 0 }) => prepare({ id, text, at }))
    let quiet = 0
    for (let from = 0; from < said.length; from += 50) {
      assign(state, said.slice(from, from + 50))
      const before = new Map(issues(state).map(({ issueId, statementIds }) => [issueId, statementIds]))
      const unchanged = [...before.keys()].filter((issueId) => state.issues.get(issueId)?.changed === 0)
      revise(state)
      const after = new Map(issues(state).map(({ issueId, statementIds }) => [issueId, new Set(statementIds)]))
      for (const issueId of unchanged) {
        quiet++
        const missing = before.get(issueId)?.filter((id) => !after.get(issueId)?.has(id))
        expect([issueId, missing]).toEqual([issueId, []])
      }
    }
    expect(quiet).toBeGreaterThan(20)
  },
)

test('a community of pending statements joins the issue that most of its places are in', () => {
  const communities = [
    { places: [0, 1, 2, 3], issue: 0 },
    { places: [4, 5, 6], issue: 0 },
    { places: [7, 8], issue: 0 },
  ]
  joinNearestIssues(communities, (place) => [1, 2, 2, 0, 3, 2, 0, 0, 0][place] as number)
  expect(communities.map(({ issue }) => issue)).toEqual([2, 2, 0])
})
