import { expect, test } from 'vitest'
import { previewOf } from './regroup-preview.ts'

const names = new Map([1, 2, 3, 4, 5, 6, 7, 8].map((issue) => [issue, `insight ${issue}`]))
const from = (...overlaps: [number, number, number][]) =>
  previewOf(
    overlaps.map(([from, to, mentions]) => ({ from, to, mentions })),
    names,
  )

test('each insight is counted once, and the numbers add up', () => {
  const preview = from(
    [1, 1, 10], // the same
    [2, 2, 5],
    [2, 0, 1], // one mention less
    [3, 4, 6],
    [3, 0, 2], // into 4
    [4, 4, 9],
    [5, 0, 3], // no longer shown
    [0, 6, 4], // previously in none
    [4, 7, 3], // out of 4
  )
  expect(preview).toMatchObject({
    insights_before: 5,
    insights_after: 5,
    same: 1,
    changed: 2,
    merged: 1,
    ended: 1,
    born: 1,
    split: 1,
    mentions: 43,
    mentions_moved: 19,
  })
  const example = (kind: string) => preview.examples.find((one) => one.kind === kind)
  expect(example('merged')).toEqual({
    kind: 'merged',
    issue_number: 3,
    name: 'insight 3',
    others: ['insight 4'],
    mentions_before: 8,
    mentions_after: 0,
  })
  expect(example('split')).toMatchObject({ issue_number: null, name: 'insight 7', others: ['insight 4'] })
  expect(example('born')).toMatchObject({ issue_number: null, mentions_before: 0, mentions_after: 4 })
  expect(example('ended')).toMatchObject({ issue_number: 5, others: [], mentions_before: 3, mentions_after: 0 })
})

test('fewer than half of the mentions going to one insight is not a merge, and coming from one not a split', () => {
  expect(from([1, 2, 4], [1, 3, 3], [1, 0, 2], [2, 2, 1], [3, 3, 1])).toMatchObject({ merged: 0, ended: 1 })
  expect(from([1, 5, 4], [2, 5, 3], [0, 5, 2], [1, 1, 1], [2, 2, 1])).toMatchObject({ split: 0, born: 1 })
})

test('at most five examples of each kind, largest first', () => {
  const { examples } = from(...[1, 2, 3, 4, 5, 6, 7].map((issue): [number, number, number] => [issue, 0, issue]))
  expect(examples.map((one) => one.issue_number)).toEqual([7, 6, 5, 4, 3])
})

test('no insights at all', () => {
  expect(from()).toMatchObject({ insights_before: 0, insights_after: 0, mentions: 0, examples: [] })
})
