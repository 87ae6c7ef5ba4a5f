import { expect, test } from 'vitest'
import { LEXICONS, type Lexicon } from '../lexicons/lexicons.ts'
import { analyse } from '../text/features.ts'
import { normalise, tokenise } from '../text/normalise.ts'
import { CUES, writeCues } from './cues.ts'
import { mashedShare } from './mashed.ts'
import { forEachPhrase, PHRASE_CUES } from './phrase-cues.ts'
import { SHAPE_CUES, writeShapes } from './shape-cues.ts'

const LANGUAGES = Object.entries<Lexicon>(LEXICONS)

test.each(LANGUAGES)('every phrase of %s is written as texts are read, or it would never match', (_, { KIND_CUES }) => {
  for (const phrase of Object.values(KIND_CUES).flat()) expect(tokenise(normalise(phrase)).join(' ')).toBe(phrase)
})

test.each(LANGUAGES)('%s has phrases for every cue, none twice', (_, { KIND_CUES }) => {
  for (const cue of PHRASE_CUES) {
    const phrases = KIND_CUES[cue] ?? []
    expect(phrases.length).toBeGreaterThan(0)
    expect(new Set(phrases).size).toBe(phrases.length)
  }
})

function phrasesIn(text: string): string[] {
  const found: string[] = []
  const tokens = tokenise(normalise(text))
  forEachPhrase(tokens, (cues, place, length) => {
    for (const [number, name] of PHRASE_CUES.entries()) {
      if (cues & (1 << number)) found.push(`${name}: ${tokens.slice(place, place + length).join(' ')}`)
    }
  })
  return found
}

test('phrases are found in all languages, also where one begins like another', () => {
  expect(phrasesIn('How do I export?')).toEqual(['questionWord: how', 'howTo: how do i', 'howTo: do i', 'self: i'])
  expect(phrasesIn('Il ne fonctionne plus')).toContain('fault: ne fonctionne plus')
  expect(phrasesIn('geht nicht')).toEqual(['fault: geht nicht', 'negation: nicht'])
  expect(phrasesIn('banana')).toEqual([])
})

/** The names of the shapes of a text. */
function shapesOf(text: string): string[] {
  const values = new Float32Array(SHAPE_CUES.length)
  const { tokens, noiseFlags, language } = analyse(text)
  writeShapes({ text, tokens, noiseFlags, language }, values, 0)
  return SHAPE_CUES.filter((_, i) => values[i] !== 0)
}

test.each([
  ['Really? Why?', ['asks', 'ends asking', 'asks twice']],
  ['4/5', ['rated high', 'agrees', 'no letters']],
  ['1 star', ['rated low']],
  ['2 Sterne', ['rated low']],
  ['★★★★★', ['rated high', 'no letters']],
  ['open 24/7', []],
  ['THIS IS SO BAD', ['shouts']],
  ['@anna_k we are on it ^JT', ['opens with handle', 'names handle', 'signed']],
  ['Please try again. -Becky https://example.test/x', ['signed', 'link']],
  ['a well-known bug', []],
  ['👍🏽', ['glad emoji', 'emoji', 'no letters']],
  ['same here', ['agrees']],
  ['thank you so much', ['noise']],
])('%s', (text, shapes) => {
  const tested = new Set([
    ...shapes,
    'asks',
    'rated high',
    'rated low',
    'signed',
    'link',
    'shouts',
    'agrees',
    'no letters',
  ])
  expect(
    shapesOf(text)
      .filter((shape) => tested.has(shape))
      .sort(),
  ).toEqual([...shapes].sort())
})

test.each([
  ['asdfghjkl', 1],
  ['jkljkl jkljkl', 1],
  ['hhhhhhhhh', 1],
  ['the export fails', 0],
  ['property strengths rhythm', 0],
  ['rechtschreibung', 0],
  ['gfdgdf works', 0.5],
])('%s is mashed by %d', (text, share) => {
  expect(mashedShare(text.split(' '))).toBe(share)
})

test('all cues are numbers from 0 to 1, and nothing outside their place is written', () => {
  const into = new Float32Array(CUES + 2).fill(0)
  into[0] = 7
  into[CUES + 1] = 7
  const text = 'Hello, thanks thanks! How do I export? It crashes, please help, please 😡 https://example.test'
  writeCues(text, analyse(text), into, 1)
  expect([into[0], into[CUES + 1]]).toEqual([7, 7])
  expect(into.subarray(1, CUES + 1).every((value) => value >= 0 && value <= 1)).toBe(true)
  expect(into.subarray(1, CUES + 1).filter((value) => value > 0).length).toBeGreaterThan(12)
})
