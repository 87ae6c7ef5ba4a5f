import { describe, expect, test } from 'vitest'
import { EMPTY_FEATURES } from '../text/features.ts'
import { ChangeRecorder } from './recorder.ts'
import { addNode, createState, getOrCreateIssue, register, type State } from './state.ts'

function node(state: State, issue: number, ...statementIds: string[]): number {
  const index = addNode(state, { features: EMPTY_FEATURES, text: '', language: 'en', hash: 0, at: 0, issue })
  for (const id of statementIds) register(state, id, index)
  return index
}

describe('ChangeRecorder', () => {
  test('records a move for every statement of a node, with scores of three digits', () => {
    const state = createState()
    const index = node(state, 1, 'a:0', 'b:0')
    const recorder = new ChangeRecorder(state)
    recorder.move(index, 2, 0.123456, 'because')
    const { moves } = recorder.changes()
    expect(moves).toEqual([
      { statementId: 'a:0', from: 1, to: 2, score: 0.123, reason: 'because' },
      { statementId: 'b:0', from: 1, to: 2, score: 0.123, reason: 'because' },
    ])
  })

  test('a move to no issue has no target, one of a pending statement no origin', () => {
    const state = createState()
    const pending = node(state, 0, 'a:0')
    const grouped = node(state, 1, 'b:0')
    const recorder = new ChangeRecorder(state)
    recorder.move(pending, 1, 1)
    recorder.move(grouped, 0, 0)
    const [first, second] = recorder.changes().moves
    expect(first).toEqual({ statementId: 'a:0', to: 1, score: 1, reason: 'says the same as the rest of the group' })
    expect(second).toEqual({
      statementId: 'b:0',
      from: 1,
      to: null,
      score: 0,
      reason: 'no longer near the rest of the group',
    })
  })

  test('a move within an issue is none', () => {
    const state = createState()
    const index = node(state, 1, 'a:0')
    const recorder = new ChangeRecorder(state)
    recorder.move(index, 1, 1)
    expect(recorder.changes().moves).toEqual([])
  })

  test('an issue that gives most of its statements away and is empty has merged', () => {
    const state = createState()
    const nodes = [node(state, 1, 'a:0'), node(state, 1, 'b:0'), node(state, 1, 'c:0')]
    node(state, 2, 'd:0', 'e:0')
    const recorder = new ChangeRecorder(state)
    nodes.forEach((index, n) => recorder.move(index, n === 0 ? 0 : 2, 1))
    expect(recorder.changes().events).toContainEqual({ kind: 'merged', issueId: 1, into: 2 })
    expect(state.successors.get(1)).toBe(2)
    expect(state.issues.has(1)).toBe(false)
  })

  test('an empty issue without a majority successor has ended', () => {
    const state = createState()
    const nodes = [node(state, 1, 'a:0'), node(state, 1, 'b:0')]
    node(state, 2, 'd:0')
    node(state, 3, 'e:0')
    const recorder = new ChangeRecorder(state)
    nodes.forEach((index, n) => recorder.move(index, n + 2, 1))
    const { events } = recorder.changes()
    expect(events).toContainEqual({ kind: 'ended', issueId: 1 })
    expect(events.some(({ kind }) => kind === 'merged')).toBe(false)
  })

  test('only the named issues count as merged when a person says which', () => {
    const state = createState()
    const index = node(state, 1, 'a:0')
    node(state, 2, 'b:0')
    const recorder = new ChangeRecorder(state)
    recorder.move(index, 2, 1)
    expect(recorder.changes(new Set([7])).events).toContainEqual({ kind: 'ended', issueId: 1 })
  })

  test('a new issue is born, and the one it came from has split', () => {
    const state = createState()
    const index = node(state, 1, 'a:0')
    node(state, 1, 'b:0', 'c:0')
    const recorder = new ChangeRecorder(state)
    recorder.recordBirth(2)
    recorder.move(index, 2, 1)
    expect(recorder.changes().events.map(({ kind, issueId }) => `${kind} ${issueId}`)).toEqual([
      'promoted 1',
      'split 1',
      'born 2',
    ])
  })

  test('an issue of two items is visible, one of a single item or removed is not', () => {
    const state = createState()
    node(state, 1, 'a:0', 'b:0')
    node(state, 2, 'c:0', 'c:1')
    node(state, 3, 'd:0', 'e:0')
    getOrCreateIssue(state, 3).removed = true
    new ChangeRecorder(state).changes()
    expect([1, 2, 3].map((id) => state.issues.get(id)?.visible)).toEqual([true, false, false])
  })

  test('candidates are added to the moves of their node', () => {
    const state = createState()
    const [one, other] = [node(state, 0, 'a:0'), node(state, 0, 'b:0')]
    const recorder = new ChangeRecorder(state)
    recorder.move(one, 1, 1)
    recorder.move(other, 1, 1)
    recorder.addCandidates(new Map([[one, [{ issueId: 1, score: 0.7 }]]]))
    const { moves } = recorder.changes()
    expect(moves.map(({ candidates }) => candidates)).toEqual([[{ issueId: 1, score: 0.7 }], undefined])
  })

  test('a statement that moves twice has one move, and one that returns has none', () => {
    const state = createState()
    const [one, back] = [node(state, 1, 'a:0'), node(state, 1, 'b:0')]
    node(state, 1, 'c:0')
    node(state, 2, 'd:0')
    node(state, 3, 'e:0')
    const recorder = new ChangeRecorder(state)
    recorder.move(one, 2, 0.5)
    recorder.move(back, 2, 0.5)
    recorder.move(one, 3, 0.7)
    recorder.move(back, 1, 0.9)
    const { moves } = recorder.changes()
    expect(moves).toEqual([
      { statementId: 'a:0', from: 1, to: 3, score: 0.7, reason: 'says the same as the rest of the group' },
    ])
  })

  test('an issue that came and went within one change is not mentioned', () => {
    const state = createState()
    const index = node(state, 1, 'a:0')
    node(state, 1, 'b:0', 'c:0')
    new ChangeRecorder(state).changes()
    const recorder = new ChangeRecorder(state)
    recorder.recordBirth(2)
    recorder.move(index, 2, 1)
    recorder.move(index, 1, 1)
    expect(recorder.changes()).toEqual({ events: [], moves: [] })
    expect(state.issues.has(2)).toBe(false)
  })

  test('an issue closed before the last move has merged into the one that its statements are in at last', () => {
    const state = createState()
    const nodes = [node(state, 1, 'a:0'), node(state, 1, 'b:0')]
    node(state, 2, 'd:0')
    node(state, 3, 'e:0')
    const recorder = new ChangeRecorder(state)
    for (const index of nodes) recorder.move(index, 2, 1)
    recorder.closeEmpty()
    expect([state.issues.has(1), state.successors.get(1)]).toEqual([false, 2])
    for (const index of nodes) recorder.move(index, 3, 1)
    expect(recorder.changes().events).toContainEqual({ kind: 'merged', issueId: 1, into: 3 })
    expect(state.successors.get(1)).toBe(3)
  })

  test('an issue closed before the last move has ended where its statements part after all', () => {
    const state = createState()
    const nodes = [node(state, 1, 'a:0'), node(state, 1, 'b:0')]
    node(state, 2, 'd:0')
    const recorder = new ChangeRecorder(state)
    for (const index of nodes) recorder.move(index, 2, 1)
    recorder.closeEmpty()
    recorder.move(nodes[0] as number, 0, 1)
    expect(recorder.changes().events).toContainEqual({ kind: 'ended', issueId: 1 })
    expect(state.successors.has(1)).toBe(false)
  })

  test('an entry is a move without an origin', () => {
    const recorder = new ChangeRecorder(createState())
    recorder.recordEntry('a:0', 3, 1, 'decided')
    recorder.recordEntry('b:0', 0, 1, 'decided')
    expect(recorder.changes().moves).toEqual([
      { statementId: 'a:0', to: 3, score: 1, reason: 'decided' },
      { statementId: 'b:0', to: null, score: 1, reason: 'decided' },
    ])
  })
})
