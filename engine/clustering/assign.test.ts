import { SAMPLE } from '@groundswell/fixtures/engine/feedback.ts'
import { describe, expect, test } from 'vitest'
import { issues, removeIssue } from '../corrections/remove.ts'
import type { Decision } from '../model.ts'
import { serialize } from '../state/serialize.ts'
import { createState, MAX_EXEMPLARS, type State } from '../state/state.ts'
import { prepare } from '../text/prepare.ts'
import { assign, replay } from './assign.ts'
import { revise } from './revise.ts'

function hear(state: State, text: string, id: string, thread?: string): Decision {
  const statements = prepare({ id, text, at: 0, ...(thread === undefined ? {} : { thread }) })
  return assign(state, statements).decisions[0] as Decision
}

function grown(): State {
  const state = createState()
  for (const item of SAMPLE) hear(state, item.text, item.id)
  revise(state)
  return state
}

describe('a decision', () => {
  test('is made for every statement, in order', () => {
    const statements = SAMPLE.flatMap((item) => prepare(item))
    const { decisions } = assign(createState(), statements)
    expect(decisions.map((decision) => decision.statementId)).toEqual(statements.map((statement) => statement.id))
  })

  test('names the words that decided, of the subject first', () => {
    const decision = hear(grown(), 'we cannot log in with single sign-on any more', 'x')
    expect(decision.kind).toBe('joined')
    expect(decision.reason).toMatch(/^shared: /)
    const [first] = decision.reason.slice('shared: '.length).split(', ')
    expect(['single', 'sign', 'log', 'cannot']).toContain(first)
  })

  test('has at most three candidates, best first, with scores from 0 to 1', () => {
    const { candidates = [], score } = hear(grown(), 'csv export in dark mode, log in fails', 'x')
    expect(candidates.length).toBeGreaterThan(0)
    expect(candidates.length).toBeLessThanOrEqual(3)
    const scores = candidates.map((candidate) => candidate.score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    for (const value of [score, ...scores]) {
      expect(value).toBeGreaterThanOrEqual(0)
      expect(value).toBeLessThan(1)
    }
  })

  test('says that nothing is alike in an empty state', () => {
    expect(hear(createState(), 'the export fails', 'x')).toEqual({
      statementId: 'x:0',
      kind: 'pending',
      score: 0,
      reason: 'nothing alike yet',
    })
  })

  test('of chit-chat leaves the state as it was but for the count', () => {
    const state = grown()
    const before = serialize(state)
    const seen = state.seen
    expect(hear(state, 'thanks!', 'x')).toEqual({
      statementId: 'x:0',
      kind: 'noise',
      score: 0,
      reason: 'greeting or thanks',
    })
    expect(state.seen).toBe(seen + 1)
    state.seen = seen
    expect(serialize(state)).toEqual(before)
  })

  test('joins what differs in markup, case and marks alone to the same text', () => {
    const state = grown()
    for (const text of [
      '<p>CSV export fails for large reports</p>',
      'csv export fails... for large reports 😡',
      'CSV EXPORT FAILS FOR LARGE REPORTS',
    ]) {
      expect(hear(state, text, text)).toMatchObject({ kind: 'joined', score: 1, reason: 'same words' })
    }
  })
})

describe('what is kept', () => {
  test('is 50 texts an issue at most, and near copies follow one', () => {
    const state = grown()
    const kept = state.nodes.length
    for (let i = 0; i < 30; i++) hear(state, 'CSV export fails for large reports', `copy${i}`)
    expect(state.nodes.length).toBe(kept)
    for (let i = 0; i < 120; i++)
      hear(state, `CSV export fails for large reports of ${i}th street, unit ${i % 7}x`, `more${i}`)
    for (const issue of state.issues.values()) expect(issue.nodes.size).toBeLessThanOrEqual(MAX_EXEMPLARS)
    const export_ = issues(state).find((issue) => issue.statementIds.includes('m0:0'))
    expect(export_?.mentions).toBeGreaterThan(100)
  })

  test('of a long statement is its beginning', () => {
    const state = createState()
    hear(state, `The export ${'of many reports '.repeat(30)}fails`, 'x')
    expect(state.nodes[0]?.text).toHaveLength(400)
  })

  test('of two pending copies is one, which becomes an issue of two', () => {
    const state = createState()
    hear(state, 'The invoice shows the wrong tax', 'a')
    expect(hear(state, 'the invoice shows the wrong tax!', 'b')).toMatchObject({
      kind: 'pending',
      reason: 'same words',
    })
    expect(state.nodes).toHaveLength(1)
    revise(state)
    expect(issues(state)).toMatchObject([{ mentions: 2, items: 2, visible: true }])
  })
})

describe('conversations', () => {
  test('a reply follows what its conversation began with, also while that waits', () => {
    const state = createState()
    hear(state, 'The export of the annual report fails', 'root')
    expect(hear(state, 'for our Leeds office too', 'r1', 'root')).toMatchObject({
      kind: 'pending',
      reason: 'same conversation',
    })
    revise(state)
    expect(issues(state)).toEqual([])
    hear(state, 'the annual report export fails', 'other')
    const { moves } = revise(state)
    expect(moves.map((move) => move.statementId).sort((a, b) => a.localeCompare(b))).toEqual([
      'other:0',
      'r1:0',
      'root:0',
    ])
  })

  test('a conversation of other chit-chat is no issue, however many reply', () => {
    const state = createState()
    hear(state, 'the new office has a great view of the harbour', 'root', 't')
    for (let i = 0; i < 8; i++) hear(state, `number ${i} of us wants a desk there`, `r${i}`, 't')
    revise(state)
    expect(issues(state).filter((issue) => issue.statementIds.includes('root:0'))).toEqual([])
  })

  test('a reply with its own subject goes to its own issue', () => {
    const state = grown()
    const home = hear(state, 'CSV export fails for large reports', 'probe').issueId
    const reply = hear(state, 'the csv export fails for large reports', 'r', 'm1')
    expect(reply).toMatchObject({ kind: 'joined', issueId: home })
  })

  test('an item is not its own conversation', () => {
    expect(hear(createState(), 'same here', 'm', 'm').kind).toBe('noise')
  })
})

describe('replay', () => {
  test('skips statements without a decision', () => {
    const state = createState()
    replay(state, prepare({ id: 'x', text: 'the export fails', at: 0 }), [])
    expect(state.seen).toBe(0)
    expect(state.statementIndex.size).toBe(0)
  })

  test('obeys noise, pending and joined against its own judgement', () => {
    const state = grown()
    const say = (id: string) => prepare({ id, text: 'csv export of large reports fails', at: 0 })
    replay(state, say('a'), [{ statementId: 'a:0', kind: 'noise', score: 0, reason: 'stored' }])
    expect(state.statementIndex.has('a:0')).toBe(false)
    replay(state, say('b'), [{ statementId: 'b:0', kind: 'pending', score: 0.1, reason: 'stored' }])
    expect(state.nodes[state.statementNodes[state.statementIndex.get('b:0') as number] as number]?.issue).toBe(0)
    replay(state, say('c'), [{ statementId: 'c:0', kind: 'joined', issueId: 2, score: 0.9, reason: 'stored' }])
    expect(issues(state).find((issue) => issue.issueId === 2)?.statementIds).toContain('c:0')
  })

  test('of a joined decision keeps an issue within its bound', () => {
    const state = createState()
    for (let i = 0; i < 80; i++) {
      const statements = prepare({ id: `m${i}`, text: `wholly different subject${i} and thing${i}`, at: 0 })
      replay(state, statements, [{ statementId: `m${i}:0`, kind: 'joined', issueId: 1, score: 0.6, reason: 'stored' }])
    }
    expect(state.issues.get(1)?.nodes.size).toBe(MAX_EXEMPLARS)
    expect(issues(state)[0]?.mentions).toBe(80)
  })
})

test('statements that join a removed issue are reported as joined, so that an undo finds all its mentions', () => {
  const state = grown()
  const issueId = hear(state, 'csv export fails for large reports', 'a').issueId as number
  removeIssue(state, issueId)
  expect(hear(state, 'CSV export of large reports fails', 'b')).toMatchObject({ kind: 'joined', issueId })
})
