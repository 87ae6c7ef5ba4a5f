import type { Correction } from '@groundswell/contract/corrections.ts'
import type { InsightEvent } from '@groundswell/contract/insights/insight-detail.ts'
import { expect, test } from 'vitest'
import { chronicle } from './history.ts'

const history: InsightEvent[] = [
  { at: '2026-11-04T10:00:00Z', event: 'moved_out', count: 2, other: 5, by: 'Ann' },
  { at: '2026-11-04T09:00:00Z', event: 'renamed', from: 'Exports', to: 'CSV exports', by: 'Ann' },
  {
    at: '2026-11-03T10:00:00Z',
    event: 'shrank',
    count: 5,
    change: {
      count: -5,
      new: 9,
      came: [],
      left: [{ cause: 'regrouped', count: 14 }],
      messages: [{ text: 'It is slow', left: true, other: 7 }],
    },
  },
  { at: '2026-11-02T10:00:00Z', event: 'absorbed', other: 9 },
  { at: '2026-11-01T10:00:00Z', event: 'created' },
]
const moved: Correction = {
  correction_id: 'a',
  issue_number: 12,
  kind: 'move',
  state: 'undone',
  problem: null,
  by: 'Ann',
  at: '2026-11-03T12:00:00Z',
  undone_by: 'Bo',
  undone_at: '2026-11-05T10:00:00Z',
  can_undo: false,
  other: 5,
  mentions: 2,
  name: null,
  locked: null,
  changes: [],
}

test('without corrections the history is the events', () => {
  expect(chronicle(12, history, []).map(({ words, other, by }) => [words, other, by])).toEqual([
    ['2 mentions moved to', 5, 'Ann'],
    ['Renamed from “Exports” to “CSV exports”', null, 'Ann'],
    ['+9 new, −14 left by regrouping', null, null],
    ['Absorbed', 9, null],
    ['Created', null, null],
  ])
})

test('a correction replaces its own event only, in order of time, and is marked when it was undone', () => {
  const lines = chronicle(12, history, [moved])
  expect(lines.map(({ words, undone }) => [words, undone])).toEqual([
    ['Renamed from “Exports” to “CSV exports”', null],
    ['2 mentions moved to', 'undone by Bo'],
    ['+9 new, −14 left by regrouping', null],
    ['Absorbed', null],
    ['Created', null],
  ])
  expect(lines[1]?.correction).toBe(moved)
  expect(lines[2]?.messages).toEqual([{ text: 'It is slow', left: true, other: 7 }])
})

test('what left an insight that people settled, and the new title of its item, are told', () => {
  const events: InsightEvent[] = [
    { at: '2026-11-05T10:00:00Z', event: 'item_renamed', tag: 'linear', from: 'Keys remap', to: 'Keys cannot change' },
    {
      at: '2026-11-04T10:00:00Z',
      event: 'shrank',
      count: 2,
      change: { count: -2, new: 0, came: [], left: [{ cause: 'clearer', count: 2 }], messages: [] },
    },
  ]
  expect(chronicle(12, events, []).map(({ words }) => words)).toEqual([
    'Item renamed from “Keys remap” to “Keys cannot change”',
    '−2 left by regrouping: clearly better elsewhere',
  ])
})

test('an addition and a manual creation are listed once', () => {
  const came: InsightEvent[] = [{ at: '2026-11-04T10:00:00Z', event: 'moved_in', count: 2, by: 'Ann' }]
  for (const kind of ['add', 'create'] as const) {
    expect(chronicle(12, came, [{ ...moved, kind, other: null }]).length).toBe(1)
    expect(chronicle(12, came, []).map(({ words }) => words)).toEqual(['2 mentions moved here'])
  }
})

test('what the language model moved can be put back at its last review, as long as something is left', () => {
  const reviewed: InsightEvent[] = [
    { at: '2026-11-06T10:00:00Z', event: 'reviewed_out', count: 2, other: 5 },
    { at: '2026-11-05T10:00:00Z', event: 'reviewed_in', count: 1, other: 9 },
    { at: '2026-11-04T10:00:00Z', event: 'reviewed_out', count: 1 },
  ]
  const shown = (moved: string[]) =>
    chronicle(12, reviewed, [], { moved, merged: [] }).map((one) => [one.words, one.reversal])
  expect(shown(['3:0'])).toEqual([
    ['The language model moved 2 mentions to', { kind: 'add', mentions: ['3:0'] }],
    ['The language model moved 1 mention here from', null],
    ['The language model moved 1 mention out of the insight', null],
  ])
  expect(shown([]).map(([, reversal]) => reversal)).toEqual([null, null, null])
})

test('an insight that the language model merged into this one can be taken out again, and what it moved here otherwise cannot', () => {
  const reviewed: InsightEvent[] = [
    { at: '2026-11-06T10:00:00Z', event: 'reviewed_in', count: 3, other: 9 },
    { at: '2026-11-06T10:00:00Z', event: 'absorbed', other: 9 },
    { at: '2026-11-05T10:00:00Z', event: 'reviewed_in', count: 1, other: 5 },
  ]
  const merged = [{ issue_number: 9, mentions: ['3:0', '4:0', '5:1'] }]
  expect(chronicle(12, reviewed, [], { moved: [], merged }).map(({ reversal }) => reversal)).toEqual([
    { kind: 'split', mentions: ['3:0', '4:0', '5:1'] },
    null,
    null,
  ])
})
