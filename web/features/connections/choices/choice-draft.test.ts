import type { ChoiceView } from '@groundswell/contract/sources.ts'
import { expect, test } from 'vitest'
import { bodyOf, lackOf, leadingDraft, withValues } from './choice-draft.ts'

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
  choice('state', { depends_on: ['kind'], chosen: ['S1'] }),
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

test('choices that depend on each other do not clear the one that was changed', () => {
  const circle = [choice('a', { depends_on: ['b'] }), choice('b', { depends_on: ['a'] })]
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
