import type { Statement } from '@groundswell/engine/index.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import type { ReplayedStatement } from './protocol.ts'
import { GroupingStates, prepareItems } from './states.ts'

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
const step = (states: GroupingStates, version: number, some = items) =>
  states.step(ID, {
    version,
    items: some,
    forget: [],
    remove: [],
    restore: [],
    correction: null,
    advice: [],
    idle: true,
    settle: true,
  })
const vectorsOf = (statements: Statement[]) => statements.map((one) => one.vector && [...one.vector])

beforeEach(() => {
  given.assigned.length = 0
  given.replayed.length = 0
})

test('vectors given for the next step reach the engine with that step only', () => {
  const states = new GroupingStates()
  states.open(ID, null, 'local/one')
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
  states.open(ID, null, 'local/one')
  const rows = items.map(({ id, text, at }): ReplayedStatement => {
    const decided = { kind: 'pending', issueId: null, score: 0, reason: 'test' } as const
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
      vector,
    }
  })
  states.replay(ID, rows)
  expect(vectorsOf(given.replayed)).toEqual([[1, 0], undefined, [0, 1]])
})

test('a stored state of another model is not opened, unless any model will do', () => {
  const states = new GroupingStates()
  states.open(ID, null, 'local/one')
  states.ready(ID, 0, [], [])
  const snapshot = step(states, 0)?.snapshot as Uint8Array
  expect(() => states.open(ID, snapshot, 'local/two')).toThrow('another model')
  expect(() => states.open(ID, snapshot, '')).toThrow('another model')
  states.open(ID, snapshot, 'local/one')
  states.open(ID, snapshot, null)
})

test('vectors of another model are not mixed into a state: the state is reported as missing', () => {
  const states = new GroupingStates()
  states.open(ID, null, null)
  states.ready(ID, 0, [], [])
  states.giveVectors(ID, 'local/one', vectors)
  expect(step(states, 0)).toBeNull()
  expect(given.assigned).toEqual([])
})
