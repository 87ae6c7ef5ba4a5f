import { expect, test } from 'vitest'
import { errorHint, progressWords, rateWords, readWords, unreadWords } from './sync-words.ts'

test('a rate includes the time left where the total is known', () => {
  expect(rateWords(120.4, { read: 100, total: 400 })).toBe('120 a minute · about 3 minutes left')
  expect(rateWords(600, { read: 100, total: 400 })).toBe('600 a minute · about 1 minute left')
  expect(rateWords(60, { read: 100, total: null })).toBe('60 a minute')
  expect(rateWords(60, { read: 400, total: 400 })).toBe('60 a minute')
})

test('progress counts messages, and of a first sync what they are from, where the provider counts that', () => {
  expect(progressWords({ read: 1203, total: null })).toBe('1,203 read')
  expect(progressWords({ read: 1203, total: 2000, of: null })).toBe('1,203 of 2,000 read')
  const of = { noun: 'conversation', read: 340, total: 1100 }
  expect(progressWords({ read: 1203, total: null, of })).toBe('1,203 messages from 340 of about 1,100 conversations')
  const one = { noun: 'ticket', read: 0, total: 1 }
  expect(progressWords({ read: 1, total: null, of: one })).toBe('1 message from 0 of about 1 ticket')
})

test('an error has a hint about what to do', () => {
  expect(errorHint('na')).toContain('Reconnect')
  expect(errorHint('connected')).toContain('Sync now')
})

const at = '2026-03-02T10:00:00.000Z'
const none = { messages: 1204, progress: { read: 3, total: null }, attachment_only: 0, last_sync: at }

test('a source says how much it has read, of how much where the provider tells, and when', () => {
  expect(readWords(none)).toMatch(/^1,204 messages · Last sync \S/)
  expect(readWords({ ...none, messages: 1 })).toMatch(/^1 message · Last sync /)
  expect(readWords({ ...none, progress: { read: 3, total: 2000 } })).toMatch(/^1,204 of 2,000 messages · /)
  expect(readWords({ ...none, progress: { read: 3, total: 3 } })).toMatch(/^1,204 messages · /)
  expect(readWords({ ...none, last_sync: null })).toBeNull()
  // A server of an earlier version, or no sync since the update.
  expect(readWords({ progress: null, last_sync: at })).toMatch(/^Last sync /)
})

test('messages with attachments only are counted', () => {
  expect(readWords({ ...none, attachment_only: 3 })).toContain(' · 3 messages with attachments only · ')
  expect(readWords({ ...none, attachment_only: 1 })).toContain(' · 1 message with attachments only · ')
  expect(readWords({ ...none, attachment_only: 1000 })).toContain(' · 1,000 messages or more with attachments only · ')
})

test('what could not be read is named, by its noun', () => {
  const item = (label: string, noun = 'ticket') => ({ noun, label, link: null, reason: 'It answered 500' })
  expect(unreadWords(null)).toBeNull()
  expect(unreadWords({ items: [], more: 0 })).toBeNull()
  expect(unreadWords({ items: [item('#50')], more: 0 })).toBe('1 ticket could not be read (#50)')
  const five = ['#1', '#2', '#3', '#4', '#5'].map((label) => item(label))
  expect(unreadWords({ items: five, more: 0 })).toBe('5 tickets could not be read (#1, #2, #3 and 2 more)')
  const mixed = [item('#general', 'channel'), item('#bugs', 'thread'), item('#bugs', 'thread'), item('', 'message')]
  expect(unreadWords({ items: mixed, more: 2 })).toBe(
    '1 channel could not be read (#general). 2 threads could not be read (#bugs). 1 message could not be read. 2 earlier ones could not be read',
  )
})
