import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { analyse } from '../text/features.ts'
import { deserialize, serialize } from './serialize.ts'
import {
  addNode,
  compact,
  countItems,
  createState,
  dropNode,
  type Echo,
  featuresOf,
  itemIdOf,
  mergeNodes,
  nodeWithHash,
  placeNode,
  register,
  type State,
  splitStatement,
} from './state.ts'

const TEXTS = [
  'the csv export fails',
  'please add a dark mode',
  'выгрузка отчёта не работает',
  '報告書のエクスポートが失敗する',
  'locked out since 3 a.m. 🎉',
  'half a character \ud83d',
]

/** One change of a state. Places are taken modulo the number available, so that every sequence is valid. */
type Step =
  | { do: 'add'; text: number; issue: number }
  | { do: 'follow'; at: number; echo: Echo; item: number }
  | { do: 'place'; at: number; issue: number }
  | { do: 'merge'; from: number; into: number }
  | { do: 'split'; at: number }
  | { do: 'drop'; at: number }
  | { do: 'compact' }

const at = fc.nat(30)
const issue = fc.nat(4)
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('add' as const), text: fc.nat(TEXTS.length - 1), issue }) },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('follow' as const),
        at,
        echo: fc.constantFrom<Echo>(0, 1, 2),
        item: fc.nat(5),
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('place' as const), at, issue }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('merge' as const), from: at, into: at }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('split' as const), at }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('drop' as const), at }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('compact' as const) }) },
  ),
  { maxLength: 60, size: 'max' },
)

const contentOf = (state: State, text: string, issueId: number) => {
  const { language, hash } = analyse(text)
  return { features: state.featureExtractor.extract(analyse(text)), text, language, hash, at: 1, issue: issueId }
}

/** Applies the steps and returns the statements that the state should hold, with the issue of each. */
function carryOut(state: State, sequence: readonly Step[]): Map<string, number> {
  const expected = new Map<string, number>()
  let next = 0
  const live = () => state.nodes.flatMap((node, index) => (node ? [index] : []))
  const pick = (places: readonly number[], place: number) => places[place % places.length]
  const followersOf = (index: number) => state.nodes[index]?.followers ?? []
  const idsOf = (index: number) => followersOf(index).map((follower) => state.statementIds[follower] as string)
  const say = (index: number, item: number, echo: Echo) => {
    const id = `item${item}:${next++}`
    register(state, id, index, echo)
    expected.set(id, state.nodes[index]?.issue ?? 0)
  }
  for (const step of sequence) {
    const places = live()
    if (step.do === 'compact') compact(state)
    else if (step.do === 'add') {
      const index = addNode(state, contentOf(state, TEXTS[step.text] as string, step.issue))
      say(index, next, 0)
      const found = nodeWithHash(state, state.nodes[index]?.hash as number)
      if (!state.nodes[found ?? -1]) throw new Error(`the words of node ${index} lead to no node`)
    } else if (places.length > 0) {
      if (step.do === 'follow') say(pick(places, step.at) as number, step.item, step.echo)
      if (step.do === 'place') {
        const index = pick(places, step.at) as number
        placeNode(state, index, step.issue)
        for (const id of idsOf(index)) expected.set(id, step.issue)
      }
      if (step.do === 'drop') {
        const index = pick(places, step.at) as number
        for (const id of idsOf(index)) expected.delete(id)
        dropNode(state, index)
      }
      if (step.do === 'merge') {
        const from = pick(places, step.from) as number
        const into = pick(places, step.into) as number
        if (state.nodes[from]?.issue === state.nodes[into]?.issue) mergeNodes(state, from, into)
      }
      if (step.do === 'split') {
        const index = pick(places, step.at) as number
        const followers = followersOf(index)
        const last = followers.at(-1)
        if (followers.length > 1 && last !== undefined) {
          splitStatement(state, last, contentOf(state, TEXTS[0] as string, state.nodes[index]?.issue ?? 0))
        }
      }
    }
  }
  return expected
}

/** Invariants between the parts of a state that must hold after any sequence of changes. */
function expectSound(state: State, expected: ReadonlyMap<string, number>): void {
  const seen = new Map<string, number>()
  state.nodes.forEach((node, index) => {
    if (!node) return
    for (const follower of node.followers) {
      expect(state.statementNodes[follower]).toBe(index)
      seen.set(state.statementIds[follower] as string, node.issue)
    }
    expect(state.forwardIndex.issue(index)).toBe(node.issue)
    expect(node.issue === 0 || state.issues.get(node.issue)?.nodes.has(index)).toBe(true)
  })
  expect(seen).toEqual(expected)
  expect(new Set(state.statementIndex.keys())).toEqual(new Set(expected.keys()))
  for (const [id, index] of state.statementIndex) expect(state.statementIds[index]).toBe(id)
  for (const index of state.freeStatements) expect(state.statementNodes[index]).toBe(-1)
  expect(state.dropped).toBe(state.nodes.filter((node) => node === null).length)
  for (const one of state.issues.values()) {
    const own = [...expected].filter(([, id]) => id === one.id)
    expect(one.mentions).toBe(own.length)
    expect(countItems(state, one)).toBe(new Set(own.map(([id]) => itemIdOf(id))).size)
    expect(state.nextIssue).toBeGreaterThan(one.id)
    for (const index of one.nodes) expect(state.nodes[index]?.issue).toBe(one.id)
  }
}

describe('whatever is done to a state', () => {
  test('its parts agree, and no statement is lost, doubled or in the wrong issue', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const state = createState()
        const expected = carryOut(state, sequence)
        expectSound(state, expected)
        expect(state.statementIndex.size).toBe(expected.size)
      }),
      { numRuns: 100 },
    )
  })

  test('it is the same after it was stored and read', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const state = createState({ seed: 3 })
        const expected = carryOut(state, sequence)
        const restored = deserialize(serialize(state))
        expectSound(restored, expected)
        expect(serialize(restored)).toEqual(serialize(state))
        for (const part of ['nodes', 'statementIds', 'statementNodes', 'statementEchoes', 'freeStatements'] as const)
          expect(restored[part]).toEqual(state[part])
      }),
      { numRuns: 50 },
    )
  })

  test('more can be done to it after it was stored and read, with the same outcome', () => {
    fc.assert(
      fc.property(steps, steps, (before, after) => {
        const state = createState()
        carryOut(state, before)
        const restored = deserialize(serialize(state))
        carryOut(state, after)
        carryOut(restored, after)
        expect(serialize(restored)).toEqual(serialize(state))
      }),
      { numRuns: 40 },
    )
  })

  test('compacting changes neither what is said nor how it is compared', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const state = createState()
        const expected = carryOut(state, sequence)
        const said = () =>
          state.nodes.flatMap((node, index) => (node ? [{ ...node, features: featuresOf(state, index) }] : []))
        const before = said()
        compact(state)
        expect(said()).toEqual(before)
        expect(state.nodes).not.toContain(null)
        expectSound(state, expected)
        const bytes = serialize(state)
        compact(state)
        expect(serialize(state)).toEqual(bytes)
      }),
      { numRuns: 100 },
    )
  })
})
