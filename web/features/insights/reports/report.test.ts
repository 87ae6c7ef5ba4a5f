import type { Report, ReportSeries } from '@groundswell/contract/reports.ts'
import { expect, test } from 'vitest'
import { readReportChoice, withParts } from './report-address.ts'
import { changeText, comparedText, insightsOf, partLabel, periodText, reportCsv } from './report-words.ts'

const NOW = Date.parse('2026-03-01T23:00:00Z')
const choice = (query: string, zone = 'UTC') => readReportChoice(new URLSearchParams(query), NOW, zone)

const series = (key: string | null, counts: number[], previous = 0): ReportSeries => ({
  key,
  label: key,
  counts,
  total: counts.reduce((sum, one) => sum + one, 0),
  previous,
})

test('an address names a report; what is missing or wrong is the default', () => {
  const quarter = {
    range: '90',
    from: '2025-12-02',
    to: '2026-03-01',
    by: 'none',
    tag: undefined,
    attribute: undefined,
    attributes: '',
    asTable: false,
  }
  expect(choice('')).toEqual(quarter)
  expect(choice('range=7&by=colour&from=soon&to=2026-01-01')).toEqual(quarter)
  expect(choice('range=30&by=tag&tag=Area&show=table')).toEqual({
    range: '30',
    from: '2026-01-31',
    to: '2026-03-01',
    by: 'tag',
    tag: 'Area',
    attribute: undefined,
    attributes: '',
    asTable: true,
  })
  expect(choice('range=365')).toMatchObject({ from: '2025-03-02', to: '2026-03-01' })
})

test('today is that of the workspace', () => {
  expect(choice('range=30', 'Asia/Tokyo')).toMatchObject({ from: '2026-02-01', to: '2026-03-02' })
  expect(choice('range=30', 'Pacific/Honolulu')).toMatchObject({ from: '2026-01-31', to: '2026-03-01' })
  expect(choice('range=30&from=2026-02-01&to=2026-02-02', 'Asia/Tokyo')).toMatchObject({ to: '2026-02-02' })
})

test('dates come before a preset, and are put in order', () => {
  expect(choice('range=30&from=2026-02-01&to=2026-01-01')).toMatchObject({
    range: 'custom',
    from: '2026-01-01',
    to: '2026-02-01',
  })
  const address = withParts(new URLSearchParams('from=a&to=b&by=kind'), { from: null, to: null, range: '30' })
  expect(address.toString()).toBe('by=kind&range=30')
})

test('parts have a name, a change and the address of their insights', () => {
  const name = (id: string) => `the ${id}`
  expect(partLabel(series('problem', []), 'kind', name)).toBe('Problem')
  expect(partLabel(series('slack', []), 'source', name)).toBe('the slack')
  expect(partLabel(series(null, []), 'theme', name)).toBe('No theme')
  expect(partLabel(series('Pro', []), 'plan', name)).toBe('Pro')
  expect(['0', '1000', '1000000', null].map((key) => partLabel(series(key, []), 'revenue', name))).toEqual([
    'Revenue below 1,000',
    'Revenue of 1,000 to 10,000',
    'Revenue of 1,000,000 or more',
    'Unknown revenue',
  ])
  expect(changeText({ total: 15, previous: 10 })).toBe('+50%')
  expect(changeText({ total: 10, previous: 10 })).toBe('0%')
  expect(changeText({ total: 10, previous: 0 })).toBeNull()
  expect(comparedText({ total: 10, previous: 0 }, 5)).toBe('new')
  expect(comparedText({ total: 0, previous: 0 }, 5)).toBe('none before')
  // With nothing before at all, “new” would be beside every part.
  expect(comparedText({ total: 10, previous: 0 }, 0)).toBeNull()
  const none = { tag: null, attribute: null, attributes: '' }
  expect(insightsOf('a&b', 'tag', { ...none, tag: 'Area' })).toBe('/insights?tag=Area%3A+a%26b')
  expect(insightsOf(null, 'kind', none)).toBeNull()
  expect(insightsOf('7', 'theme', none)).toBeNull()
  expect(insightsOf('1', 'attribute', { ...none, attribute: 'rating', attributes: 'plan=Pro' })).toBe(
    '/insights?attributes=rating%3D1',
  )
  expect(insightsOf('file', 'source', { ...none, attributes: 'rating=1&rating=2' })).toBe(
    '/insights?attributes=rating%3D1%26rating%3D2&source=file',
  )
})

test('periods are named by their first day, months by their name', () => {
  expect(periodText('2026-03-01', 'month')).toBe('March 2026')
  expect(periodText('2026-03-02', 'week')).toBe('week of Mar 2, 2026')
  expect(periodText('2026-03-02', 'day')).toBe('Mar 2, 2026')
})

test('the file has a line for each period and the totals, and no formula', () => {
  const report: Report = {
    time_zone: 'UTC',
    from: '2026-01-01',
    to: '2026-01-02',
    previous_from: '2025-12-30',
    unit: 'day',
    starts: ['2026-01-01', '2026-01-02'],
    all: series(null, [1, 2], 4),
    series: [],
    others: null,
    tag: null,
    tags: [],
    first_day: null,
    last_day: null,
  }
  const rows = [
    { label: 'All mentions', series: report.all, to: null },
    { label: '=1+"1"', series: series('x', [0, 2]), to: null },
  ]
  expect(reportCsv(report, rows).split('\r\n')).toEqual([
    `"day","All mentions","'=1+""1"""`,
    '"2026-01-01",1,0',
    '"2026-01-02",2,2',
    '"total 2026-01-01 to 2026-01-02",3,2',
    '"total since 2025-12-30, before",4,0',
    '',
  ])
})
