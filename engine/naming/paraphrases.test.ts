import { expect, test } from 'vitest'
import { intentsOf } from '../text/intents.ts'
import { isRephrasing, paraphraseTest } from './paraphrases.ts'

const alike = (one: string, other: string) => paraphraseTest()(intentsOf(one), intentsOf(other))

test.each([
  ['List my reminders', 'What are my reminders'],
  ['What is the price of a ticket', 'Where can I see ticket prices'],
  ['Rent a bike', 'Is there a bike rental'],
])('%j and %j say the same', (one, other) => {
  expect(alike(one, other)).toBe(true)
  expect(alike(other, one)).toBe(true)
})

test.each([
  ['Turn on the heating', 'Turn off the heating'],
  ['My bike is stolen', 'Why is my bike not stolen'],
  ['When is my bill due', 'How much is my bill'],
  ['How do I rent a bike', 'Rent a bike'],
  ['Rent a bike', 'Is there dark mode'],
  ['Xqzv', 'Is there dark mode'],
])('%j and %j do not', (one, other) => {
  expect(alike(one, other)).toBe(false)
  expect(alike(other, one)).toBe(false)
})

test('a question in another form is a rephrasing, ignoring rare words', () => {
  const share = (intent: string) => (intent === 'milk' ? 0.02 : 0.5)
  const reworded = (one: string, other: string) => isRephrasing(intentsOf(one), intentsOf(other), share, 0.1)
  expect(reworded('What is the way to pay', 'How do I pay')).toBe(true)
  expect(reworded('What is on my list', 'Is milk on my list')).toBe(true)
  expect(reworded('What is on my list', 'Is bread on my list')).toBe(false)
})
