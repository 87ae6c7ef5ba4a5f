import { expect, test } from 'vitest'
import { intentsOf } from '../text/intents.ts'
import { titleVariants } from './details.ts'
import { nameKey } from './sentences.ts'

const SHARES = new Map(
  Object.entries({
    export: 0.9,
    report: 0.8,
    account: 0.8,
    rate: 0.7,
    save: 0.3,
    lost: 0.3,
    weather: 0.9,
    speak: 0.9,
    week: 0.5,
  }),
)
const variants = (text: string, shares = SHARES) =>
  titleVariants({ text, intents: intentsOf(text), key: nameKey(text), quality: 1, tone: null }, text, 'en', shares).map(
    (title) => title.text,
  )

test('drops a trailing phrase that only some members use', () => {
  expect(variants('Export the report for Lisbon')).toEqual(['Export the report'])
  expect(variants('Export the report on Friday at 5')).toEqual(['Export the report'])
  expect(variants('What is the weather in Austin')).toEqual(['What is the weather'])
})

test('keeps a phrase most members use, and one without which the title is incomplete', () => {
  expect(variants('What is the rate of my account')).toEqual(['What is the rate of my account'])
  expect(variants('I want to speak in Danish')).toEqual(['I want to speak in Danish'])
  expect(variants('The export is off by one')).toEqual(['The export is off by one'])
  expect(variants('Rows of the export come in double')).toEqual(['Rows of the export come in double'])
})

test('offers the title without a modifier that only some members use', () => {
  expect(variants('What is the rate of my savings account')).toEqual([
    'What is the rate of my savings account',
    'What is the rate of my account',
  ])
})

test('keeps a modifier of a verb', () => {
  const shares = new Map([...SHARES, ['clean', 0.9]])
  expect(variants('Have my robot clean the house', shares)).toEqual(['Have my robot clean the house'])
})

test('keeps a modifier of a verb after its subject', () => {
  expect(variants('When does the blue export')).toEqual(['When does the blue export'])
  expect(variants('Will this shop export parcels')).toEqual(['Will this shop export parcels'])
  expect(variants('What does my savings account look like')).toContain('What does my account look like')
})

test('keeps the subject of a verb', () => {
  const shares = new Map([...SHARES, ['show', 0.9]])
  expect(variants('The screen shows local charts', shares)).toEqual(['The screen shows local charts'])
})

test('keeps a problem word', () => {
  expect(variants('Where is my lost account')).toEqual(['Where is my lost account'])
  expect(variants('Where is my cancelled account')).toEqual(['Where is my cancelled account'])
})

test('leaves titles in other languages unchanged', () => {
  const title = {
    text: 'Wo ist mein altes account',
    intents: intentsOf('account'),
    key: 'account',
    quality: 1,
    tone: null,
  }
  expect(titleVariants(title, title.text, 'de', SHARES)).toEqual([title])
})
