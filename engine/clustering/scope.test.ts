import { describe, expect, test } from 'vitest'
import { issues } from '../corrections/remove.ts'
import { ChangeRecorder } from '../state/recorder.ts'
import {
  addNode,
  compact,
  createState,
  getOrCreateIssue,
  MAX_EXEMPLARS,
  mergeNodes,
  placeNode,
  register,
  type State,
} from '../state/state.ts'
import { analyse, FeatureExtractor } from '../text/features.ts'
import { prepare } from '../text/prepare.ts'
import { Vocabulary } from '../text/vocabulary.ts'
import { assign } from './assign.ts'
import { trimExemplars } from './exemplars.ts'
import { revise } from './revise.ts'
import { chooseScope, MAX_SCOPE } from './scope.ts'
import { nearestPairs } from './similarity/nearest-pairs.ts'
import { applyProfiles } from './similarity/profiles.ts'

function put(state: State, id: string, text: string, issue: number): number {
  const reading = analyse(text)
  const features = state.featureExtractor.extract(reading)
  state.vocabulary.count(features.terms)
  if (issue > 0) getOrCreateIssue(state, issue)
  const node = addNode(state, { features, text, language: reading.language, hash: reading.hash, at: 0, issue })
  register(state, id, node)
  return node
}

describe('chooseScope', () => {
  test('takes everything in a small state', () => {
    const state = createState()
    for (let i = 0; i < 30; i++) put(state, `m${i}:0`, `text ${i}`, i % 3)
    const { nodes, issues: chosen } = chooseScope(state)
    expect(nodes).toHaveLength(30)
    expect(chosen).toEqual(new Set([1, 2]))
  })

  test('beyond its limit takes the newest pending statements and the issues that changed most', () => {
    const state = createState()
    for (let issue = 1; issue <= 150; issue++) {
      for (let i = 0; i < 40; i++) put(state, `i${issue}-${i}:0`, `w${issue} x${i}`, issue)
    }
    for (const issue of state.issues.values()) issue.changed = issue.id === 77 ? 40 : 0
    const scope = chooseScope(state)
    expect(scope.nodes.length).toBeLessThanOrEqual(MAX_SCOPE)
    expect(scope.nodes.length).toBeGreaterThan(MAX_SCOPE - 50)
    expect(scope.issues.has(77)).toBe(true)
    const places = new Set(scope.nodes)
    for (const issue of state.issues.values()) {
      const inside = [...issue.nodes].filter((node) => places.has(node)).length
      expect([0, issue.nodes.size]).toContain(inside)
    }
  })

  test('forgets the oldest of too many pending statements', () => {
    const state = createState()
    for (let i = 0; i < 3_200; i++) put(state, `m${i}:0`, `word${i}`, 0)
    chooseScope(state)
    expect(state.statementIndex.has('m0:0')).toBe(false)
    expect(state.statementIndex.has('m199:0')).toBe(false)
    expect(state.statementIndex.has('m200:0')).toBe(true)
    expect(state.nodes.filter((node) => node !== null)).toHaveLength(3_000)
  })
})

describe('nodes', () => {
  test('move with their followers, and counts are updated', () => {
    const state = createState()
    const node = put(state, 'a:0', 'csv export', 1)
    register(state, 'b:0', node)
    placeNode(state, node, 2)
    getOrCreateIssue(state, 3)
    expect(state.issues.get(1)).toMatchObject({ mentions: 0, id: 1 })
    expect(state.issues.get(2)).toMatchObject({ mentions: 2 })
    expect(state.nextIssue).toBe(4)
  })

  test('keep every statement when merged', () => {
    const state = createState()
    const a = put(state, 'a:0', 'csv export', 1)
    const b = put(state, 'b:0', 'csv exports', 1)
    mergeNodes(state, a, b)
    compact(state)
    expect(state.nodes).toHaveLength(1)
    expect(issues(state)).toMatchObject([{ issueId: 1, mentions: 2, statementIds: ['b:0', 'a:0'] }])
    const again = assign(state, prepare({ id: 'c', text: 'csv export', at: 1 })).decisions[0]
    expect(again).toMatchObject({ kind: 'joined', issueId: 1, reason: 'same words' })
  })

  test('beyond 50 per issue are merged into their nearest', () => {
    const state = createState()
    for (let i = 0; i < 70; i++) put(state, `m${i}:0`, `export ${i < 35 ? 'fails' : 'works'} x${i}y`, 1)
    trimExemplars(state)
    compact(state)
    expect(state.issues.get(1)?.nodes.size).toBe(MAX_EXEMPLARS)
    expect(issues(state)[0]?.mentions).toBe(70)
    const followers = state.nodes.flatMap((node) => (node && node.followers.length > 1 ? [node] : []))
    const own = followers.filter((node) => node.text.includes('works'))
    expect(own.length).toBeGreaterThan(followers.length / 2)
  })
})

