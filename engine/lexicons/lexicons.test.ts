import { expect, expectTypeOf, test } from 'vitest'
import { alternationOfAll, LEXICONS, type Lexicon, listOfAll, signsOfAll, tableOfAll, wordsOfAll } from './lexicons.ts'
import { phrases } from './words.ts'

const LISTS = [
  'STOPWORDS',
  'NOUN_LEADS',
  'VAGUE_NOUNS',
  'COMMON_WORDS',
  'CHAT_WORDS',
  'AGREEMENT_WORDS',
  'AGREEMENT_CUES',
  'NOISE_PATTERN_WORDS',
  'META_WORDS',
  'MEASURE_WORDS',
  'YES_NO_STARTERS',
  'PROBLEM_LABELS',
  'REQUEST_LABELS',
  'HOW_MEASURES',
  'COPULAS',
  'ACRONYMS',
  'VERBS',
  'IMPERATIVES',
  'FALSE_FRIENDS',
] as const satisfies (keyof Lexicon)[]

test.each(LISTS)('%s of all languages is the union of the lists, each entry trimmed and in lower case', (list) => {
  const union = wordsOfAll((lexicon) => lexicon[list])
  const each = Object.values<Lexicon>(LEXICONS).flatMap((lexicon) => [...(lexicon[list] ?? [])])
  expect(new Set(each)).toEqual(union)
  for (const word of union) {
    expect(word).toBe(word.trim().toLowerCase())
    expect(word).not.toBe('')
  }
})

// The numbers of distinct entries when the lists were one: a lost or added word must be deliberate.
test.each([
  ['CHAT_WORDS', 448],
  ['AGREEMENT_WORDS', 148],
  ['META_WORDS', 131],
  ['MEASURE_WORDS', 236],
  ['PROBLEM_LABELS', 39],
  ['REQUEST_LABELS', 46],
] as const)('%s has its %i entries', (list, size) => {
  expect(wordsOfAll((lexicon) => lexicon[list]).size).toBe(size)
})

test('no word stands for two intent cues', () => {
  const cues = new Map<string, string>()
  for (const { INTENT_CUES } of Object.values<Lexicon>(LEXICONS)) {
    for (const [cue, words] of Object.entries(INTENT_CUES)) {
      for (const word of words) {
        expect(cues.get(word) ?? cue).toBe(cue)
        cues.set(word, cue)
      }
    }
  }
  expect(cues.get('warum')).toBe('?why')
  expect(cues.get('cancelar')).toBe('!off')
})

test('every language has the lists that detection and stemming need', () => {
  for (const lexicon of Object.values<Lexicon>(LEXICONS)) {
    expect(lexicon.STOPWORDS.length).toBeGreaterThan(100)
    expect(lexicon.COMMON_WORDS.length).toBeGreaterThan(40)
  }
})

test('a pattern of all languages matches those of each', () => {
  const request = new RegExp(`^(?:${alternationOfAll((lexicon) => lexicon.REQUEST_PHRASES)})$`, 'iu')
  for (const phrase of ['need', 'brauchen', 'voulons', 'necesitamos', 'precisamos']) expect(phrase).toMatch(request)
  expect('banana').not.toMatch(request)
})

test('a language exports nothing but fields of the lexicon: an algorithm would never read it', () => {
  type Exported = { [Language in keyof typeof LEXICONS]: keyof (typeof LEXICONS)[Language] }[keyof typeof LEXICONS]
  expectTypeOf<Exclude<Exported, keyof Lexicon>>().toBeNever()
})

test('a sign has the alternatives of all languages, English first', () => {
  const sign = signsOfAll('TITLE_SIGNS')
  expect(sign('please')).toBe('(?:please|pls|plz|kindly|bitte)')
  expect(sign('replyPrefix')).toBe('(?:re|fwd?|aw|wg|tr|rv)')
})

test('a sign that no language has is an error, not a pattern that matches everywhere', () => {
  expect(() => signsOfAll('TITLE_SIGNS')('nowhere' as 'please')).toThrow('No language has nowhere in TITLE_SIGNS')
})

test('lists and tables of all languages leave out languages without one', () => {
  expect(listOfAll((lexicon) => lexicon.COPULAS)).toEqual(LEXICONS.en.COPULAS)
  expect(tableOfAll((lexicon) => lexicon.DIRECTION_PARTICLES).get('off')).toBe('!off')
  expect(tableOfAll((lexicon) => lexicon.DIRECTION_PARTICLES).get('constructor')).toBeUndefined()
})

test('a label has one meaning, in whatever language', () => {
  const meanings = new Map<string, string>()
  for (const { LABEL_CUES } of Object.values<Lexicon>(LEXICONS)) {
    for (const [meaning, entry] of Object.entries(LABEL_CUES)) {
      for (const label of entry.labels) {
        expect(meanings.get(label) ?? meaning).toBe(meaning)
        meanings.set(label, meaning)
      }
    }
  }
  expect([meanings.get('defect'), meanings.get('fehler'), meanings.get('fallo')]).toEqual(['bug', 'bug', 'bug'])
})

test('phrases may continue on the next line', () => {
  expect(phrases('sign in, two\n    factor,\n login')).toEqual(['sign in', 'two factor', 'login'])
})
