import { expect, test } from 'vitest'
import { keptFor, RETENTION_DAYS } from './retention-words.ts'

test('times are in years where they are whole ones', () => {
  expect([1, 90, 365, 400, 730].map(keptFor)).toEqual(['1 day', '90 days', '1 year', '400 days', '2 years'])
  expect(RETENTION_DAYS.map(keptFor)).toEqual(['30 days', '90 days', '180 days', '1 year', '2 years', '5 years'])
})
