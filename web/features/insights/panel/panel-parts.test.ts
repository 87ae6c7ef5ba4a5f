import { InsightEvent } from '@groundswell/contract/insights/insight-detail.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import { expect, test } from 'vitest'
import { trendText } from '../mention-words.ts'
import { spikeOf, spikeText } from '../table/spike.ts'
import { eventText } from './event-words.ts'
import { readTagText, valuesInUse } from './tag-text.ts'
import { barsOf, periodsOf, weeksOf } from './timeline.ts'

test.each([
  [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0], { mentions: 4, usual: 0 }],
  [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0], null],
  [[2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 6], { mentions: 6, usual: 2 }],
  [[2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 6], null],
  [[9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9], null],
  [[40, 40], null],
])('a trend of %j has the spike %j', (trend, spike) => {
  expect(spikeOf({ trend })).toEqual(spike)
})

test('old mentions are no spike, and their trend names its weeks', () => {
  const trend = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0]
  expect(spikeOf({ trend, trend_end: '2024-05-13T00:00:00.000Z' })).toBeNull()
  expect(trendText([1, 2], '2024-05-13T00:00:00.000Z')).toBe(
    'Mentions in the 2 weeks up to 2024-05-12, oldest first: 1, 2',
  )
  expect(trendText([1, 2], null)).toBe('Mentions in the last 2 weeks, oldest first: 1, 2')
})

test('without a trend there is no spike, and a spike includes the usual rate', () => {
  expect(spikeOf({})).toBeNull()
  expect(spikeText({ mentions: 9, usual: 1.5 })).toBe('Spike: 9 mentions in a week, usually 1.5')
})

test('bars start at the lower edge, the highest fills the height, and none vanishes', () => {
  expect(barsOf([0, 5, 10], 30, 20, 2)).toEqual([
    { x: 0, y: 18, width: 8, height: 2 },
    { x: 10, y: 10, width: 8, height: 10 },
    { x: 20, y: 0, width: 8, height: 20 },
  ])
  expect(barsOf([0, 0], 10, 20, 2).every((bar) => bar.height === 2)).toBe(true)
})

test('each bar has the label of its period', () => {
  expect(periodsOf({ unit: 'day', from: '2026-02-28T00:00:00Z', counts: [1, 2] })).toEqual(['2026-02-28', '2026-03-01'])
  expect(periodsOf({ unit: 'month', from: '2025-12-01T00:00:00Z', counts: [1, 2] })).toEqual(['2025-12', '2026-01'])
  const weeks = weeksOf([1, 2], Date.parse('2026-03-08T23:00:00Z'))
  expect(periodsOf(weeks)).toEqual(['week of 2026-02-23', 'week of 2026-03-02'])
  expect(periodsOf(weeksOf([1], Date.parse('2026-03-09T00:00:00Z')))).toEqual(['week of 2026-03-09'])
})

test('every event has a text', () => {
  for (const event of InsightEvent.shape.event.options) {
    expect(eventText({ at: '', event, from: 'a', to: 'b', tag: 'Area' })).toMatch(/^[A-Z0]/)
  }
  expect(eventText({ at: '', event: 'grew', count: 1 })).toBe('1 mention joined')
  const change = {
    count: 0,
    new: 1,
    came: [{ cause: 'edited' as const, count: 2 }],
    left: [{ cause: 'deleted' as const, count: 3 }],
    messages: [],
  }
  expect(eventText({ at: '', event: 'exchanged', count: 0, change })).toBe('+1 new, +2 joined when edited, −3 deleted')
  expect(eventText({ at: '', event: 'tagged', tag: 'Area' })).toBe('Area removed manually')
  expect(eventText({ at: '', event: 'status', to: 'parked' })).toBe('Now parked')
})

test.each([
  ['  ', null],
  ['Export ', 'Export'],
  ['4', 4],
  ['-2.50', -2.5],
  ['4 stars', '4 stars'],
  ['99999999999', '99999999999'],
  ['1e9', '1e9'],
])('“%s” typed as a tag is %j', (text, value) => {
  expect(readTagText(text)).toBe(value)
})

test('values that others have are offered, each once', () => {
  const having = (...values: (string | null)[]): Insight => ({
    issue_number: 1,
    issue_name: '',
    summary: '',
    status: 'created',
    last_updated: '',
    evidence: [],
    categories: values.map((option_value, place) => ({
      cat_name: place === 0 ? 'Area' : 'Team',
      cat_type: 'category',
      option_value,
      option_colour: null,
    })),
  })
  expect(valuesInUse([having('Search', 'Blue'), having('Export'), having('Search'), having(null)], 'Area')).toEqual([
    'Export',
    'Search',
  ])
})
