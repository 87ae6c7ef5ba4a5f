import { expect, test } from 'vitest'
import type { Node } from '../state/state.ts'
import { intentsOf, isCue } from '../text/intents.ts'
import { quantise } from '../text/packed-vectors.ts'
import { type Speaker, supportIn } from './support.ts'

const RARITY: Record<string, number> = { app: 1.2 }
const rarity = (stemmed: string) => RARITY[stemmed] ?? 5

/** Like those of nearby places, and at right angles to those 64 away. */
function direction(place: number): number[] {
  return Array.from({ length: 128 }, (_, i) => (i >= place && i < place + 64 ? 1 : 0))
}

function speaker(text: string, { weight = 1, vector }: { weight?: number; vector?: number[] } = {}): Speaker {
  const node = { text, language: 'en', ...(vector ? { vector: quantise(vector) } : {}) } as Node
  return { node, weight, stems: new Set([...intentsOf(text, 'en')].filter((intent) => !isCue(intent))) }
}

function told(title: string, members: Speaker[]) {
  const of = members[0]?.node ?? ({ language: 'en' } as Node)
  return supportIn(members, rarity).ofTitle({ intents: intentsOf(title, 'en') }, of)
}

test('counts the messages that have half of what is distinctive about a title', () => {
  const members = [
    speaker('export stops'),
    speaker('invoice export stops halfway', { weight: 2 }),
    speaker('the fence is blue'),
  ]
  expect(told('Invoice export stops', members).members).toBe(0.75)
  expect(told('Blue fence', members).members).toBe(0)
})

test('what a single message says is shared by none', () => {
  const members = [speaker('early shift today'), speaker('export stops'), speaker('export is stopped')]
  expect(told('Early shift', members)).toMatchObject({ members: 0, words: 0, alone: 2 })
  expect(told('Early shift', [speaker('early shift today')]).members).toBe(1)
})

test('counts related words, in other languages too', () => {
  const german = { ...speaker('x'), node: { text: 'x', language: 'de' } as Node, stems: new Set(['langsam']) }
  expect(told('Slow photo', [speaker('sluggish pictures'), german, speaker('blue fence')]).members).toBeCloseTo(2 / 3)
})

test('words that most of the workspace uses, figures and times distinguish nothing', () => {
  const members = [speaker('the app crashes'), speaker('the app is green'), speaker('the app on Monday for 2 hours')]
  expect(told('The app crashes', members).members).toBe(0)
  expect(told('Monday for 2 hours', members).members).toBe(0)
})

test('a statement counts where the encoder finds it alike and some words are shared', () => {
  const members = [
    speaker('the clock halts', { vector: direction(0) }),
    speaker('the stopwatch gives up', { vector: direction(4) }),
    speaker('it loses the clock', { vector: direction(8) }),
    speaker('the fence is blue', { vector: direction(64) }),
  ]
  expect(told('The clock halts', members).members).toBe(0.75)
})

test('a title without the subject of the group says nothing', () => {
  const members = [speaker('the app censors speech'), speaker('app of free speech'), speaker('speech')]
  expect(told('The app is not for you', members)).toMatchObject({ members: 0, words: 0 })
})

test('a group without words says nothing', () => {
  expect(told('The export', [speaker('?')])).toMatchObject({ members: 0, words: 0, alone: 1 })
  expect(told('?', [speaker('export')])).toEqual({ members: 0, words: 0, alone: 0 })
})
