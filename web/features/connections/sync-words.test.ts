import { expect, test } from 'vitest'
import { errorHint, rateWords } from './sync-words.ts'

test('a rate includes the time left where the total is known', () => {
  expect(rateWords(120.4, { read: 100, total: 400 })).toBe('120 a minute · about 3 minutes left')
  expect(rateWords(600, { read: 100, total: 400 })).toBe('600 a minute · about 1 minute left')
  expect(rateWords(60, { read: 100, total: null })).toBe('60 a minute')
  expect(rateWords(60, { read: 400, total: 400 })).toBe('60 a minute')
})

test('an error has a hint about what to do', () => {
  expect(errorHint('na')).toContain('Reconnect')
  expect(errorHint('connected')).toContain('Sync now')
})
