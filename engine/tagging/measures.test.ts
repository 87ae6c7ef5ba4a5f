import { describe, expect, test } from 'vitest'
import { type Measure, measureKind, measureText, measureValue, parseMeasure, type TagCounts } from './measures.ts'

const DAY = 86_400_000
const COUNTS: TagCounts = {
  mentions: 6,
  people: 4,
  week: 3,
  weekBefore: 2,
  firstSeen: 2 * DAY,
  lastSeen: 9 * DAY,
  allMentions: 24,
  allPeople: 10,
  now: 10.5 * DAY,
}

describe('parseMeasure', () => {
  test.each([
    ['Share of all mentions in percent', 'mention-share'],
    ['Percentage of people who said it', 'people-share'],
    ['Growth week over week', 'growth'],
    ['Number of customers', 'people'],
    ['How often it was mentioned', 'mentions'],
    ['Number of mentions in the last week', 'week-mentions'],
    ['Days since it was last mentioned', 'days-since-last'],
    ['Days since it was first mentioned', 'days-since-first'],
    ['Anteil aller Nachrichten in Prozent', 'mention-share'],
    ['Anzahl der Kunden', 'people'],
    ['Nombre de clients', 'people'],
    ['Number of mentions this year', 'other'],
    ['Number of customers on the enterprise plan', 'other'],
    ['Everything about invoices', null],
    ['', null],
  ])('%s → %s', (description, expected) => {
    expect(parseMeasure(description)).toBe(expected)
  })
})

describe('measureValue', () => {
  test.each([
    ['mention-share', 25],
    ['people-share', 40],
    ['growth', 50],
    ['people', 4],
    ['mentions', 6],
    ['week-mentions', 3],
    ['days-since-last', 1],
    ['days-since-first', 8],
  ] as [Measure, number][])('%s is %f', (measure, expected) => {
    expect(measureValue(measure, COUNTS)).toBe(expected)
  })

  test.each([
    ['mention-share', { allMentions: 0 }],
    ['people-share', { allPeople: 0 }],
    ['growth', { weekBefore: 0 }],
    ['days-since-last', { lastSeen: null }],
    ['days-since-first', { firstSeen: null }],
  ] as [Measure, Partial<TagCounts>][])('%s is null without a base', (measure, missing) => {
    expect(measureValue(measure, { ...COUNTS, ...missing })).toBeNull()
  })

  test('days are never negative', () => {
    expect(measureValue('days-since-last', { ...COUNTS, lastSeen: 20 * DAY })).toBe(0)
  })
})

test('percentages are calculated values, counts are numbers, and each is explained', () => {
  expect((['mention-share', 'people-share', 'growth'] as const).map(measureKind)).toEqual(Array(3).fill('calculated'))
  expect((['people', 'mentions', 'days-since-last'] as const).map(measureKind)).toEqual(Array(3).fill('number'))
  expect(measureText('people')).toBe('The number of people who said it')
})
