import { meaningOf } from '@groundswell/fixtures/engine/meanings.ts'
import { encodedState, receive, receiveEncoded, tellings } from '@groundswell/fixtures/engine/sentences.ts'
import { expect, test } from 'vitest'
import { assign, attachVectors, correct, issues, lockIssue, prepare, revise, type State } from '../index.ts'

const SUBJECTS = ['export', 'phone', 'login', 'invoice', 'calendar', 'search']

function built(): State {
  const state = encodedState()
  receiveEncoded(state, tellings(SUBJECTS, 4))
  revise(state)
  return state
}

/** A message that is partly about each of these. */
function say(state: State, id: string, about: string[]): void {
  const text = `${id} ${id}`
  assign(state, prepare({ id, text, at: 9 }))
  attachVectors(state, [{ statementId: `${id}:0`, text, at: 9, vector: meaningOf(about, id) }])
}

const issueOf = (state: State, id: string) =>
  issues(state).find(({ statementIds }) => statementIds.includes(`${id}:0`))?.issueId ?? 0

test('a statement is suggested for the issue that it is partly about, the most certain first', () => {
  const state = built()
  say(state, 'qqvv', ['export', 'weather', 'traffic', 'lunch', 'garden'])
  say(state, 'wwzz', ['export', 'weather', 'football', 'lunch', 'holidays', 'cinema', 'books'])
  say(state, 'jjkk', ['nothing of the kind'])
  const { suggestions } = revise(state)
  const found = suggestions?.members ?? []
  expect(found.map(({ issueId, statementId }) => [issueId, statementId])[0]).toEqual([issueOf(state, 'm0'), 'qqvv:0'])
  expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).toSorted((a, b) => b - a))
  expect(found.some(({ statementId }) => statementId === 'jjkk:0')).toBe(false)
  expect(suggestions?.issueIds.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6])
})

test('of two issues that a statement may belong to, the nearer one is more certain by more than it is nearer', () => {
  const state = built()
  say(state, 'qqvv', ['export', 'login', 'lunch', 'garden', 'football'])
  const members = revise(state).suggestions?.members ?? []
  expect(members.map(({ issueId }) => issueId)).toEqual([issueOf(state, 'm2'), issueOf(state, 'm0')])
  const [nearer = Number.NaN, farther = Number.NaN] = members.map(({ score }) => score)
  // It is nearer by 0.048.
  expect(nearer - farther).toBeCloseTo(0.096, 2)
})

test('what a person rejected from an issue, what is like that, and locked issues are suggested no more', () => {
  const state = built()
  say(state, 'qqvv', ['export', 'weather', 'traffic', 'lunch', 'garden'])
  const issueId = issueOf(state, 'm0')
  correct(state, { statements: [{ statementId: 'qqvv:0', issueId: 0, pin: -1, bans: [issueId], text: 'qqvv qqvv' }] })
  const suggested = () => revise(state).suggestions?.members.filter((one) => one.issueId === issueId)
  expect(suggested()).toEqual([])
  say(state, 'wwzz', ['export', 'weather', 'traffic', 'lunch', 'garden'])
  say(state, 'kkpp', ['export', 'football', 'holidays', 'cinema', 'books'])
  expect(suggested()?.map(({ statementId }) => statementId)).toEqual(['kkpp:0'])
  lockIssue(state, issueId, true)
  expect(suggested()).toEqual([])
})

test('issues that mean the same are suggested to be merged', () => {
  const state = built()
  // Two issues that a person keeps apart are not merged by the engine.
  const all = tellings(['prices'], 8, 'p')
  receive(state, all)
  const put = (ids: string[], issueId: number) =>
    correct(state, {
      statements: ids.map((id) => ({ statementId: `${id}:0`, issueId, pin: issueId, bans: [], text: id })),
    })
  put(['p0', 'p1', 'p2', 'p3'], 91)
  put(['p4', 'p5', 'p6', 'p7'], 92)
  attachVectors(
    state,
    all.map(({ id, text, about }) => ({ statementId: `${id}:0`, text, at: 0, vector: meaningOf(about, id) })),
  )
  const merges = revise(state).suggestions?.merges ?? []
  expect(merges.map(({ issueIds }) => issueIds.toSorted((a, b) => a - b))).toEqual([[91, 92]])
  expect(merges[0]?.score).toBeGreaterThan(0.5)
})
