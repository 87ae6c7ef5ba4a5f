import { matcher, tagKey } from '@groundswell/contract/insights/insight-filter.ts'
import { insightFinder } from '@groundswell/contract/insights/insight-words.ts'
import type { Category, Insight } from '@groundswell/contract/insights.ts'
import { expect, test } from 'vitest'
import { countValues } from './count-values.ts'
import { isFiltered, readFilter, withoutFilter, withPart } from './filter.ts'

const NOW = Date.parse('2026-06-30T00:00:00Z')

const area = (option_value: string): Category => ({
  cat_name: 'Area',
  cat_type: 'category',
  option_value,
  option_colour: null,
})

const insight: Insight = {
  issue_number: 7,
  issue_name: 'Export times out',
  summary: 'Large workspaces',
  status: 'created',
  last_updated: '2026-06-29T00:00:00Z',
  last_seen: '2026-06-20T00:00:00Z',
  evidence: [],
  categories: [area('Export')],
  sources: ['slack', 'file'],
}

const passes = (query: string, one: Insight = insight) => {
  const filter = readFilter(new URLSearchParams(query))
  return matcher(filter, NOW, '', insightFinder(filter.words))(one)
}

test.each([
  ['', true],
  ['q=export+LARGE', true],
  ['q=export+small', false],
  ['q=%237', true],
  ['status=created', true],
  ['status=pushed&status=created', true],
  ['status=pushed', false],
  ['source=slack', true],
  ['source=zendesk', false],
  ['tag=Area%3A+Export', true],
  ['tag=Area%3A+Search&tag=Area%3A+Export', true],
  ['tag=Export', false],
  ['days=30', true],
  ['days=7', false],
  ['days=soon', true],
  ['status=created&source=zendesk', false],
  ['q=%22times+out%22', true],
  ['q=%22out+times%22', false],
])('an address with ?%s shows the insight: %s', (query, shown) => {
  expect(passes(query)).toBe(shown)
})

test.each([
  ['gross', 'Groß'],
  ['GROẞ', 'gross'],
  ['ＥＸＰＯＲＴ', 'export'],
  ['cafe', 'Cafe\u0301'],
  ['ダウンロード', 'ﾀﾞｳﾝﾛｰﾄﾞできない'],
  ['C++ <b>', 'the C++ client shows <b>'],
  ['“c# client”', 'the C# client'],
])('%s is found in %s', (words, issue_name) => {
  expect(passes(`q=${encodeURIComponent(words)}`, { ...insight, issue_name })).toBe(true)
})

test('without sources and last mentions the list is filtered by what there is', () => {
  const { sources: _, last_seen: __, ...bare } = insight
  expect(passes('source=slack', bare)).toBe(false)
  expect(passes('days=7', bare)).toBe(true)
})

test('a part of the filter is replaced in the address, and the rest stays', () => {
  const address = new URLSearchParams('issue=4&status=created&q=x')
  expect(withPart(address, 'statuses', ['pushed', 'resolved']).toString()).toBe(
    'issue=4&q=x&status=pushed&status=resolved',
  )
  expect(withPart(address, 'words', '').toString()).toBe('issue=4&status=created')
  expect(withPart(address, 'days', 30).get('days')).toBe('30')
  expect(withoutFilter(address).toString()).toBe('issue=4')
  expect(isFiltered(readFilter(withoutFilter(address)))).toBe(false)
  expect(isFiltered(readFilter(address))).toBe(true)
})

test.each([
  ['me', 'ann', true],
  ['me', 'bo', false],
  ['me', undefined, false],
  ['someone', 'bo', true],
  ['someone', undefined, false],
  ['nobody', undefined, true],
  ['nobody', 'ann', false],
])('the filter “assigned to %s” shows an insight that is assigned to %s: %s', (wanted, to, shown) => {
  const filter = readFilter(new URLSearchParams(`assigned=${wanted}`))
  expect(isFiltered(filter)).toBe(true)
  expect(matcher(filter, NOW, 'ann')({ ...insight, ...(to ? { assigned_to: to } : {}) })).toBe(shown)
})

test.each(['q=x', 'status=created', 'days=7', 'customer=1', 'attributes=rating%3D1', 'change=new', 'team=planned'])(
  '?%s is a filter',
  (query) => {
    expect(isFiltered(readFilter(new URLSearchParams(query)))).toBe(true)
  },
)

test('numbers make no filter: there would be one for each', () => {
  expect(tagKey({ ...area('Export'), cat_type: 'number', option_value: 4 })).toBeNull()
  expect(tagKey(area('Export'))).toBe('Area: Export')
})

test('values are counted once per insight, the most frequent first', () => {
  const list = [insight, { ...insight, sources: ['file'] }, { ...insight, sources: ['file', 'file', 'azure'] }]
  expect(countValues(list, (one) => one.sources ?? [])).toEqual([
    { value: 'file', count: 3 },
    { value: 'azure', count: 1 },
    { value: 'slack', count: 1 },
  ])
})
