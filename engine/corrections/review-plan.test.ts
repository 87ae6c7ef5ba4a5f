import { expect, test } from 'vitest'
import { agreedMerges, isReviewDue, MAX_NEAR, meanDirection, nearestIssues } from './review-plan.ts'

test('an issue is reviewed from four statements on, and again when it has grown by a quarter', () => {
  expect([3, 4].map((mentions) => isReviewDue(mentions, 0))).toEqual([false, true])
  expect([8, 9, 10].map((mentions) => isReviewDue(mentions, 8))).toEqual([false, false, true])
})

test('the nearest issues are those of the most alike direction, whatever their size; one without vectors is the last', () => {
  const issue = (id: number, angle: number | null) => ({
    id,
    mentions: id,
    mean: angle === null ? null : Float32Array.of(Math.cos(angle), Math.sin(angle)),
  })
  const all = [issue(1, 0), issue(2, null), issue(3, 1), issue(4, 0.1), issue(5, -0.5), issue(6, 1.5), issue(7, 1.4)]
  const [first] = all as [(typeof all)[number]]
  expect(nearestIssues(first, all).map(({ id }) => id)).toEqual([4, 5, 3, 7, 6])
  expect(nearestIssues(first, all)).toHaveLength(MAX_NEAR)
})

test('two issues are merged when both reviews say so, the smaller into the larger, and each once', () => {
  const all = [
    { id: 1, mentions: 5 },
    { id: 2, mentions: 9 },
    { id: 3, mentions: 9 },
    { id: 4, mentions: 4 },
  ]
  const same = (pairs: Record<number, number[]>) =>
    agreedMerges(all, new Map(Object.entries(pairs).map(([id, others]) => [Number(id), others])))
  expect(same({ 1: [2], 2: [3] })).toEqual([])
  expect(same({ 1: [2], 2: [1] })).toEqual([{ from: 1, into: 2 }])
  expect(same({ 2: [3], 3: [2] })).toEqual([{ from: 3, into: 2 }])
  expect(same({ 1: [2, 4], 2: [1], 4: [1] })).toEqual([{ from: 1, into: 2 }])
})

test('the mean direction has length 1', () => {
  expect(meanDirection([])).toBeNull()
  const mean = meanDirection([Float32Array.of(1, 0), Float32Array.of(0, 1)])
  expect([...(mean ?? [])].map((value) => value.toFixed(3))).toEqual(['0.707', '0.707'])
  expect([...(meanDirection([Float32Array.of(0, 0)]) ?? [])]).toEqual([0, 0])
})
