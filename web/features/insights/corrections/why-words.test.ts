import type { Why } from '@groundswell/contract/corrections.ts'
import { expect, test } from 'vitest'
import { meansText, modelText } from './why-words.ts'

const why = (some: Partial<Why>): Why => ({
  decided_by: 'engine',
  person: null,
  decided_at: '2026-11-01T00:00:00Z',
  score: 0.5,
  rule: 'It is closest to mentions of this insight.',
  terms: ['export'],
  meant: [],
  candidates: [],
  engine_version: '7',
  model: null,
  prompt_version: null,
  ...some,
})

test('without a model the text says so, with or without the engine’s version', () => {
  expect(modelText(why({}))).toBeNull()
  expect(meansText(why({}))).toBe('Engine 7 · no model was used')
  expect(meansText(why({ engine_version: null }))).toBe('No model was used')
})

test('a language model is named with its prompt, and never described as unused', () => {
  const asked = why({ model: 'small', prompt_version: 'join-2' })
  expect(modelText(asked)).toMatchObject({ title: 'Language model', by: 'small, prompt join-2' })
  expect(meansText(asked)).toBe('Engine 7')
})

test('embeddings are named by their model, and as decisive where no word is shared', () => {
  expect(modelText(why({ model: 'embed-3' }))).toMatchObject({ title: 'Meaning', by: 'embed-3' })
  expect(modelText(why({ model: 'embed-3' }))?.words).not.toContain('decided')
  expect(modelText(why({ model: 'embed-3', terms: [] }))?.words).toContain(
    'This decided it: no distinctive word is shared.',
  )
})
