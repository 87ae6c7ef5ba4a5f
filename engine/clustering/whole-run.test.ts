import { labelOf, SAMPLE } from '@groundswell/fixtures/engine/feedback.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { forget, issues } from '../corrections/remove.ts'
import { group } from '../group.ts'
import type { Decision, Item, Statement } from '../model.ts'
import { deserialize, serialize } from '../state/serialize.ts'
import { createState, type State } from '../state/state.ts'
import { prepare } from '../text/prepare.ts'
import { assign, replay } from './assign.ts'
import { type Community, matchIssues } from './lineage.ts'
import { revise } from './revise.ts'
import { heapify, takeSmallest } from './similarity/heap.ts'

const PARTS = ['export', 'calendar', 'scanner', 'invoice', 'login', 'выгрузка', '検索', 'karte'] as const
const TROUBLES = ['fails', 'is slow', 'is missing', 'came twice', 'не работает', 'が遅い'] as const
const ENDINGS = ['', ' again', ' for us', ' since Monday', '!', ' 😀'] as const

/** Messages about a few subjects in a few wordings, with duplicates and chit-chat. */
const message = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(fc.constantFrom(...PARTS), fc.constantFrom(...TROUBLES), fc.constantFrom(...ENDINGS)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(['thanks!', '', ''] as const, ['', '', ''] as const, ['same here', '', ''] as const),
  },
)
const messages = fc
  .array(message, { maxLength: 60, size: 'max' })
  .map((all): Item[] =>
    all.map(([part, trouble, end], n) => ({ id: `m${n}`, text: `${part} ${trouble}${end}`, at: n })),
  )

type Log = { decisions: Decision[]; statements: Statement[]; places: Map<string, number> }

/** Assigns and revises in batches, and records what a caller would store. */
function run(state: State, items: readonly Item[], places = placesIn(state), batch = 15): Log {
  const log: Log = { decisions: [], statements: [], places }
  for (let from = 0; from < items.length; from += batch) {
    const statements = items.slice(from, from + batch).flatMap((item) => prepare(item))
    const { decisions } = assign(state, statements)
    log.statements.push(...statements)
    log.decisions.push(...decisions)
    for (const { statementId, kind, issueId } of decisions)
      if (kind !== 'noise') log.places.set(statementId, kind === 'joined' ? (issueId ?? 0) : 0)
    for (const { statementId, from: before, to } of revise(state).moves) {
      expect(log.places.get(statementId)).toBe(before ?? 0)
      log.places.set(statementId, to ?? 0)
    }
  }
  return log
}

function placesIn(state: State): Map<string, number> {
  return new Map(
    [...state.statementIndex].map(([id, index]) => [
      id,
      state.nodes[state.statementNodes[index] as number]?.issue ?? -1,
    ]),
  )
}

describe('any stream of messages', () => {
  test('is where the decisions and moves say, after every revision', () => {
    fc.assert(
      fc.property(messages, (items) => {
        const state = createState()
        const { places } = run(state, items)
        expect(placesIn(state)).toEqual(places)
      }),
      { numRuns: 20 },
    )
  })

  test('gives the same bytes again, also when the state is stored and read in between', () => {
    fc.assert(
      fc.property(messages, fc.nat(59), (items, cut) => {
        const whole = createState({ seed: 4 })
        run(whole, items.slice(0, cut))
        run(whole, items.slice(cut))
        const first = createState({ seed: 4 })
        run(first, items.slice(0, cut))
        const second = deserialize(serialize(first))
        run(second, items.slice(cut))
        expect(serialize(second)).toEqual(serialize(whole))
      }),
      { numRuns: 15 },
    )
  })

  test('can be replayed onto an older state from its decisions', () => {
    fc.assert(
      fc.property(messages, (items) => {
        const state = createState()
        run(state, items.slice(0, 20))
        const older = deserialize(serialize(state))
        const statements = items.slice(20).flatMap((item) => prepare(item))
        const { decisions } = assign(state, statements)
        replay(older, statements, decisions)
        expect(placesIn(older)).toEqual(placesIn(state))
        expect(serialize(older)).toEqual(serialize(state))
      }),
      { numRuns: 20 },
    )
  })

  test('assigned twice counts once', () => {
    fc.assert(
      fc.property(messages, (items) => {
        const state = createState()
        const { statements, places } = run(state, items)
        const before = serialize(state)
        assign(
          state,
          statements.filter(({ id }) => places.has(id)),
        )
        expect(serialize(state)).toEqual(before)
      }),
      { numRuns: 15 },
    )
  })

  test('leaves nothing behind when all of it is deleted', () => {
    fc.assert(
      fc.property(messages, (items) => {
        const state = createState()
        const { places } = run(state, items)
        forget(state, [...places.keys()])
        expect(issues(state)).toEqual([])
        expect(state.statementIndex.size).toBe(0)
        expect(state.nodes.every((node) => node === null)).toBe(true)
        revise(state)
        expect(state.nodes).toEqual([])
      }),
      { numRuns: 15 },
    )
  })

  test('shows an issue only where two messages mention it, and every message at most once in each', () => {
    fc.assert(
      fc.property(messages, (items) => {
        const { insights, ungrouped } = group(items, { batch: 20 })
        const grouped = insights.flatMap(({ mentions }) => mentions.map(({ itemId }) => itemId))
        for (const { mention_count, mentions, issue_name } of insights) {
          expect(mention_count).toBeGreaterThanOrEqual(2)
          expect(new Set(mentions.map(({ itemId }) => itemId)).size).toBe(mention_count)
          expect(issue_name).not.toBe('')
        }
        expect(new Set(insights.map(({ issue_name }) => issue_name)).size).toBe(insights.length)
        expect(new Set([...grouped, ...ungrouped])).toEqual(new Set(items.map(({ id }) => id)))
        for (const id of ungrouped) expect(grouped).not.toContain(id)
      }),
      { numRuns: 15 },
    )
  })
})

