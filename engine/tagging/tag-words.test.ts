import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { labelCues } from './label-cues.ts'
import { isContentWord, isSpellingVariant, tagWordsOf } from './tag-words.ts'

const tokens = (text: string) => tagWordsOf(text).words.map(({ token }) => token)
const stems = (text: string, language?: 'en' | 'de') => tagWordsOf(text, language).words.map(({ stem }) => stem)
const content = (text: string) =>
  tagWordsOf(text)
    .words.filter(isContentWord)
    .map(({ token }) => token)

describe('tagWordsOf', () => {
  test.each([
    ['cannot log in', ['cannot', 'login']],
    ['logged into the app', ['login', 'the', 'app']],
    ['signing on', ['login']],
    ['sign up today', ['signup', 'today']],
    ['logged out again', ['logout', 'again']],
    ['sign off', ['logout']],
    ['two logins', ['two', 'login']],
    ['the log is in the folder', ['the', 'log', 'is', 'in', 'the', 'folder']],
    ['sign', ['sign']],
    ['', []],
    ['?!', []],
  ])('%j → %j', (text, expected) => {
    expect(tokens(text)).toEqual(expected)
  })

  test('gives one stem to the forms of a word', () => {
    expect(new Set(stems('invoice invoices invoicing', 'en')).size).toBe(1)
    expect(new Set(stems('Rechnung Rechnungen', 'de')).size).toBe(1)
  })

  test('keeps apart what the stemmer would take for one word', () => {
    const [one, other] = [stems('important', 'en')[0], stems('import', 'en')[0]]
    expect(one).not.toBe(other)
  })

  test('guesses the language of a long text, and takes the given one for a short one', () => {
    expect(tagWordsOf('die Rechnung kommt jeden Monat zu spät bei uns an').language).toBe('de')
    expect(tagWordsOf('Rechnung', 'fr').language).toBe('fr')
    expect(tagWordsOf('the invoice is late again and nobody answers our mails', 'de').language).toBe('en')
  })

  test('knows stop words of English and of the text’s language', () => {
    const words = tagWordsOf('the Rechnung und die Zahlung', 'de').words
    expect(words.map(({ isStopword }) => isStopword)).toEqual([true, false, true, true, false])
  })
})

describe('isContentWord', () => {
  test('leaves out stop words, single letters, zero and words about feedback itself', () => {
    expect(content('a the x 0 feedback customers invoice')).toEqual(['invoice'])
    expect(content('Kunden melden Rechnungen')).toContain('rechnungen')
    expect(content('Kunden melden Rechnungen')).not.toContain('kunden')
  })
})

describe('isSpellingVariant', () => {
  test.each([
    ['recieve', 'receive'],
    ['notification', 'notificaton'],
    ['subscription', 'subscripton'],
  ])('%s and %s are', (one, other) => {
    expect(isSpellingVariant(one, other)).toBe(true)
  })

  test.each([
    ['export', 'import'],
    ['billing', 'killing'],
    ['invoice', 'invoices2024'],
    ['short', 'shirt'],
    ['support', 'suppress'],
    ['', ''],
  ])('%s and %s are not', (one, other) => {
    expect(isSpellingVariant(one, other)).toBe(false)
  })

  test('does not depend on the order, and a long word is a variant of itself', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (one, other) => {
        expect(isSpellingVariant(one, other)).toBe(isSpellingVariant(other, one))
        expect(isSpellingVariant(one, one)).toBe(one.length >= 6)
      }),
    )
  })
})

describe('labelCues', () => {
  test('is the same for a label in the singular, in the plural and in another language', () => {
    expect(labelCues('Bug')).toEqual(labelCues('bugs'))
    expect(labelCues(' FEHLER ')).toEqual(labelCues('bug'))
    expect(labelCues('bug')).toContain('not working')
  })

  test('is empty for any other label', () => {
    for (const label of ['', 'Periscope', 'bug report of ours', 'constructor', '__proto__'])
      expect(labelCues(label)).toEqual([])
  })

  test.each(['bug', 'request', 'question', 'billing', 'login', 'performance', 'export', 'delivery'])(
    'phrases for %s are lower case, trimmed and different',
    (label) => {
      const cues = labelCues(label)
      expect(new Set(cues).size).toBe(cues.length)
      for (const cue of cues) expect(cue).toBe(cue.trim().toLowerCase())
    },
  )
})
