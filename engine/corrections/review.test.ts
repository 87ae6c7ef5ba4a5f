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
  REASON_SAME,
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
    return review(built().state, { moves: [{ statementId, from, to: 0 }], merges: [] }).taken.length > 0
  })
  if (found === undefined) throw new Error('no statement of the issue can leave')
  return found
}

const [FIRST, SECOND] = built().numbers as [number, number]
const STRANGER = stranger(FIRST)

/** The state after the review of the first issue took the stranger out, into issue `to` (0: none). */
function reviewed(to = 0): State {
  const { state } = built()
  expect(review(state, { moves: [{ statementId: STRANGER, from: FIRST, to }], merges: [] }).taken).toHaveLength(1)
  return state
}

suite('a review', () => {
  test('takes a statement out of its issue, and says so', () => {
    const { state } = built()
    const { moves, taken } = review(state, { moves: [{ statementId: STRANGER, from: FIRST, to: 0 }], merges: [] })
    expect(moves).toEqual([{ statementId: STRANGER, from: FIRST, to: null, score: 1, reason: REASON_STRANGER }])
    expect(taken).toEqual([{ statementId: STRANGER, from: FIRST, to: 0 }])
    expect(issueWith(state, STRANGER)).toBe(0)
  })

  test('takes out of an issue what a person rejected from another one that it merges into it', () => {
    const { state } = built()
    const [declined] = heldBy(state, FIRST) as [string]
    correct(state, { statements: [{ statementId: declined, issueId: FIRST, pin: -1, bans: [SECOND] }] })
    const { merged } = review(state, { moves: [], merges: [{ from: SECOND, into: FIRST }] })
    expect(merged).toHaveLength(1)
    expect(issueWith(state, declined)).toBe(0)
  })

  test('moves a statement into another issue', () => {
    const { state } = built()
    const { moves } = review(state, { moves: [{ statementId: STRANGER, from: FIRST, to: SECOND }], merges: [] })
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
    expect(review(state, { moves: [{ statementId: STRANGER, from: FIRST, to: 0 }], merges: [] }).taken).toEqual([])
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
      expect(
        review(state, { moves: [{ statementId: STRANGER, from: FIRST, to: SECOND }], merges: [] }).taken,
      ).toMatchObject([{ to: 0 }])
    }
    const { state } = built()
    state.parted.set(STRANGER, [SECOND])
    expect(
      review(state, { moves: [{ statementId: STRANGER, from: FIRST, to: SECOND }], merges: [] }).taken,
    ).toMatchObject([{ to: 0 }])
  })

  test('leaves alone what is locked, deleted, elsewhere, unknown, or as like its issue as most of it', () => {
    const { state } = built()
    const none = (of: State, statementId = STRANGER, from = FIRST) => {
      const { taken, moves } = review(of, { moves: [{ statementId, from, to: 0 }], merges: [] })
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
      (statementId) =>
        review(built().state, { moves: [{ statementId, from: FIRST, to: 0 }], merges: [] }).taken.length === 0,
    )
    expect(kept.length).toBeGreaterThan(0)
  })

  test('never takes more than half of an issue, whatever the model says', () => {
    for (const from of built().numbers) {
      const { state } = built()
      const all = heldBy(state, from)
      review(state, { moves: all.map((statementId) => ({ statementId, from, to: 0 })), merges: [] })
      expect(heldBy(state, from).length * 2).toBeGreaterThanOrEqual(all.length)
      expect(heldBy(state, from).length).toBeGreaterThanOrEqual(2)
    }
  })

  suite('that finds a part', () => {
    /** The moves of two statements of the first issue into one part. */
    const partOf = (state: State, size = 2) =>
      heldBy(state, FIRST)
        .slice(0, size)
        .map((statementId) => ({ statementId, from: FIRST, to: 0, part: 1 }))

    test('makes it an issue of its own, which holds in revisions together with what has joined it', () => {
      const { state } = built()
      const parts = partOf(state)
      const { taken, events } = review(state, { moves: parts, merges: [] })
      const [founded] = new Set(taken.map(({ to }) => to))
      expect(taken.map(({ statementId }) => statementId)).toEqual(parts.map(({ statementId }) => statementId))
      expect(events).toContainEqual({ kind: 'born', issueId: founded })
      expect(events).toContainEqual({ kind: 'split', issueId: FIRST, into: [founded] })
      const before = heldBy(state, founded as number)
      const texts = SAMPLE.flatMap(prepare).filter(({ id }) => before.includes(id))
      for (const [n, { text }] of texts.entries()) assign(state, say(`${text} again`, `again${n}`))
      const joined = heldBy(state, founded as number).filter((id) => id.startsWith('again'))
      expect(joined).not.toEqual([])
      const later = deserialize(serialize(keepReceiving(state)))
      revise(later)
      expect(heldBy(later, founded as number)).toEqual(expect.arrayContaining([...before, ...joined]))
    })

    test('takes a single statement of a part for a single stranger, and no part that is more than half', () => {
      const { state } = built()
      const [one] = partOf(state, 1)
      const { taken, events } = review(state, { moves: [{ ...one, part: 3 } as never], merges: [] })
      expect(events.filter(({ kind }) => kind === 'born')).toEqual([])
      expect(taken.every(({ to, part }) => to === 0 && part === undefined)).toBe(true)
      const whole = built().state
      const most = Math.floor(heldBy(whole, FIRST).length / 2) + 1
      expect(review(whole, { moves: partOf(whole, most), merges: [] }).taken).toEqual([])
    })

    test('leaves out what a person placed', () => {
      const { state } = built()
      const parts = partOf(state)
      const placed = parts[0]?.statementId as string
      correct(
        state,
        moving([placed], FIRST, () => undefined),
      )
      review(state, { moves: parts, merges: [] })
      expect(issueWith(state, placed)).toBe(FIRST)
    })
  })

  suite('that finds two issues the same', () => {
    const merge = (state: State, from = SECOND, into = FIRST) => review(state, { moves: [], merges: [{ from, into }] })

    test('merges them, in revisions, when stored and with more about the one that ended', () => {
      const { state } = built()
      const theirs = heldBy(state, SECOND)
      const { merged, events, moves } = merge(state)
      expect(merged).toEqual([{ from: SECOND, into: FIRST, statementIds: expect.arrayContaining(theirs) }])
      expect(events).toEqual([{ kind: 'merged', issueId: SECOND, into: FIRST }])
      expect(new Set(moves.map(({ reason }) => reason))).toEqual(new Set([REASON_SAME]))
      const texts = SAMPLE.flatMap(prepare).filter(({ id }) => theirs.includes(id))
      for (const [n, { text }] of texts.entries()) assign(state, say(`${text} again`, `again${n}`))
      const later = deserialize(serialize(keepReceiving(state)))
      revise(later)
      const ids = [...theirs, ...texts.map((_, n) => `again${n}:0`)]
      expect(ids.map((id) => issueWith(later, id))).toEqual(ids.map(() => FIRST))
    })

    test('merges nothing with or from what is locked, deleted, itself, unknown, or placed or rejected by a person', () => {
      for (const change of [
        (state: State) => lockIssue(state, SECOND, true),
        (state: State) => lockIssue(state, FIRST, true),
        (state: State) => removeIssue(state, FIRST),
        (state: State) =>
          correct(
            state,
            moving(heldBy(state, SECOND).slice(0, 1), SECOND, () => undefined),
          ),
        (state: State) =>
          correct(
            state,
            rejecting(state, heldBy(state, SECOND).slice(0, 1), FIRST, () => undefined),
          ),
      ]) {
        const { state } = built()
        change(state)
        expect(merge(state)).toMatchObject({ merged: [], moves: [], events: [] })
      }
      expect(merge(built().state, FIRST, FIRST).merged).toEqual([])
      expect(merge(built().state, 999, FIRST).merged).toEqual([])
      expect(merge(built().state, SECOND, 999).merged).toEqual([])
    })

    test('merges a chain, each into what the one before it has become', () => {
      const { state, numbers } = built()
      const third = numbers[2] as number
      const { merged } = review(state, {
        moves: [],
        merges: [
          { from: SECOND, into: FIRST },
          { from: FIRST, into: third },
        ],
      })
      expect(merged.map(({ from, into }) => [from, into])).toEqual([
        [SECOND, FIRST],
        [FIRST, third],
      ])
    })
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
      const merges = [{ from: any(all).issueId, into: any(all).issueId }]
      review(state, { moves: moves.map((move) => (random() < 0.5 ? { ...move, to: 0, part: 1 } : move)), merges })
      SAMPLE.forEach(({ text }, n) => assign(state, say(`${text} ${round}`, `x${round}y${n}`)))
      state = deserialize(serialize(state))
      revise(state)
      for (const [statementId, issueId] of pins) expect(issueWith(state, statementId)).toBe(issueId)
    }
  })
})
