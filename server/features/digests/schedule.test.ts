import type { DigestChoice } from '@groundswell/contract/digests.ts'
import { expect, test } from 'vitest'
import { endOfQuiet, nextDigestAt } from './schedule.ts'

const choice = (more: Partial<DigestChoice>): DigestChoice => ({
  frequency: 'daily',
  weekday: 1,
  hour: 9,
  time_zone: 'Europe/Berlin',
  alerts: { spike: false, regression: false, themes: [] },
  quiet: null,
  ...more,
})
const next = (now: string, more: Partial<DigestChoice> = {}) => nextDigestAt(new Date(now), choice(more))?.toISOString()

test('daily: at the hour of the time zone, today or tomorrow', () => {
  expect(next('2026-03-02T07:10:00Z')).toBe('2026-03-02T08:00:00.000Z')
  expect(next('2026-03-02T08:00:00Z')).toBe('2026-03-03T08:00:00.000Z')
  expect(next('2026-07-02T06:59:00Z')).toBe('2026-07-02T07:00:00.000Z')
  expect(next('2026-03-02T07:10:00Z', { time_zone: 'Asia/Kolkata' })).toBe('2026-03-03T03:30:00.000Z')
  expect(next('2026-03-02T23:30:00Z', { hour: 0, time_zone: 'UTC' })).toBe('2026-03-03T00:00:00.000Z')
})

test('weekly: on its weekday', () => {
  expect(next('2026-03-02T08:00:00Z', { frequency: 'weekly' })).toBe('2026-03-09T08:00:00.000Z')
  expect(next('2026-03-02T07:00:00Z', { frequency: 'weekly' })).toBe('2026-03-02T08:00:00.000Z')
  expect(next('2026-03-02T08:00:00Z', { frequency: 'weekly', weekday: 7 })).toBe('2026-03-08T08:00:00.000Z')
})

test('an hour that the clock skips is due after it, and one that comes twice is due once', () => {
  expect(next('2026-03-28T12:00:00Z', { hour: 2 })).toBe('2026-03-29T01:00:00.000Z')
  expect(next('2026-10-24T12:00:00Z', { hour: 2 })).toBe('2026-10-25T00:00:00.000Z')
  expect(next('2026-10-25T00:00:00Z', { hour: 2 })).toBe('2026-10-26T01:00:00.000Z')
})

test('off: never', () => {
  expect(next('2026-03-02T08:00:00Z', { frequency: 'off' })).toBeUndefined()
})

test('quiet hours end in the morning, and hold what comes in them', () => {
  const end = (at: string, quiet: DigestChoice['quiet']) =>
    endOfQuiet(new Date(at), choice({ quiet }))?.toISOString() ?? null
  const night = { from: 22, until: 7 }
  expect(end('2026-03-02T20:59:00Z', night)).toBeNull()
  expect(end('2026-03-02T21:00:00Z', night)).toBe('2026-03-03T06:00:00.000Z')
  expect(end('2026-03-03T05:59:00Z', night)).toBe('2026-03-03T06:00:00.000Z')
  expect(end('2026-03-03T06:00:00Z', night)).toBeNull()
  expect(end('2026-03-03T11:30:00Z', { from: 12, until: 13 })).toBe('2026-03-03T12:00:00.000Z')
  expect(end('2026-03-03T11:30:00Z', { from: 12, until: 12 })).toBeNull()
  expect(end('2026-03-03T11:30:00Z', null)).toBeNull()
})
