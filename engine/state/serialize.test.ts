import { SAMPLE } from '@groundswell/fixtures/engine/feedback.ts'
import { describe, expect, test } from 'vitest'
import { assign } from '../clustering/assign.ts'
import { revise } from '../clustering/revise.ts'
import { correct } from '../corrections/corrections.ts'
import { forget, issues } from '../corrections/remove.ts'
import { ENGINE_VERSION, StateVersionError } from '../model.ts'
import { prepare } from '../text/prepare.ts'
import { deserialize, serialize } from './serialize.ts'
import { createState, type State } from './state.ts'

function sampleState(): State {
  const state = createState({ seed: 9, space: 'a model' })
  assign(
    state,
    SAMPLE.flatMap((item) => prepare({ ...item, thread: `t${item.id}` })).map((statement, n) => ({
      ...statement,
      vector: Float32Array.of(1, n, -1),
    })),
  )
  revise(state)
  return state
}

describe('serialize', () => {
  test('restores every part of a state', () => {
    const state = sampleState()
    const [first, second] = issues(state)
    const [statementId = ''] = first?.statementIds ?? []
    correct(state, {
      statements: [{ statementId, issueId: 0, pin: 0, bans: [first?.issueId ?? 0] }],
      merges: [{ from: 77, into: second?.issueId ?? 0 }],
      locks: [{ issueId: second?.issueId ?? 0, locked: true }],
    })
    state.advice.set('x:0', 2)
    forget(state, [second?.statementIds[1] ?? ''])
    const restored = deserialize(serialize(state))
    for (const part of ['seed', 'space', 'nextIssue', 'seen', 'revisions', 'pendingMatches'] as const)
      expect(restored[part]).toBe(state[part])
    for (const part of ['seenAtRevision', 'nodesAtRevision'] as const) expect(restored[part]).toBe(state[part])
    for (const part of ['nodes', 'statementNodes', 'statementIds', 'freeStatements', 'threads', 'dropped'] as const)
      expect(restored[part]).toEqual(state[part])
    for (const part of ['rules', 'successors', 'advice', 'issues', 'nodesByHash'] as const)
      expect(restored[part]).toEqual(state[part])
    expect(restored.vocabulary.texts).toBe(state.vocabulary.texts)
    expect(issues(restored)).toEqual(issues(state))
  })

  test('gives equal bytes for a restored state', () => {
    const bytes = serialize(sampleState())
    expect(serialize(deserialize(bytes))).toEqual(bytes)
  })

  test('keeps external vectors', () => {
    const restored = deserialize(serialize(sampleState()))
    const vectors = restored.nodes.flatMap((node) => (node?.vector ? [node.vector] : []))
    expect(vectors.length).toBeGreaterThan(5)
    for (const vector of vectors) expect(vector).toHaveLength(3)
  })

  test('restores an empty state', () => {
    const restored = deserialize(serialize(createState({ seed: 3 })))
    expect(restored).toMatchObject({ seed: 3, space: '', nextIssue: 1 })
    expect(issues(restored)).toEqual([])
  })
})

describe('deserialize', () => {
  test('rejects bytes that are no state', () => {
    expect(() => deserialize(new Uint8Array(0))).toThrow(StateVersionError)
    expect(() => deserialize(new Uint8Array(100))).toThrow(StateVersionError)
  })

  test('rejects another version and names both', () => {
    const bytes = serialize(createState())
    new DataView(bytes.buffer).setFloat64(8, ENGINE_VERSION + 1, true)
    expect(() => deserialize(bytes)).toThrow(`version ${ENGINE_VERSION + 1}; this engine reads ${ENGINE_VERSION}`)
  })

  test.each([0.2, 0.5, 0.9, 0.99])('rejects bytes truncated to %f of their length', (share) => {
    const bytes = serialize(sampleState())
    expect(() => deserialize(bytes.slice(0, Math.floor(bytes.length * share)))).toThrow(RangeError)
  })
})
