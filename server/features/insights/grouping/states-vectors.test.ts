import type { Statement } from '@groundswell/engine/index.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import type { ReplayedStatement, Step } from './protocol.ts'
import { prepareItems } from './statements.ts'
import { GroupingStates } from './states.ts'
import type { GroupingModel } from './vector-source.ts'

/** What the real engine was called with. */
const given = vi.hoisted(() => ({ assigned: [] as Statement[], replayed: [] as Statement[] }))
vi.mock(import('@groundswell/engine/index.ts'), async (original) => {
  const engine = await original()
  return {
    ...engine,
    assign: (state, statements) => {
      given.assigned.push(...statements)
      return engine.assign(state, statements)
    },
    replay: (state, statements, decisions) => {
      given.replayed.push(...statements)
      engine.replay(state, statements, decisions)
    },
  }
})

const ID = 'one'
const items = ['The CSV export stops at a thousand rows', 'CSV export stops', 'Dark mode is unreadable'].map(
  (text, index) => ({ id: String(index), text, at: index }),
)
const vectors = new Map([
  ['0:0', Float32Array.of(1, 0)],
  ['2:0', Float32Array.of(0, 1)],
])
const modelOf = (space: string) => ({ space, languages: null, late: false })
const one = modelOf('local/one')
const step = (states: GroupingStates, version: number, some = items, more: Partial<Step> = {}) =>
  states.step(ID, {
    version,
    space: null,
    late: null,
    kinds: [],
    keptKinds: [],
    taught: null,
    items: some,
    forget: [],
    remove: [],
    restore: [],
    correction: null,
    advice: [],
    founded: [],
    reviewed: { moves: [], merges: [] },
    settled: [],
    idle: true,
    settle: true,
    ...more,
  })
const vectorsOf = (statements: Statement[]) => statements.map((one) => one.vector && [...one.vector])

beforeEach(() => {
  given.assigned.length = 0
  given.replayed.length = 0
})

test('vectors given for the next step reach the engine with that step only', () => {
  const states = new GroupingStates()
  states.open(ID, null, one)
  states.ready(ID, 0, [], [])
  expect(prepareItems(items)).toEqual(items.map(({ id, text }) => ({ itemId: id, number: 0, text })))
  states.giveVectors(ID, 'local/one', vectors)
  const first = step(states, 0)
  expect(vectorsOf(given.assigned)).toEqual([[1, 0], undefined, [0, 1]])
  step(
    states,
    first?.version ?? -1,
    items.map((item) => ({ ...item, id: `${item.id}0` })),
  )
  expect(vectorsOf(given.assigned.slice(3))).toEqual([undefined, undefined, undefined])
  states.giveVectors('another', 'local/one', vectors)
  expect(step(states, -1)).toBeNull()
})

test('stored vectors are replayed with the decisions', () => {
  const states = new GroupingStates()
  states.open(ID, null, one)
  const rows = items.map(({ id, text, at }): ReplayedStatement => {
    const decided = { kind: 'pending', issueId: null, score: 0, reason: 'test', meant: false } as const
    const vector = vectors.get(`${id}:0`)
    return {
      itemId: id,
      number: 0,
      text,
      start: 0,
      end: text.length,
      at,
      author: null,
      thread: null,
      ...decided,
      subjectless: false,
      kindBy: null,
      point: null,
      readKind: null,
      vector,
    }
  })
  states.replay(ID, rows)
  expect(vectorsOf(given.replayed)).toEqual([[1, 0], undefined, [0, 1]])
})

test('a stored state of another model keeps its groups and loses its vectors, unless any model will do', () => {
  const states = new GroupingStates()
  states.open(ID, null, one)
  states.ready(ID, 0, [], [])
  states.giveVectors(ID, 'local/one', vectors)
  const snapshot = step(states, 0)?.snapshot as Uint8Array
  const lackingAfter = (model: GroupingModel | null) => {
    states.open(ID, snapshot, model)
    return states.lacking(ID)
  }
  expect(lackingAfter(one)).toEqual(['1:0'])
  expect(lackingAfter(null)).toEqual(['1:0'])
  expect(lackingAfter(modelOf('local/two'))).toEqual(['0:0', '1:0', '2:0'])
  expect(lackingAfter({ space: 'local/two', languages: ['de'], late: true })).toEqual([])
  expect(lackingAfter(modelOf(''))).toEqual([])
})

test('a step with vectors of another model than the state has is not taken', () => {
  const states = new GroupingStates()
  states.open(ID, null, one)
  states.ready(ID, 0, [], [])
  expect(step(states, 0, items, { space: 'local/two' })).toBeNull()
})

test('late vectors give the groups a new version, and a snapshot only when a statement that is in the last one moves', () => {
  const states = new GroupingStates()
  states.open(ID, null, { ...one, late: true })
  states.ready(ID, 0, [], [])
  const first = step(states, 0)
  expect(first?.snapshot).not.toBeNull()
  const late = items.map(({ id, text, at }) => ({ statementId: `${id}:0`, text, at, vector: Float32Array.of(1, at) }))
  const version = first?.version ?? -1
  const read = step(states, version, [], { late, settle: false, idle: false })
  expect(states.lacking(ID)).toEqual([])
  expect(read).toMatchObject({ version: version + 1, snapshot: expect.any(Uint8Array) })
  expect(step(states, version + 1, [], { late: [], settle: false })).toMatchObject({
    version: version + 2,
    snapshot: null,
  })
  expect(step(states, version + 2, [], { settle: false })?.version).toBe(version + 2)
})

test('vectors of another model are not mixed into a state: the state is reported as missing', () => {
  const states = new GroupingStates()
  states.open(ID, null, null)
  states.ready(ID, 0, [], [])
  states.giveVectors(ID, 'local/one', vectors)
  expect(step(states, 0)).toBeNull()
  expect(given.assigned).toEqual([])
})
