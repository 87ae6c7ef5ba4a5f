import { heldBy, issueWith, keepReceiving, merging, moving, say } from '@groundswell/fixtures/engine/corrections.ts'
import { SAMPLE } from '@groundswell/fixtures/engine/feedback.ts'
import { expect, describe as suite, test } from 'vitest'
import {
  advise,
  assign,
  correct,
  createState,
  deserialize,
  forget,
  issues,
  judgeQuestions,
  loadConstraints,
  prepare,
  REASON_MODEL,
  replay,
  revise,
  type State,
  serialize,
} from '../index.ts'

const ODD = 'I get an error after minutes when the yearly figures come out as CSV'

/** Three issues and one pending statement. */
function built(): { state: State; to: number } {
  const state = createState({ seed: 7 })
  assign(state, [...SAMPLE.flatMap(prepare), ...say(ODD, 'odd')])
  revise(state)
  expect(issueWith(state, 'odd:0')).toBe(0)
  return { state, to: issueWith(state, 'm0:0') }
}

function advised(): { state: State; to: number } {
  const { state, to } = built()
  advise(state, [{ statementId: 'odd:0', issueId: to, score: 0.45 }])
  return { state, to }
}

suite('advice', () => {
  test('moves the statement, with the model as the reason', () => {
    const { state, to } = built()
    const { moves, events, taken } = advise(state, [{ statementId: 'odd:0', issueId: to, score: 0.45 }])
    expect(moves).toEqual([{ statementId: 'odd:0', to, score: 0.45, reason: REASON_MODEL }])
    expect([events, taken]).toEqual([[], ['odd:0']])
    expect(judgeQuestions(state, 10).map(({ of }) => of)).not.toContain('odd:0')
  })

  test('survives revisions, storing, and a rebuild of the state', () => {
    const { state, to } = advised()
    expect(issueWith(keepReceiving(state), 'odd:0')).toBe(to)
    const rebuilt = createState({ seed: 7 })
    loadConstraints(rebuilt, { rules: [], merges: [], advice: [{ statementId: 'odd:0', issueId: to }], lastIssue: 20 })
    const statements = [...SAMPLE.flatMap(prepare), ...say(ODD, 'odd')]
    replay(
      rebuilt,
      statements,
      statements.map(({ id }) => {
        const issueId = issueWith(state, id)
        return { statementId: id, kind: issueId > 0 ? 'joined' : 'pending', issueId, score: 1, reason: '' }
      }),
    )
    expect(issueWith(keepReceiving(rebuilt), 'odd:0')).toBe(to)
  })

  test('without it a revision moves the same statement out again', () => {
    const { state } = advised()
    state.advice.clear()
    expect(issueWith(keepReceiving(state, 1), 'odd:0')).toBe(0)
  })

  test('is skipped when it no longer applies', () => {
    const { state, to } = built()
    const refused = (of: State, statementId = 'odd:0', issueId = to) => {
      const { taken, moves } = advise(of, [{ statementId, issueId, score: 0.5 }])
      expect([taken, moves]).toEqual([[], []])
    }
    refused(state, 'nothing:0')
    refused(state, 'odd:0', 999)
    refused(state, 'm1:0')
    correct(state, { statements: [], locks: [{ issueId: to, locked: true }] })
    refused(state)
    correct(state, { statements: [], locks: [{ issueId: to, locked: false }] })
    correct(
      state,
      moving(['odd:0'], 0, () => ODD),
    )
    refused(state)
  })

  test('yields to a correction, and applies again when that is undone', () => {
    const { state, to } = advised()
    const other = issueWith(state, 'm1:0')
    correct(
      state,
      moving(['odd:0'], other, () => ODD),
    )
    expect(issueWith(keepReceiving(deserialize(serialize(state))), 'odd:0')).toBe(other)
    correct(state, { statements: [{ statementId: 'odd:0', issueId: to, pin: -1, bans: [], text: ODD }] })
    expect(issueWith(keepReceiving(state), 'odd:0')).toBe(to)
  })

  test('yields to a correction of a similar statement', () => {
    const { state } = advised()
    const other = issueWith(state, 'm1:0')
    assign(state, say(`${ODD} indeed, every single week`, 'like'))
    correct(
      state,
      moving(['like:0'], other, () => ODD),
    )
    expect(issueWith(keepReceiving(state, 1), 'odd:0')).toBe(other)
  })

  test('is dropped when the statement is edited', () => {
    const { state } = advised()
    forget(state, ['odd:0'])
    expect(state.advice.size).toBe(0)
    assign(state, say('an entirely different matter altogether', 'odd'))
    expect(issueWith(keepReceiving(state, 1), 'odd:0')).toBe(0)
  })

  test('moves along when its issue is merged, and leaves nothing behind when it ends', () => {
    const { state, to } = advised()
    const into = issueWith(state, 'm1:0')
    const merged = deserialize(serialize(state))
    correct(merged, merging(merged, to, into))
    expect(issueWith(keepReceiving(merged, 1), 'odd:0')).toBe(into)
    forget(
      state,
      heldBy(state, to).filter((id) => id !== 'odd:0'),
    )
    assign(state, say('something else that is new here', 'fresh'))
    revise(state)
    expect(issues(state).map((one) => one.issueId)).not.toContain(to)
    expect(issueWith(state, 'odd:0')).toBe(0)
  })
})
