import type { Import } from '@groundswell/contract/feedback.ts'
import { expect, test } from 'vitest'
import { isGoingOn } from './import-queries.ts'
import { importShare, importText, ownSideText, undatedRows, undatedText } from './import-words.ts'
import { withColumn } from './preview.ts'
import { firstChoice, sourceQuery } from './source-query.ts'
import { runningImport as base } from './testing.ts'

test('progress counts the bytes first, then the groups', () => {
  const reading = { ...base, added: 1_200, known: 30, bad: 4 }
  expect(importText(reading)).toBe('Reading: 1,234 rows, 1.0 MB of 4.0 MB')
  expect(importShare(reading)).toEqual({ value: 1_000_000, total: 4_000_000 })
  const read: Import = { ...reading, state: 'done', bytes_read: 4_000_000, grouped: 300 }
  expect(importText(read)).toBe('Grouping 300 of 1,200')
  expect(importShare(read)).toEqual({ value: 300, total: 1_200 })
  expect(importText({ ...read, grouped: 1_200 })).toBe('1,200 added, 30 already known, 4 bad')
  expect(importText({ ...read, grouped: 1_207, replaced: 7, repeated: 2 })).toBe(
    '1,200 added, 7 with a new text, 30 already known, 2 repeated, 4 bad',
  )
  expect(importText({ ...read, added: 1, known: 0, bad: 0, grouped: 1 })).toBe('1 added')
  expect(importShare({ ...read, replaced: 300 })).toEqual({ value: 300, total: 1_500 })
})

test('an import is running until everything added is grouped, unless it failed', () => {
  expect(isGoingOn(base)).toBe(true)
  expect(isGoingOn({ ...base, state: 'done', added: 2, grouped: 1 })).toBe(true)
  expect(isGoingOn({ ...base, state: 'done', added: 2, grouped: 2 })).toBe(false)
  expect(isGoingOn({ ...base, state: 'done', added: 2, grouped: 2, replaced: 1 })).toBe(true)
  expect(isGoingOn({ ...base, state: 'failed', added: 2, grouped: 1 })).toBe(false)
  expect(isGoingOn({ ...base, state: 'asking' })).toBe(false)
})

test('replies of the own side are reported with who wrote them, and how to have them counted', () => {
  const wrong = 'If that is wrong, import the file again and choose “Feedback, like all others”.'
  const told = { ...base, context: 12, own_by: 'author' as const, own_people: ['Ines', 'Omar'] }
  expect(ownSideText(told)).toBe(
    `12 replies by 2 people of your own were read as context, as most of what they write reads like replies. ${wrong} They are:`,
  )
  const many = Array.from({ length: 200 }, (_, n) => `Agent ${n}`)
  expect(ownSideText({ ...told, own_people: many })).toContain('12 replies by 200 or more people of your own')
  const byRole = { ...told, own_by: 'role' as const }
  expect(ownSideText({ ...byRole, context_left_out: 12 })).toBe(
    `12 replies by 2 people of your own were read as context and left out, as the file names no conversations. ${wrong} They are:`,
  )
  expect(ownSideText({ ...byRole, context: 1, own_people: [] })).toBe(`1 reply was read as context. ${wrong}`)
  expect(ownSideText({ ...byRole, context_left_out: 1 })).toContain('context; 1 without a conversation was left out.')
})

test('a failed import gives the server’s reason', () => {
  expect(importText({ ...base, state: 'failed', error: 'The file is not UTF-8' })).toBe('The file is not UTF-8')
})

test('an unset column leaves no empty entry, except for the message', () => {
  const mapping = { text: 'message', author: 'who' }
  expect(withColumn(mapping, 'author', '')).toEqual({ text: 'message' })
  expect(withColumn(mapping, 'date', 'day')).toEqual({ text: 'message', author: 'who', date: 'day' })
  expect(mapping).toEqual({ text: 'message', author: 'who' })
})

test('an import with a question has the number of texts it would replace', () => {
  const asks = { replaces: 1, samples: [] }
  expect(importText({ ...base, state: 'asking', asks })).toBe('Waiting for your answer: 1 row will replace stored text')
})

test('the source of the same file is preselected, else that of the last one with its header, else a new one with the file’s name', () => {
  const source = { id: '1', name: 'Survey', messages: 3, imports: 1 }
  const same = { source, imported_at: '2026-06-01T00:00:00Z' }
  const mapping = { text: 'message' }
  const remembered = {
    imported_at: same.imported_at,
    source: { ...source, id: '2' },
    own_replies: null,
    detected: mapping,
  }
  expect(sourceQuery(firstChoice('june survey.csv', { same, remembered }))).toEqual({ source: '1' })
  expect(sourceQuery(firstChoice('june survey.csv', { same: null, remembered }))).toEqual({ source: '2' })
  const deleted = { ...remembered, source: null }
  expect(sourceQuery(firstChoice('june survey.csv', { same: null, remembered: deleted }))).toMatchObject({
    source: 'new',
  })
  expect(sourceQuery(firstChoice('june survey.csv', { same: null, remembered: null }))).toEqual({
    source: 'new',
    source_name: 'june survey',
  })
  expect(sourceQuery({ id: null, name: '  ' })).toEqual({ source: 'new' })
})

test('rows without a date are counted where others have one', () => {
  const counts = { added: 8, replaced: 1, known: 1, repeated: 0 }
  expect([0, 3, 10].map((undated) => undatedRows({ ...counts, undated }))).toEqual([0, 3, 0])
})

test('dates that cannot be read are quoted, with what becomes of their rows', () => {
  expect(undatedText({ rows: 1, samples: ['never'] })).toBe(
    '1 of the first rows has a date that cannot be read: “never”. It is imported with “date unknown”, and counts as today.',
  )
  expect(undatedText({ rows: 2, samples: ['late', 'never'] })).toBe(
    '2 of the first rows have a date that cannot be read: “late”, “never”. They are imported with “date unknown”, and count as today.',
  )
  expect(undatedText({ rows: 2, samples: ['1980-01-01'], why: 'The survey was anonymous' })).toBe(
    'The survey was anonymous. They are imported with “date unknown”, and count as today.',
  )
})