describe('ChangeRecorder', () => {
  test('distinguishes a split from a merge and an end', () => {
    const state = createState()
    const nodes = [1, 1, 1, 1, 2, 2, 3, 3].map((issue, i) => put(state, `m${i}:0`, `t${i}`, issue))
    const recorder = new ChangeRecorder(state)
    recorder.changes()
    const next = new ChangeRecorder(state)
    next.recordBirth(4)
    next.move(nodes[0] as number, 4, 0.7)
    next.move(nodes[1] as number, 4, 0.7)
    next.move(nodes[4] as number, 1, 0.7)
    next.move(nodes[5] as number, 1, 0.7)
    next.move(nodes[6] as number, 0, 0.2)
    next.move(nodes[7] as number, 0, 0.2)
    const { events, moves } = next.changes()
    expect(events).toEqual([
      { kind: 'split', issueId: 1, into: [4] },
      { kind: 'merged', issueId: 2, into: 1 },
      { kind: 'ended', issueId: 3 },
      { kind: 'born', issueId: 4 },
    ])
    expect(moves).toHaveLength(6)
    expect(moves[0]).toMatchObject({ statementId: 'm0:0', from: 1, to: 4, score: 0.7 })
    expect(moves[5]).toMatchObject({ statementId: 'm7:0', from: 3, to: null })
  })

  test('ignores moves that change nothing', () => {
    const state = createState()
    const node = put(state, 'a:0', 'one', 0)
    const recorder = new ChangeRecorder(state)
    recorder.move(node, 0, 1)
    expect(recorder.changes()).toEqual({ events: [], moves: [] })
  })
})

describe('applyProfiles', () => {
  const TEXTS = [
    'csv export fails for large reports',
    'export of reports to csv times out',
    'large report download fails',
    'dark mode for the app please',
    'a dark theme for the app',
    'dark colours at night in the app',
    'the csv download of a large report times out',
    'lunch is at noon in the kitchen',
  ]

  /** words alone decide */
  const NOTHING_KNOWN = {
    dimensions: 1,
    values: new Float32Array(TEXTS.length),
    known: new Uint8Array(TEXTS.length),
    lengthFactors: new Float32Array(TEXTS.length),
    languages: [],
  }

  function consulted(attach: number, margin = 1) {
    const vocabulary = new Vocabulary()
    const extractor = new FeatureExtractor(vocabulary)
    const features = TEXTS.map((text) => {
      const one = extractor.extract(analyse(text))
      vocabulary.count(one.terms)
      return one
    })
    const labels = Int32Array.from([0, 0, 0, 3, 3, 3, -1, -1])
    const pairs = nearestPairs(features, vocabulary, 7, 0.01)
    const taken = applyProfiles(labels, features, pairs, vocabulary, { attach, margin, alike: 0.9 }, NOTHING_KNOWN)
    return { labels: [...labels], taken: [...taken] }
  }

  test('adds statements that match a group’s profile, and no others', () => {
    const { labels, taken } = consulted(2.5)
    expect(labels).toEqual([0, 0, 0, 3, 3, 3, 0, -1])
    expect(taken[6]).toBeGreaterThan(0.5)
    expect(taken[7]).toBe(0)
  })

  test('adds nothing below the threshold', () => {
    expect(consulted(50).labels.slice(6)).toEqual([-1, -1])
    expect(consulted(2.5, 100).labels[6]).toBe(6 - 7)
  })
})

test('a revision of a state at its limits stays within them', () => {
  const state = createState()
  for (let issue = 1; issue <= 130; issue++) {
    for (let i = 0; i < 45; i++) put(state, `i${issue}-${i}:0`, `subject${issue} thing${issue} part${i % 9}`, issue)
  }
  const { moves } = revise(state)
  expect(moves.length).toBeLessThan(200)
  expect(issues(state).length).toBeGreaterThan(120)
  for (const issue of state.issues.values()) expect(issue.nodes.size).toBeLessThanOrEqual(MAX_EXEMPLARS)
})
