import { describe, expect, test } from 'vitest'
import { addNode, createState, getOrCreateIssue, type Node, register } from '../state/state.ts'
import { EMPTY_FEATURES } from '../text/features.ts'
import { hasRule, isBanned, refreshNodeRule, sameRule, storeRule, successorOf } from './rules.ts'

describe('rules', () => {
  test.each([
    [{ pin: -1, bans: [] }, false],
    [{ pin: 0, bans: [] }, true],
    [{ pin: 3, bans: [] }, true],
    [{ pin: -1, bans: [2] }, true],
  ])('hasRule of %j is %s', (rule, expected) => {
    expect(hasRule(rule)).toBe(expected)
  })

  test('are the same whatever the order of their bans', () => {
    expect(sameRule({ pin: 1, bans: [2, 3] }, { pin: 1, bans: [3, 2] })).toBe(true)
    expect(sameRule({ pin: 1, bans: [2, 3] }, { pin: 1, bans: [2] })).toBe(false)
    expect(sameRule({ pin: 1, bans: [] }, { pin: 0, bans: [] })).toBe(false)
  })

  test('are stored as copies, and an unconstrained one is removed', () => {
    const state = createState()
    const bans = [4]
    storeRule(state, 'a:0', { pin: -1, bans })
    bans.push(5)
    expect(state.rules.get('a:0')).toEqual({ pin: -1, bans: [4] })
    storeRule(state, 'a:0', { pin: -1, bans: [] })
    expect(state.rules.has('a:0')).toBe(false)
  })

  test('of any statement apply to its node, and are dropped with the last one', () => {
    const state = createState()
    const index = addNode(state, { features: EMPTY_FEATURES, text: '', language: 'en', hash: 0, at: 0, issue: 1 })
    register(state, 'a:0', index)
    register(state, 'b:0', index)
    storeRule(state, 'b:0', { pin: 1, bans: [2] })
    const node = state.nodes[index] as Node
    refreshNodeRule(state, node)
    expect(node).toMatchObject({ pin: 1, bans: [2] })
    state.rules.clear()
    refreshNodeRule(state, node)
    expect(node).toMatchObject({ pin: -1, bans: [] })
  })
})

describe('successorOf', () => {
  test('follows merges to the issue that exists', () => {
    const state = createState()
    getOrCreateIssue(state, 3)
    state.successors.set(1, 2).set(2, 3)
    expect([1, 2, 3, 9].map((id) => successorOf(state, id))).toEqual([3, 3, 3, 9])
  })

  test('an issue that exists is its own, and a cycle ends', () => {
    const state = createState()
    getOrCreateIssue(state, 1)
    state.successors.set(1, 2).set(5, 6).set(6, 5)
    expect(successorOf(state, 1)).toBe(1)
    expect([5, 6]).toContain(successorOf(state, 5))
  })

  test('a ban holds for the successor, never for no issue', () => {
    const state = createState()
    getOrCreateIssue(state, 2)
    state.successors.set(1, 2)
    const rule = { pin: -1, bans: [1] }
    expect([0, 1, 2, 3].map((id) => isBanned(state, rule, id))).toEqual([false, true, true, false])
  })
})
