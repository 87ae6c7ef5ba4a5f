import { expect, test } from 'vitest'
import { countable, descriptionProblem, draftFrom, isNamed, readSaved, settingsFrom } from './saved-settings.ts'

const sent = { method: 'auto' as const, min_inputs: 4, categories: [] }
const saved = { method: 'auto' as const, min_inputs: 5, categories: [{ name: 'a', description: 'b' }] }

test('a reply is parsed wrapped, wrapped twice, bare or empty', () => {
  expect(readSaved({ message: 'Done', data: saved }, sent)).toEqual({ settings: saved, message: 'Done' })
  expect(readSaved({ data: { message: 'Done', data: saved } }, sent)).toEqual({ settings: saved, message: 'Done' })
  expect(readSaved(saved, sent)).toEqual({ settings: saved, message: undefined })
  expect(readSaved({ message: 'Done' }, sent)).toEqual({ settings: sent, message: 'Done' })
  expect(readSaved(undefined, sent)).toEqual({ settings: sent, message: undefined })
})

test('a description counts its characters after trimming', () => {
  expect(descriptionProblem(`  ${'x'.repeat(39)}  `)).toBe(
    'Please enter 1 more character(s) to reach the 40-character minimum.',
  )
  expect(descriptionProblem('')).toBe('Please enter 40 more character(s) to reach the 40-character minimum.')
  expect(descriptionProblem('x'.repeat(40))).toBeNull()
})

test('a name of spaces is empty', () => {
  expect(isNamed('  ')).toBe(false)
  expect(isNamed(' a ')).toBe(true)
})

test('what another server omits gets its default, and is not sent back', () => {
  const draft = draftFrom(undefined)
  expect(draft).toEqual({ method: 'auto', min_inputs: 3, categories: [], count_by: 'mentions', hold_guesses: false })
  expect(settingsFrom(draft, countable(undefined, false))).toEqual({ method: 'auto', min_inputs: 3, categories: [] })
  const named = { ...draft, categories: [{ name: ' a ', description: ' b ' }] }
  const sent = { method: 'auto', min_inputs: 3, categories: [{ name: 'a', description: 'b' }], count_people: false }
  expect(settingsFrom(named, countable({ count_people: true }, false))).toEqual(sent)
  expect(settingsFrom(named, countable({ count_people: true }, true))).toEqual({
    ...sent,
    count_by: 'mentions',
    hold_guesses: false,
  })
})
