import type { Expected } from '@groundswell/contract/feedback.ts'
import { afterEach, expect, test } from 'vitest'
import { expectedText } from './expected-words.ts'

const now = new Date('2026-06-01T12:00:00Z')
const base: Expected = {
  messages: 1_203,
  whole: true,
  about: 1_203,
  from: '2026-01-03T00:00:00.000Z',
  to: '2026-03-09T00:00:00.000Z',
  days: true,
  undated: 14,
  own: 36,
  repeated: 0,
  bad: 0,
  samples: [],
}
const csv = { mapping: { text: 'Review' }, format: 'csv' } as const
const say = (change: Partial<Expected>, file: Parameters<typeof expectedText>[1] = csv) =>
  expectedText({ ...base, ...change }, file, now)

test('one sentence says what an import will do', () => {
  expect(say({})).toBe(
    '1,203 messages, by “Review”, from Jan 3 to Mar 9, 14 without a date, 36 more look like your own replies.',
  )
  expect(say({ messages: 1, undated: 0, own: 1, to: '2026-01-03T00:00:00.000Z', repeated: 1, bad: 2 })).toBe(
    '1 message, by “Review”, on Jan 3, 1 more looks like your own replies, 1 row repeats an id, 2 rows are left out.',
  )
})

test('several files are said to become one import', () => {
  const three = { ...csv, files: 3 }
  expect(say({ undated: 0, own: 0 }, three)).toBe(
    '3 files as one import: 1,203 messages, by “Review”, from Jan 3 to Mar 9.',
  )
  expect(say({ messages: 0, own: 0, bad: 1 }, three)).toBe(
    '3 files as one import: no messages, by “Review”, 1 row is left out.',
  )
  expect(say({ whole: false, about: null, undated: 0, own: 0 }, three)).toMatch(
    /^3 files as one import: more than 1,203 messages, by “Review”; of the first/,
  )
})

test('both columns of a message are named, and columns without a name by their number', () => {
  const plain = { undated: 0, own: 0, from: null, to: null }
  expect(say(plain, { mapping: { title: 'Summary', text: 'Description' }, format: 'csv' })).toBe(
    '1,203 messages, by “Summary” and “Description”, without dates.',
  )
  expect(say(plain, { mapping: { title: '2', text: '2' }, format: 'csv' })).toBe(
    '1,203 messages, by column 2, without dates.',
  )
  expect(say(plain, { mapping: { text: 'text' }, format: 'text' })).toBe('1,203 messages, one per line, without dates.')
  const chat = { mapping: { text: 'text', author: 'author', date: 'date' }, format: 'text' } as const
  expect(say({ undated: 0, own: 0 }, chat)).toBe('1,203 messages, in a chat, from Jan 3 to Mar 9.')
})

const zone = process.env['TZ']
afterEach(() => {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
})

test.each(['Pacific/Honolulu', 'Pacific/Kiritimati'])(
  'in %s a day without a time beside moments is that day',
  (name) => {
    process.env['TZ'] = name
    const mixed = { days: false, undated: 0, own: 0, from_date_only: true, to: '2026-03-09T12:00:00.000Z' }
    expect(say(mixed)).toContain(', from Jan 3 to Mar ')
    expect(
      say({
        ...mixed,
        from: '2026-01-03T12:00:00.000Z',
        from_date_only: false,
        to: '2026-03-09T00:00:00.000Z',
        to_date_only: true,
      }),
    ).toMatch(/ to Mar 9\.$/)
  },
)

test('moments are named by their day where the reader is', () => {
  const moments = { days: false, undated: 0, own: 0, from: '2026-01-03T12:00:00.000Z', to: '2026-03-09T12:00:00.000Z' }
  expect(say(moments)).toBe('1,203 messages, by “Review”, from Jan 3 to Mar 9.')
})

test('years are named unless all dates are in this one', () => {
  expect(say({ undated: 0, own: 0, from: '2025-12-30T00:00:00.000Z' })).toBe(
    '1,203 messages, by “Review”, from Dec 30, 2025 to Mar 9, 2026.',
  )
})

test('of a large file the number is an estimate, and the rest is about what was read of it', () => {
  const part = { whole: false, about: 12_437 }
  expect(say(part)).toBe(
    'About 12,000 messages, by “Review”; of the first 1,203: from Jan 3 to Mar 9, 14 without a date, 36 more look like your own replies.',
  )
  expect(say({ ...part, about: null, own: 0, undated: 0 })).toBe(
    'More than 1,203 messages, by “Review”; of the first 1,203: from Jan 3 to Mar 9.',
  )
})

test('a file without messages is said to have none', () => {
  expect(say({ messages: 0, own: 0, undated: 0, from: null, to: null, bad: 3 })).toBe(
    'No messages, by “Review”, 3 rows are left out.',
  )
})
