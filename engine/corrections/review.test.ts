import { heldBy, issueWith, keepReceiving, moving, rejecting, say } from '@groundswell/fixtures/engine/corrections.ts'
import { SAMPLE } from '@groundswell/fixtures/engine/feedback.ts'
import { expect, describe as suite, test } from 'vitest'
import { seededRandom } from '../clustering/random.ts'
import {
  assign,
  correct,
  createState,
  deserialize,
  forget,
  issues,
  loadConstraints,
  lockIssue,
  prepare,
  REASON_REVIEWED,
  REASON_STRANGER,
  removeIssue,
  replay,
  review,
  revise,
  type State,
  serialize,
} from '../index.ts'

/** The issues of the sample, by size. */
function built(): { state: State; numbers: number[] } {
  const state = createState({ seed: 7 })
  assign(state, SAMPLE.flatMap(prepare))
  revise(state)
  const all = issues(state).filter(({ visible }) => visible)
  return { state, numbers: all.sort((a, b) => b.mentions - a.mentions).map(({ issueId }) => issueId) }
}

/** A statement that a review takes out: one of those least alike to their issue. */
function stranger(from: number): string {
  const found = heldBy(built().state, from).find((statementId) => {
    return review(built().state, [{ statementId, from, to: 0 }]).taken.length > 0
  })
  if (found === undefined) throw new Error('no statement of the issue can leave')
  return found
}

const [FIRST, SECOND] = built().numbers as [number, number]
const STRANGER = stranger(FIRST)

/** The state after the review of the first issue took the stranger out, into issue `to` (0: none). */
function reviewed(to = 0): State {
  const { state } = built()
  expect(review(state, [{ statementId: STRANGER, from: FIRST, to }]).taken).toHaveLength(1)
  return state
}

