import { DIGEST_KINDS, type DigestChoice } from '@groundswell/contract/digests.ts'
import { expect, onTestFinished, test } from 'vitest'
import { daysBefore } from './choice.ts'
import { endOfQuiet, nextDigestAt } from './schedule.ts'
import { writeDigest } from './write.ts'

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

test('another kind of digest is data: on workdays', () => {
  const workdays = { label: 'On workdays', every: 'on workdays', days: 1, on: '* * 1-5' }
  Object.assign(DIGEST_KINDS, { workdays })
  onTestFinished(() => void Reflect.deleteProperty(DIGEST_KINDS, 'workdays'))
  const frequency = 'workdays' as keyof typeof DIGEST_KINDS
  expect(next('2026-03-05T08:00:00Z', { frequency })).toBe('2026-03-06T08:00:00.000Z')
  expect(next('2026-03-06T08:00:00Z', { frequency })).toBe('2026-03-09T08:00:00.000Z')
  const now = new Date('2026-03-06T08:00:00Z')
  expect(daysBefore(now, frequency)).toEqual(new Date('2026-03-05T08:00:00Z'))
  const about = { workspace: 'Acme', since: now, timeZone: 'UTC', frequency }
  expect(writeDigest(null, about, { site: '', unsubscribe: '' }).text).toContain('You get this on workdays if')
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
