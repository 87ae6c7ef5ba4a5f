import { expect, test } from 'vitest'
import { asPhrase } from './wording.ts'

test.each([
  ["I can't find my card PIN", "Can't find my card PIN"],
  ["I'm still unable to create an avatar", 'Unable to create an avatar'],
  ['I want to change my address', 'Change my address'],
  ['We need dark mode in Facebook', 'Dark mode in Facebook'],
  ['I would love a dark mode', 'Dark mode'],
  ['How do I set a new PIN', 'How to set a new PIN'],
  ['There is no dark mode', 'No dark mode'],
])('%j as a phrase is %j', (title, phrase) => {
  expect(asPhrase(title)).toBe(phrase)
})

test.each([
  'The export stops halfway',
  'I want my home to open the doors',
  'I need it',
  'I want a coffee',
  'I want to know',
  'How do I get refunded',
  'How can you not log in',
  'Der Export schlägt fehl',
])('%j stays', (title) => {
  expect(asPhrase(title)).toBe(title)
})
