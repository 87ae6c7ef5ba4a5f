import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Changes } from '../model.ts'
import { EMPTY_FEATURES } from '../text/features.ts'
import { ChangeRecorder } from './recorder.ts'
import { addNode, createState, getOrCreateIssue, register, type State } from './state.ts'

/** A state of nodes with one to three statements each, in these issues (0: pending). */
function stateOf(issues: readonly number[], sizes: readonly number[]): State {
  const state = createState()
  issues.forEach((issue, n) => {
    const features = EMPTY_FEATURES
    const index = addNode(state, { features, text: '', language: 'en', hash: 0, at: 0, issue })
    for (let s = 0; s < 1 + ((sizes[n] ?? 0) % 3); s++) register(state, `item${n}-${s}:0`, index)
  })
  new ChangeRecorder(state).changes()
  return state
}

function placesOf(state: State): Map<string, number> {
  const places = new Map<string, number>()
  for (const [id, index] of state.statementIndex)
    places.set(id, state.nodes[state.statementNodes[index] as number]?.issue ?? 0)
  return places
}

const visible = (state: State) =>
  [...state.issues.values()].filter((issue) => issue.visible && issue.mentions > 0).map((issue) => issue.id)

/** What a caller that stores moves and events has afterwards. */
function stored(before: Map<string, number>, { moves }: Changes): Map<string, number> {
  const places = new Map(before)
  for (const { statementId, from, to } of moves) {
    expect([from, to]).not.toContain(0)
    expect(places.get(statementId)).toBe(from ?? 0)
    places.set(statementId, to ?? 0)
  }
  return places
}

const scene = fc.record({
  issues: fc.array(fc.nat(4), { minLength: 1, maxLength: 12 }),
  sizes: fc.array(fc.nat(2), { minLength: 12, maxLength: 12 }),
  moves: fc.array(fc.tuple(fc.nat(11), fc.nat(6)), { maxLength: 20 }),
})

/** Moves nodes as a revision does, creating issues 5 and 6. */
function change({ issues, sizes, moves }: { issues: number[]; sizes: number[]; moves: [number, number][] }) {
  const state = stateOf(issues, sizes)
  const before = { places: placesOf(state), visible: visible(state) }
  const recorder = new ChangeRecorder(state)
  for (const [node, issue] of moves) {
    if (issue > 4 && !state.issues.has(issue)) {
      getOrCreateIssue(state, issue)
      recorder.recordBirth(issue)
    }
    recorder.move(node % issues.length, issue, 0.5)
  }
  return { state, before, changes: recorder.changes() }
}

test('a caller that stores the moves places every statement as the state does', () => {
  fc.assert(
    fc.property(scene, (one) => {
      const { state, before, changes } = change(one)
      expect(stored(before.places, changes)).toEqual(placesOf(state))
    }),
    { numRuns: 500 },
  )
})

test('events are about issues that changed, each issue has at most one end, and successors exist', () => {
  fc.assert(
    fc.property(scene, (one) => {
      const { state, before, changes } = change(one)
      const ends = changes.events.filter(({ kind }) => kind === 'merged' || kind === 'ended')
      expect(new Set(ends.map(({ issueId }) => issueId)).size).toBe(ends.length)
      for (const { issueId } of ends) expect(state.issues.has(issueId)).toBe(false)
      const wrong = changes.events.filter((event) => {
        if (event.kind === 'merged') return state.successors.get(event.issueId) !== event.into
        if (event.kind === 'split') return event.into.some((into) => into <= 4)
        return event.kind === 'promoted' && before.visible.includes(event.issueId)
      })
      expect(wrong).toEqual([])
      const numbers = changes.events.map(({ issueId }) => issueId)
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    }),
    { numRuns: 500 },
  )
})

test('an issue is visible exactly when two items mention it', () => {
  fc.assert(
    fc.property(scene, (one) => {
      const { state } = change(one)
      const items = new Map<number, Set<string>>()
      for (const [id, issue] of placesOf(state)) items.set(issue, (items.get(issue) ?? new Set()).add(id))
      const expected = [...items].flatMap(([issue, ids]) => (issue > 0 && ids.size > 1 ? [issue] : []))
      expect(new Set(visible(state))).toEqual(new Set(expected))
    }),
    { numRuns: 500 },
  )
})

test('without moves nothing happened', () => {
  fc.assert(
    fc.property(scene, ({ issues, sizes }) => {
      const { changes } = change({ issues, sizes, moves: [] })
      expect(changes).toEqual({ events: [], moves: [] })
    }),
  )
})
