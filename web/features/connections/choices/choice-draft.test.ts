import type { ChoiceView } from '@groundswell/contract/sources.ts'
import { expect, test } from 'vitest'
import { bodyOf, lackOf, leadingDraft, valuesOf, withValues } from './choice-draft.ts'

const choice = (field: string, more: Partial<ChoiceView> = {}): ChoiceView => ({
  field,
  label: field.toUpperCase(),
  help: '',
  options: [],
  chosen: [],
  ...more,
})
const choices = [
  choice('project', { single: true, required: true, chosen: ['P1'] }),
  choice('kind', { single: true, required: true, depends_on: ['project'], chosen: ['K1'] }),
  choice('state', { searchable: true, depends_on: ['kind'], chosen: ['S1'] }),
  choice('tags', { chosen: ['urgent'] }),
]

test('a change clears what depends on it, and what depends on that', () => {
  expect(withValues(choices, { tags: ['new'] }, 'project', ['P2'])).toEqual({
    project: ['P2'],
    kind: [],
    state: [],
    tags: ['new'],
  })
  expect(withValues(choices, {}, 'tags', [])).toEqual({ tags: [] })
})

test('of a list that depends on a changed field, what is still offered stays', () => {
  const options = ['C1', 'C2'].map((value) => ({ value, label: value }))
  const channels = choice('channels', { options, chosen: ['C1', 'C2'] })
  const shared = choice('shared', { options, depends_on: ['channels'], chosen: ['C1'] })
  const draft = withValues([channels, shared], { shared: ['C1', 'C2'] }, 'channels', ['C1'])
  expect(draft).toEqual({ channels: ['C1'], shared: ['C1', 'C2'] })
  const narrowed = { ...shared, options: options.slice(0, 1) }
  expect(valuesOf(narrowed, draft)).toEqual(['C1'])
  expect(bodyOf([channels, narrowed], draft)).toEqual({ channels: ['C1'], shared: ['C1'] })
  const lost = { ...shared, options: [], chosen_options: [{ value: 'C1', label: 'C1' }] }
  expect(valuesOf(lost, { shared: ['C1'] })).toEqual(['C1'])
})

test('choices that depend on each other do not clear the one that was changed', () => {
  const circle = [choice('a', { single: true, depends_on: ['b'] }), choice('b', { single: true, depends_on: ['a'] })]
  expect(withValues(circle, {}, 'a', ['1'])).toEqual({ a: ['1'], b: [] })
})

test('only what others may depend on is sent while choosing', () => {
  expect(leadingDraft(choices, { project: ['P2'], kind: [], state: ['S2'], tags: ['a'] })).toEqual({
    project: ['P2'],
    kind: [],
  })
})

test('everything that is offered is saved, and required choices come first', () => {
  const draft = { project: ['P2'], kind: [], gone: ['x'] }
  expect(bodyOf(choices, draft)).toEqual({ project: ['P2'], kind: [], state: ['S1'], tags: ['urgent'] })
  expect(lackOf(choices, draft)).toBe('Still required: KIND')
  expect(lackOf(choices, {})).toBeNull()
})
