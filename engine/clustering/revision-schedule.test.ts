import { SAMPLE } from '@groundswell/fixtures/engine/feedback.ts'
import { expect, test } from 'vitest'
import { createState, type State } from '../state/state.ts'
import { prepare } from '../text/prepare.ts'
import { assign } from './assign.ts'
import { revise } from './revise.ts'
import { planRevision, type RevisionInputs, revisionDelay } from './revision-schedule.ts'

const INPUTS: RevisionInputs = {
  idle: true,
  settle: false,
  correcting: false,
  sinceRevisionMs: 0,
  stateBytes: 1_000_000,
}

/** A state with two similar pending statements, which makes a small revision due. */
function smallChange(): State {
  const state = createState()
  assign(state, SAMPLE.flatMap(prepare))
  revise(state)
  for (const id of ['a', 'b']) {
    assign(
      state,
      prepare({ id, text: `Kilometre allowance rounds to whole euros${id === 'a' ? '' : ' again'}`, at: 1 }),
    )
  }
  return state
}

/** A state with enough new statements for a revision at any time. */
function largeChange(): State {
  const state = createState()
  for (let n = 0; n < 10; n++) {
    assign(
      state,
      SAMPLE.flatMap((item) => prepare({ ...item, id: `${item.id}x${n}`, text: `${item.text} ${n}` })),
    )
  }
  return state
}

test('nothing new needs no revision', () => {
  expect(planRevision(createState(), INPUTS)).toBe('no')
  const state = smallChange()
  revise(state)
  expect(planRevision(state, { ...INPUTS, settle: true, sinceRevisionMs: Number.POSITIVE_INFINITY })).toBe('no')
})

test('a small change waits for an idle workspace', () => {
  expect(planRevision(smallChange(), { ...INPUTS, idle: false, sinceRevisionMs: 1e9 })).toBe('no')
})

test('a small change of an idle workspace waits until a time that grows with the state has passed', () => {
  const state = smallChange()
  expect(planRevision(state, { ...INPUTS, sinceRevisionMs: 3_999 })).toBe('later')
  expect(planRevision(state, { ...INPUTS, sinceRevisionMs: 4_000 })).toBe('now')
  expect(planRevision(state, { ...INPUTS, sinceRevisionMs: 4_000, stateBytes: 1_000_001 })).toBe('later')
  expect(planRevision(state, { ...INPUTS, sinceRevisionMs: Number.POSITIVE_INFINITY })).toBe('now')
})

test('a settled workspace is revised at once', () => {
  expect(planRevision(smallChange(), { ...INPUTS, settle: true })).toBe('now')
})

test('a large change is revised at once, idle or not', () => {
  const state = largeChange()
  expect(planRevision(state, INPUTS)).toBe('now')
  expect(planRevision(state, { ...INPUTS, idle: false })).toBe('now')
})

test('a revision never mixes with a correction', () => {
  expect(planRevision(largeChange(), { ...INPUTS, settle: true, correcting: true })).toBe('later')
})

test('the delay is short for a small state and long for a large one', () => {
  expect(revisionDelay(0)).toBe(2)
  expect(revisionDelay(500_000)).toBe(2)
  expect(revisionDelay(500_001)).toBe(60)
})
