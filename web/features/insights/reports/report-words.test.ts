import type { Report } from '@groundswell/contract/reports.ts'
import { expect, test } from 'vitest'
import { partlyKnownText } from './report-words.ts'

test('a previous period in which messages begin is said to be incomplete', () => {
  const said = (first_day: string | null, previous = 28) =>
    partlyKnownText({ all: { previous }, first_day, previous_from: '2026-08-16', from: '2026-10-01' } as Report)
  expect(said('2026-09-24')).toBe('Feedback begins on Sep 24, 2026, so that period is not complete.')
  expect(['2026-08-16', '2025-01-01', '2026-10-01', null].map((day) => said(day))).toEqual([null, null, null, null])
  expect(said('2026-09-24', 0)).toBeNull()
})
