import { expect, test } from 'vitest'
import { nodeContent } from '../state/node-content.ts'
import { ChangeRecorder } from '../state/recorder.ts'
import { addNode, createState, getOrCreateIssue, type Node, register, type State } from '../state/state.ts'
import { REASON_REJECTED, removeRejected } from './rejections.ts'
import { refreshNodeRule, storeRule } from './rules.ts'

const TARGET = 1
const REJECTED = 2

/** Adds a message that is in an issue. `pin`: the issue into which a person put it; `bans`: those that people rejected for it. */
function add(state: State, id: string, issue: number, { pin = -1, bans = [] }: { pin?: number; bans?: number[] } = {}) {
  getOrCreateIssue(state, issue)
  const index = addNode(state, { ...nodeContent(state, `The export of ${id} fails`), at: 1, issue })
  register(state, `${id}:0`, index)
  storeRule(state, `${id}:0`, { pin, bans })
  refreshNodeRule(state, state.nodes[index] as Node)
  return index
}

/** All messages of one issue move into another, except one that was rejected there. The other has a message that was rejected from the first. */
function merging(rule: { pin?: number; bans: number[] }) {
  const state = createState()
  const held = add(state, 'held', TARGET, rule)
  const moved = [add(state, 'first', REJECTED), add(state, 'second', REJECTED)]
  const last = add(state, 'last', REJECTED, { bans: [REJECTED] })
  const recorder = new ChangeRecorder(state)
  for (const index of moved) recorder.move(index, TARGET, 1)
  removeRejected(state, [held, last], recorder)
  return { issue: state.nodes[held]?.issue, changes: recorder.changes() }
}

test('a rejected issue that another removal empties, and so merges, loses what was rejected from it', () => {
  const { issue, changes } = merging({ bans: [REJECTED] })
  expect(changes.events).toContainEqual({ kind: 'merged', issueId: REJECTED, into: TARGET })
  expect(issue).toBe(0)
  expect(changes.moves).toContainEqual({
    statementId: 'held:0',
    from: TARGET,
    to: null,
    score: 1,
    reason: REASON_REJECTED,
  })
})

test('a message stays where a person put it when the issue that it was rejected from is merged into that one', () => {
  const { issue, changes } = merging({ pin: TARGET, bans: [REJECTED] })
  expect(changes.events).toContainEqual({ kind: 'merged', issueId: REJECTED, into: TARGET })
  expect(issue).toBe(TARGET)
})

test('a rejected issue that is closed loses what was rejected from it also when its statements move on', () => {
  const state = createState()
  const held = add(state, 'held', TARGET, { bans: [REJECTED] })
  const moved = [add(state, 'first', REJECTED), add(state, 'second', REJECTED)]
  const other = 3
  add(state, 'other', other)
  const recorder = new ChangeRecorder(state)
  for (const index of moved) recorder.move(index, other, 1)
  removeRejected(state, [held], recorder)
  expect([state.issues.has(REJECTED), state.nodes[held]?.issue]).toEqual([false, TARGET])
  for (const index of moved) recorder.move(index, TARGET, 1)
  removeRejected(state, [held], recorder)
  expect(recorder.changes().events).toContainEqual({ kind: 'merged', issueId: REJECTED, into: TARGET })
  expect(state.nodes[held]?.issue).toBe(0)
})
