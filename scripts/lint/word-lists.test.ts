import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { linesWith, root } from './testing.ts'
import { EXCEPTIONS, isChecked, wordsOfList, wordsOfPattern } from './word-lists.ts'

/** The lines of a file of the engine that the linter rejects for their words. */
const found = (text: string) => linesWith('words(in-lexicons)', 'engine/text/words-under-test.ts', text)

test('the linter rejects words of a language in the engine, in whatever form', async () => {
  const lines = await found(`import { words } from '../lexicons/words.ts'
export const MODALS = new Set(['can', 'could', 'would'])
export const GREETING = /^(?:hi|hello|hallo)\\b/i
export const PREPOSITIONS = 'for|at|in'
export const CLOSING = new RegExp(\`^(?:\${GREETING.source}|regards|cheers|danke)$\`)
export const VERBS = words('crash fail hang')
export const NOUNS = 'invoice bill receipt'.split(' ')
export const NEGATION = /(?<!\\w)(?:not|never|no longer)(?!\\w)/
`)
  expect(lines).toEqual([2, 3, 4, 5, 6, 7, 8])
})

test('and allows structure, single words, cues and signs of the lexicons', async () => {
  const lines = await found(`import { signsOfAll } from '../lexicons/lexicons.ts'
const sign = signsOfAll('TITLE_SIGNS')
export const GREETING = new RegExp(\`^(?:\${sign('greeting')}|\${sign('please')}|\${sign('apology')})\\\\b\`, 'i')
export const CUES = new Set(['!on', '!off', '?why'])
export const LINK = /https?:|www\\./
export const NUMBER = /\\d+|[a-z]+|\\p{Lu}\\w*|[.!?]/u
export const NUMBERS = [1, 2, 3]
export const MIXED = ['a', 2, 'c']
export const TEXT = 'It can count mentions, people and days'
`)
  expect(lines).toEqual([])
})

test('only the alternatives of one group are counted', () => {
  expect(wordsOfPattern('^(?:a|b)(?:c|d)$')).toBeNull()
  expect(wordsOfPattern('(?:mon|tues|wednes)day')).toBe('mon|tues|wednes')
  expect(wordsOfPattern('(?:very )?(?:good|bad)|fine|well')).not.toBeNull()
  expect(wordsOfPattern('[a|b|c]|\\d|\\p{L}|\\w')).toBeNull()
})

test('an array counts if it holds words only', () => {
  expect(wordsOfList(['much', 'many', 'how long'])).toBe('much|many|how long')
  expect(wordsOfList(['much', 'many'])).toBeNull()
  expect(wordsOfList(['!on', '!off', '!up'])).toBeNull()
})

test('the lexicons and tests are not checked', () => {
  expect(isChecked('engine/naming/titles.ts')).toBe(true)
  expect(isChecked('engine/model.ts')).toBe(true)
  expect(isChecked('engine/lexicons/en.ts')).toBe(false)
  expect(isChecked('engine/lexicons/en/naming.ts')).toBe(false)
  expect(isChecked('engine/naming/titles.test.ts')).toBe(false)
  expect(isChecked('server/cli.ts')).toBe(false)
})

test.each(EXCEPTIONS)('the exception for $why is still needed in $file', ({ file, text }) => {
  const source = readFileSync(path.join(root, file), 'utf8').replaceAll("', '", '|').replaceAll('\\', '')
  expect(source).toContain(text)
})
