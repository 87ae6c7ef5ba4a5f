import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sentencesOf, titleOf } from './titles.ts'

describe('titleOf', () => {
  test.each([
    ['hi, could you please tell me how to reset my password?', 'How to reset my password'],
    ["what's my credit limit", "What's my credit limit"],
    ['CSV export fails for large reports!!!', 'CSV export fails for large reports'],
    ['Hello team, the csv export is broken, thanks', 'The CSV export is broken'],
    ['please add a dark mode', 'Add a dark mode'],
    ['Feature request: bulk edit of time entries', 'Bulk edit of time entries'],
    ['i would like to know the status of my order', 'The status of my order'],
    ['THE DASHBOARD IS SO SLOW TODAY', 'The dashboard is so slow today'],
    ['i think i lost my card 😢', 'I lost my card'],
    ['iPhone app crashes on start :(', 'iPhone app crashes on start'],
    [
      'The timer stops when the phone is locked because the app is put to sleep by the system after a minute',
      'The timer stops when the phone is locked',
    ],
    ['Jira-Buchungen landen im falschen Projekt', 'Jira-Buchungen landen im falschen Projekt'],
    ['Bitte den Export reparieren, danke', 'Den Export reparieren'],
  ])('%j becomes %j', (sentence, title) => {
    expect(titleOf(sentence)).toBe(title)
  })

  test.each([
    'hi',
    'thanks',
    'ann@x.example cannot log in',
    'see https://x.example/a for it',
    'order 12345678 is missing',
    'the one with the',
    '{"error": "failed"}',
    '',
    '😀',
  ])('%j gives none', (sentence) => {
    expect(titleOf(sentence)).toBeNull()
  })

  test('is of 2 to 12 words of the sentence, in order, for any text', () => {
    const words = fc.constantFrom(
      'hi',
      'please',
      'the',
      'export',
      'fails',
      'because',
      ',',
      'i',
      'CSV',
      'can',
      'you',
      'tell',
      'me',
      '?',
      'ü',
      '\ud800',
      '(',
      ')',
    )
    fc.assert(
      fc.property(fc.array(words, { maxLength: 40 }), (picked) => {
        const title = titleOf(picked.join(' '))
        if (title === null) return
        const count = title.split(' ').length
        expect(count).toBeGreaterThanOrEqual(2)
        expect(count).toBeLessThanOrEqual(12)
        expect(title).not.toMatch(/[\s.,!?;:]$/)
        expect(title.isWellFormed()).toBe(true)
        const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-zü]+/g) ?? []
        const said = wordsOf(picked.join(' '))
        let from = 0
        for (const word of wordsOf(title)) {
          const at = said.indexOf(word, from)
          expect(at, `${word} of ${title}`).toBeGreaterThanOrEqual(from)
          from = at + 1
        }
      }),
    )
  })
})

describe('sentencesOf', () => {
  test('separates sentences, lines and list items', () => {
    expect(sentencesOf('It fails. Why? No idea\n- the export\n2) the import\n\n...')).toEqual([
      'It fails.',
      'Why?',
      'No idea',
      'the export',
      'the import',
    ])
  })

  test('leaves out what is too long to be a sentence', () => {
    expect(sentencesOf(`${'x'.repeat(400)}\nshort one`)).toEqual(['short one'])
  })
})