suite('a review', () => {
  test('takes a statement out of its issue, and says so', () => {
    const { state } = built()
    const { moves, taken } = review(state, [{ statementId: STRANGER, from: FIRST, to: 0 }])
    expect(moves).toEqual([{ statementId: STRANGER, from: FIRST, to: null, score: 1, reason: REASON_STRANGER }])
    expect(taken).toEqual([{ statementId: STRANGER, from: FIRST, to: 0 }])
    expect(issueWith(state, STRANGER)).toBe(0)
  })

  test('moves a statement into another issue', () => {
    const { state } = built()
    const { moves } = review(state, [{ statementId: STRANGER, from: FIRST, to: SECOND }])
    expect(moves).toEqual([{ statementId: STRANGER, from: FIRST, to: SECOND, score: 1, reason: REASON_REVIEWED }])
    expect(issueWith(state, STRANGER)).toBe(SECOND)
  })

  test.each([0, SECOND])('holds in revisions, when stored, and when the state is rebuilt (into %i)', (to) => {
    const wanted = (issueId: number) => (to > 0 ? issueId === to : issueId !== FIRST)
    const living = keepReceiving(reviewed(to))
    expect(wanted(issueWith(living, STRANGER))).toBe(true)
    const before = reviewed(to)
    const rebuilt = createState({ seed: 7 })
    const parted = [{ statementId: STRANGER, issueId: FIRST }]
    const advice = to > 0 ? [{ statementId: STRANGER, issueId: to }] : []
    loadConstraints(rebuilt, { rules: [], merges: [], advice, parted, lastIssue: 20 })
    const statements = SAMPLE.flatMap(prepare)
    replay(
      rebuilt,
      statements,
      statements.map(({ id }) => {
        const issueId = issueWith(before, id)
        return { statementId: id, kind: issueId > 0 ? 'joined' : 'pending', issueId, score: 1, reason: '' }
      }),
    )
    expect(wanted(issueWith(keepReceiving(rebuilt), STRANGER))).toBe(true)
  })

  test('without it, revisions put the same statement back', () => {
    const state = reviewed()
    state.parted.clear()
    expect(issueWith(keepReceiving(state), STRANGER)).toBe(FIRST)
  })

  test('is stored with the state, which without reviews has the same bytes as before', () => {
    const state = reviewed()
    expect(deserialize(serialize(state)).parted).toEqual(new Map([[STRANGER, [FIRST]]]))
    state.parted.clear()
    expect(deserialize(serialize(state)).parted.size).toBe(0)
  })

  test('never takes what a person placed, and a person can put back what it took', () => {
    const { state } = built()
    correct(
      state,
      moving([STRANGER], FIRST, () => undefined),
    )
    expect(review(state, [{ statementId: STRANGER, from: FIRST, to: 0 }]).taken).toEqual([])
    const other = reviewed()
    correct(
      other,
      moving([STRANGER], FIRST, () => undefined),
    )
    expect(issueWith(keepReceiving(other), STRANGER)).toBe(FIRST)
  })

  test('moves nothing into what a person rejected it from, locked or deleted: it is in no issue then', () => {
    for (const change of [
      (state: State) => lockIssue(state, SECOND, true),
      (state: State) => removeIssue(state, SECOND),
      (state: State) =>
        correct(
          state,
          rejecting(state, [STRANGER], SECOND, () => undefined),
        ),
    ]) {
      const { state } = built()
      change(state)
      expect(review(state, [{ statementId: STRANGER, from: FIRST, to: SECOND }]).taken).toMatchObject([{ to: 0 }])
    }
    const { state } = built()
    state.parted.set(STRANGER, [SECOND])
    expect(review(state, [{ statementId: STRANGER, from: FIRST, to: SECOND }]).taken).toMatchObject([{ to: 0 }])
  })

  test('leaves alone what is locked, deleted, elsewhere, unknown, or as like its issue as most of it', () => {
    const { state } = built()
    const none = (of: State, statementId = STRANGER, from = FIRST) => {
      const { taken, moves } = review(of, [{ statementId, from, to: 0 }])
      expect([taken, moves]).toEqual([[], []])
    }
    none(state, 'nothing:0')
    none(state, STRANGER, SECOND)
    none(state, STRANGER, 999)
    lockIssue(state, FIRST, true)
    none(state)
    lockIssue(state, FIRST, false)
    removeIssue(state, FIRST)
    none(state)
    const kept = heldBy(built().state, FIRST).filter(
      (statementId) => review(built().state, [{ statementId, from: FIRST, to: 0 }]).taken.length === 0,
    )
    expect(kept.length).toBeGreaterThan(0)
  })

  test('never takes more than half of an issue, whatever the model says', () => {
    for (const from of built().numbers) {
      const { state } = built()
      const all = heldBy(state, from)
      review(
        state,
        all.map((statementId) => ({ statementId, from, to: 0 })),
      )
      expect(heldBy(state, from).length * 2).toBeGreaterThanOrEqual(all.length)
      expect(heldBy(state, from).length).toBeGreaterThanOrEqual(2)
    }
  })

  test('is forgotten with the message', () => {
    const state = reviewed()
    forget(state, [STRANGER])
    expect(state.parted.size).toBe(0)
  })

  test('with moves at random, what people decided still holds', () => {
    const random = seededRandom(5)
    let { state } = built()
    const pins = new Map<string, number>()
    for (let round = 0; round < 12; round++) {
      const all = issues(state).filter(({ visible }) => visible)
      const any = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T
      const person = any(all)
      const pinned = any(person.statementIds)
      correct(
        state,
        moving([pinned], person.issueId, () => undefined),
      )
      pins.set(pinned, person.issueId)
      const moves = all.flatMap(({ issueId, statementIds }) =>
        statementIds
          .filter(() => random() < 0.3)
          .map((statementId) => ({ statementId, from: issueId, to: any(all).issueId })),
      )
      review(state, moves)
      SAMPLE.forEach(({ text }, n) => assign(state, say(`${text} ${round}`, `x${round}y${n}`)))
      state = deserialize(serialize(state))
      revise(state)
      for (const [statementId, issueId] of pins) expect(issueWith(state, statementId)).toBe(issueId)
    }
  })
})
