import { describe, expect, test } from 'vitest'
import { type Community, matchIssues } from './lineage.ts'

/** The issue of each community. `before`: the previous issue of each place. */
function matched(groups: number[][], before: number[], weights?: number[], pins?: number[]): number[] {
  const communities: Community[] = groups.map((places) => ({ places, issue: 0 }))
  matchIssues(
    communities,
    (place) => before[place] ?? 0,
    (place) => weights?.[place] ?? 1,
    (place) => pins?.[place] ?? -1,
  )
  return communities.map(({ issue }) => issue)
}

describe('matchIssues', () => {
  test.each([
    ['an unchanged group keeps its issue', [[0, 1, 2]], [5, 5, 5], [5]],
    ['a group of pending statements is new', [[0, 1]], [0, 0], [0]],
    ['the larger part of a split keeps the issue', [[0], [1, 2]], [5, 5, 5], [0, 5]],
    ['a merged group continues the larger issue', [[0, 1, 2]], [4, 5, 5], [5]],
    ['the older issue wins a tie', [[0, 1]], [5, 4], [4]],
    ['an issue continues in one group only', [[0, 1], [2]], [5, 5, 5], [5, 0]],
    [
      'a group that loses its first choice takes its second',
      [
        [0, 1, 2],
        [3, 4, 5],
      ],
      [5, 5, 5, 5, 5, 6],
      [5, 6],
    ],
  ] as [string, number[][], number[], number[]][])('%s', (_, groups, before, expected) => {
    expect(matched(groups, before)).toEqual(expected)
  })

  test('overlap counts statements, not kept texts', () => {
    expect(matched([[0], [1, 2]], [5, 5, 5], [9, 1, 1])).toEqual([5, 0])
  })

  test('a pinned statement keeps its issue for a group that would continue none', () => {
    expect(matched([[0, 1], [2]], [5, 5, 5], undefined, [-1, -1, 5])).toEqual([5, 5])
    expect(matched([[0, 1], [2]], [5, 5, 5], undefined, [-1, -1, 0])).toEqual([5, 0])
  })
})
