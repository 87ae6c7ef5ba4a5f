import fc from 'fast-check'
import { expect, test } from 'vitest'
import { intentsOf, isCue } from './intents.ts'

const cues = (text: string) => [...intentsOf(text)].filter(isCue).sort()
const subjects = (text: string) => [...intentsOf(text)].filter((intent) => !isCue(intent)).sort()

test.each([
  ['My card is not working', ['!not']],
  ['My card was declined', ['!not']],
  ['Why was my payment declined?', ['!not', '?why']],
  ['Is there a fee for it?', ['!cost', '?if']],
  ['How much is it?', ['?how much']],
  ['How long does it take', ['?how long']],
  ['How do I pay', ['!cost', '?how']],
  ['How is the weather', ['?what']],
  ['Can I open an account', ['?if']],
  ['can you open the account', []],
  ['Warum geht das nicht?', ['!not', '?why']],
  ['Was kostet das, und wann kommt es?', ['!cost', '?what', '?when']],
  ['It was fine', []],
  ['¿Cuándo llega?', ['?when']],
  ['Où est la facture', ['?where']],
  ['What do I need to do to pay', ['!cost', '?how']],
  ["What's the best way to pay", ['!cost', '?how']],
  ['When is the next invoice', ['!next', '?when']],
  ['When was the last invoice', ['!last', '?when']],
  ['It broke last week', ['!not']],
  ['Turn the sounds off', ['!off']],
  ['Switch it on', ['!on']],
  ['Put tea on the list', ['!on']],
  ['Is the shop on?', ['?if']],
  ['Add a folder', ['!on']],
  ['Remove the folder', ['!off']],
  ['Turn it up', ['!up']],
  ['Make it quieter', ['!down']],
  ['Ich möchte kündigen', ['!off']],
  ['I have trouble with it', ['!not']],
])('%j asks %j', (text, found) => {
  expect(cues(text)).toEqual(found)
})

test('the subject is its stems, without stop words', () => {
  expect(subjects('Why do my exports fail?')).toEqual(subjects('the export of it fails'))
  expect(subjects('I want it now, please')).toEqual([])
  expect(subjects('How long for my ID?')).toContain('id')
  expect(subjects('id like it')).not.toContain('id')
})

test('a word that is a property of every object gives no direction', () => {
  expect([...intentsOf('switch to the constructor', 'en')]).toEqual(['switch', 'constructor'])
  expect([...intentsOf('turn toString off', 'en')]).toContain('!off')
})

test('German `was` asks what, English `was` does not', () => {
  expect(intentsOf('Was kostet das?', 'de')).toContain('?what')
  expect(intentsOf('Was kostet das?', 'de')).not.toContain('?if')
  expect(intentsOf('Was it cheap?', 'en')).toContain('?if')
  expect(intentsOf('Was it cheap?', 'en')).not.toContain('?what')
})

test('handles any text, deterministically', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 80 }), (text) => {
      expect([...intentsOf(text)].join(' ')).toBe([...intentsOf(text)].join(' '))
    }),
    { numRuns: 50 },
  )
})