describe('the sample', () => {
  test.each([1, 2, 3, 4, 5])('is grouped by subject in any order (seed %i)', (seed) => {
    const order = SAMPLE.map((item, n) => ({ item, at: Math.imul(n + 1, 2_654_435_761 * seed) >>> 0 }))
      .sort((a, b) => a.at - b.at)
      .map(({ item }) => item)
    const { insights } = group(order)
    expect(insights).toHaveLength(3)
    for (const { mentions } of insights) {
      const labels = new Set(mentions.map(({ itemId }) => labelOf(itemId)))
      expect(labels.size).toBe(1)
      expect(labels.has(null)).toBe(false)
    }
  })

  test('does not depend on the ids of the messages', () => {
    const renamed = SAMPLE.map((item) => ({ ...item, id: `x-${item.id}:y` }))
    const shape = (items: readonly Item[]) =>
      group([...items]).insights.map(({ issue_number, issue_name, mention_count }) => ({
        issue_number,
        issue_name,
        mention_count,
      }))
    expect(shape(renamed)).toEqual(shape(SAMPLE))
  })

  test('is grouped alike however long ago it was said', () => {
    const shifted = SAMPLE.map((item) => ({ ...item, at: item.at + 10 * 365 * 86_400_000 }))
    expect(group(shifted)).toEqual(group(SAMPLE))
  })
})

describe('matchIssues of any communities', () => {
  const communities = fc.array(fc.array(fc.nat(30), { maxLength: 6 }), { maxLength: 8 })

  test('continues each issue in one community, and only one whose statements it had', () => {
    fc.assert(
      fc.property(communities, fc.array(fc.nat(5), { minLength: 31, maxLength: 31 }), (groups, before) => {
        const found: Community[] = groups.map((places) => ({ places, issue: 0 }))
        const at = (place: number) => before[place] as number
        matchIssues(found, at, () => 1)
        const continued = found.map(({ issue }) => issue).filter((issue) => issue > 0)
        expect(new Set(continued).size).toBe(continued.length)
        expect(found.filter(({ places, issue }) => issue > 0 && !places.map(at).includes(issue))).toEqual([])
        const available = new Set(
          groups
            .flat()
            .map(at)
            .filter((issue) => issue > 0),
        )
        for (const issue of available) {
          const candidates = found.filter(({ places }) => places.map(at).includes(issue))
          expect(candidates.some((one) => one.issue !== 0)).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('the heap', () => {
  test('takes the smallest first however many are taken, and an empty one is left alone', () => {
    const none = new Int32Array(2)
    heapify(none, 0)
    expect([...none]).toEqual([0, 0])
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1, maxLength: 60 }), fc.nat(59), (values, taken) => {
        const heap = Int32Array.from(values)
        heapify(heap, heap.length)
        const count = Math.min(taken, values.length)
        const first = Array.from({ length: count }, (_, i) => takeSmallest(heap, heap.length - i))
        expect(first).toEqual(
          Array.from(Int32Array.from(values))
            .sort((a, b) => a - b)
            .slice(0, count),
        )
      }),
    )
  })
})
