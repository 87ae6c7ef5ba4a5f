import type { Correction, CorrectionChange } from '@groundswell/contract/corrections.ts'
import { expect, test } from 'vitest'
import { correctionText, endText, peopleInNumbers, previewText, wordsFor } from './correction-words.ts'

const correction = (some: Partial<Correction>): Correction => ({
  correction_id: '1',
  issue_number: 12,
  kind: 'move',
  state: 'applied',
  problem: null,
  by: 'Ann',
  at: '2026-11-01T00:00:00Z',
  undone_by: null,
  undone_at: null,
  can_undo: true,
  other: 5,
  mentions: 3,
  name: null,
  locked: null,
  changes: [],
  ...some,
})

const change = (some: Partial<CorrectionChange>): CorrectionChange => ({
  issue_number: 12,
  name: 'Exports fail',
  mentions_before: 3,
  mentions_after: 0,
  people_before: 2,
  people_after: 0,
  becomes: 'merged',
  ...some,
})

test.each([
  [{ kind: 'merge' as const }, 'Merged into', 5, 'Absorbed', 12],
  [{ kind: 'move' as const }, '3 mentions moved to', 5, '3 mentions moved here from', 12],
  [{ kind: 'split' as const, mentions: 1 }, '1 mention moved to a new insight', 5, 'Started with 1 mention from', 12],
])('%o is described from either side', (some, here, other, there, back) => {
  expect(correctionText(correction(some), 12)).toEqual({ words: here, other })
  expect(correctionText(correction(some), 5)).toEqual({ words: there, other: back })
})

test.each([
  [{ kind: 'move' as const, other: null, mentions: 1 }, '1 mention removed from insights'],
  [{ kind: 'add' as const, other: null }, '3 mentions added'],
  [{ kind: 'create' as const, other: null }, 'Created from 3 mentions'],
  [{ kind: 'reject' as const, other: null }, '3 mentions marked as not this'],
  [{ kind: 'rename' as const, other: null, name: 'Exports' }, 'Renamed to “Exports”'],
  [{ kind: 'rename' as const, other: null }, 'Automatic name restored'],
  [{ kind: 'lock' as const, other: null, locked: true }, 'Locked'],
  [{ kind: 'lock' as const, other: null, locked: false }, 'Unlocked'],
])('%o has no other side to link to', (some, words) => {
  expect(correctionText(correction(some), 12)).toEqual({ words, other: null })
})

test('a preview has the number of mentions that move, and where', () => {
  expect(previewText({ kind: 'merge', into: 5 }, 12, [change({})])).toBe(
    '3 mentions of 2 people move to #5; #12 is removed.',
  )
  expect(previewText({ kind: 'split', mentions: ['1:0'] }, 12, [])).toBe('1 mention becomes a separate insight.')
  expect(previewText({ kind: 'split', mentions: ['1:0', '2:0'] }, 12, [])).toBe('2 mentions become a separate insight.')
  expect(previewText({ kind: 'move', mentions: ['1:0'], to: 5 }, 12, [])).toBe('1 mention moves to #5.')
  expect(previewText({ kind: 'move', mentions: ['1:0', '2:0'], to: null }, 12, [])).toBe('2 mentions leave #12.')
  expect(previewText({ kind: 'add', mentions: ['1:0'] }, 12, [])).toBe('1 mention joins #12.')
})

test('an unlock is not described as a lock', () => {
  expect(wordsFor({ kind: 'lock', locked: true }).done).toBe('Locked')
  expect(wordsFor({ kind: 'lock', locked: false }).doing).toBe('Unlocking…')
  expect(wordsFor({ kind: 'move', locked: null }).done).toBe('Moved')
})

test('the outcome of an insight is described where its numbers do not show it', () => {
  expect(endText(change({}))).toBe('ends')
  expect(endText(change({ becomes: 'hidden' }))).toBe('no longer shown')
  expect(endText(change({ becomes: 'hidden', mentions_after: 2 }))).toBe('not shown until there are more')
  expect(endText(change({ becomes: 'stays' }))).toBe('')
  expect(peopleInNumbers(change({}))).toBe('2 → 0 people')
  expect(peopleInNumbers(change({ people_before: 1, people_after: 1 }))).toBe('1 person')
})
