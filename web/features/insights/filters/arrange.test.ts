import { mentionCount } from '@groundswell/contract/insights/insight-order.ts'
import { insightFinder } from '@groundswell/contract/insights/insight-words.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import { expect, test } from 'vitest'
import { DEFAULT_SORT, nextSort, readSort, type Sort, writeSort } from '../table/sort.ts'
import { arrange, arrangeNow } from './arrange.ts'
import { type Filter, readFilter } from './filter.ts'
import { inIdleSlices } from './idle-slices.ts'

const ALL: Filter = readFilter(new URLSearchParams())
const sortInsights = (list: readonly Insight[], sort: Sort) => arrangeNow(list, ALL, sort)
const searchInsights = (list: readonly Insight[], words: string) =>
  arrangeNow(list, { ...ALL, words }, { column: 'last_updated', descending: false }, '', insightFinder(words))

function insight(issue_number: number, over: Partial<Insight> = {}): Insight {
  return {
    issue_number,
    issue_name: `Issue ${issue_number}`,
    summary: '',
    status: 'created',
    last_updated: '2026-06-01T00:00:00Z',
    evidence: [],
    categories: [],
    ...over,
  }
}

const numbers = (list: readonly Insight[]) => list.map((one) => one.issue_number)

test('the newest update comes first by default', () => {
  const list = [
    insight(1, { last_updated: '2026-06-02T00:00:00Z' }),
    insight(2, { last_updated: '2026-06-03T00:00:00+02:00' }),
    insight(3, { last_updated: 'never' }),
  ]
  expect(numbers(sortInsights(list, DEFAULT_SORT))).toEqual([2, 1, 3])
  expect(numbers(list)).toEqual([1, 2, 3])
})

test('a new column starts ascending, and the same one is reversed', () => {
  const byName = nextSort(DEFAULT_SORT, 'issue_name')
  expect(byName).toEqual({ column: 'issue_name', descending: false })
  expect(nextSort(byName, 'issue_name').descending).toBe(true)
  expect(nextSort(DEFAULT_SORT, 'last_updated').descending).toBe(false)
})

test('names sort in natural order', () => {
  const list = [
    insight(1, { issue_name: 'Step 10' }),
    insight(2, { issue_name: 'step 9' }),
    insight(3, { issue_name: 'Élan' }),
  ]
  expect(numbers(sortInsights(list, { column: 'issue_name', descending: false }))).toEqual([3, 2, 1])
})

test('the trend column counts the last four weeks only', () => {
  const sort: Sort = { column: 'trend', descending: true }
  const list = [insight(1, { trend: [99, 0, 0, 0, 1] }), insight(2, { trend: [0, 0, 0, 2, 0] }), insight(3)]
  expect(numbers(sortInsights(list, sort))).toEqual([2, 1, 3])
})

test('equal insights keep one order in both directions', () => {
  const list = [insight(1), insight(3), insight(2)]
  expect(numbers(sortInsights(list, { column: 'status', descending: false }))).toEqual([3, 2, 1])
  expect(numbers(sortInsights(list, { column: 'status', descending: true }))).toEqual([3, 2, 1])
})

test('mentions are counted from the evidence where the server does not count', () => {
  const mention = { text: 'x', link: null, date: '2026-06-01T00:00:00Z' }
  expect(mentionCount(insight(1, { evidence: [mention, mention] }))).toBe(2)
  expect(mentionCount(insight(1, { evidence: [mention], mention_count: 40 }))).toBe(40)
})

test('a search needs every word, in any part', () => {
  const list = [
    insight(1, { issue_name: 'Export times out', summary: 'Large workspaces' }),
    insight(2, { issue_name: 'Search is slow' }),
    insight(42, {
      categories: [{ cat_name: 'Area', cat_type: 'category', option_value: 'Export', option_colour: null }],
    }),
  ]
  expect(numbers(searchInsights(list, 'EXPORT'))).toEqual([42, 1])
  expect(numbers(searchInsights(list, 'export large'))).toEqual([1])
  expect(numbers(searchInsights(list, '#42'))).toEqual([42])
  expect(searchInsights(list, '  ')).toHaveLength(3)
})

test('a tag is a column: insights without a value are last in either direction', () => {
  const tagged = (issue: number, option_value: string | number | null) =>
    insight(issue, { categories: [{ cat_name: 'Mood', cat_type: 'number', option_value, option_colour: null }] })
  const list = [tagged(1, 10), insight(2), tagged(3, 9), tagged(4, null)]
  expect(numbers(sortInsights(list, { column: 'tag:Mood', descending: false }))).toEqual([3, 1, 4, 2])
  expect(numbers(sortInsights(list, { column: 'tag:Mood', descending: true }))).toEqual([1, 3, 4, 2])
})

test('an order survives a round trip through the address, and an invalid one is the default', () => {
  for (const sort of [
    { column: 'mentions', descending: true } as const,
    { column: 'tag:-a', descending: false } as const,
  ]) {
    expect(readSort(writeSort(sort))).toEqual(sort)
  }
  expect(writeSort(DEFAULT_SORT)).toBeNull()
  expect(readSort(null)).toEqual(DEFAULT_SORT)
  expect(readSort('-nothing')).toEqual(DEFAULT_SORT)
})

test('a long list sorted in slices equals a plain sort', async () => {
  let seed = 7
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  const list = Array.from({ length: 3_001 }, (_, place) =>
    insight(place + 1, { mention_count: Math.floor(random() * 40), issue_name: random() < 0.5 ? 'Export' : 'Search' }),
  )
  const sort: Sort = { column: 'mentions', descending: true }
  const expected = list
    .filter((one) => one.issue_name === 'Export')
    .sort((a, b) => mentionCount(b) - mentionCount(a) || b.issue_number - a.issue_number)
  const work = arrange(list, { ...ALL, words: 'export' }, sort, '', insightFinder('export'))
  let steps = 0
  const counted = (function* () {
    for (;;) {
      const step = work.next()
      if (step.done) return step.value
      steps += 1
      yield
    }
  })()
  expect(numbers((await inIdleSlices(counted, new AbortController().signal)) ?? [])).toEqual(numbers(expected))
  expect(steps).toBeGreaterThan(50)
})

test('aborted work ends with null', async () => {
  const stop = new AbortController()
  const work = (function* (): Generator<void, string> {
    stop.abort()
    const until = performance.now() + 20
    while (performance.now() < until) yield
    yield
    return 'done'
  })()
  expect(await inIdleSlices(work, stop.signal)).toBeNull()
})
