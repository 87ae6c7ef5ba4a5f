import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Node } from '../state/state.ts'
import { isCue } from '../text/intents.ts'
import { analysedSentences, forgetSentences, nameKey, shortenedTitle, type Title } from './sentences.ts'

const node = (text: string, language = 'en') => ({ text, language }) as Node

describe('the sentences of a kept text', () => {
  test('are analysed one by one, the first marked', () => {
    const read = analysedSentences(node('The export fails. Can you add a dark mode?'))
    expect(read.map(({ text, first }) => ({ text, first }))).toEqual([
      { text: 'The export fails.', first: true },
      { text: 'Can you add a dark mode?', first: false },
    ])
    expect(read.map(({ title }) => title?.text)).toEqual(['The export fails', 'Add a dark mode'])
  })

  test('have stems without cues', () => {
    const [read] = analysedSentences(node('Why does the export not work?'))
    const { intents, stems } = read ?? { intents: new Set<string>(), stems: new Set<string>() }
    expect([...intents].some(isCue)).toBe(true)
    expect([...stems].some(isCue)).toBe(false)
    expect(stems).toContain('export')
    for (const stem of stems) expect(intents).toContain(stem)
  })

  test('leave courtesies out, unless there is nothing else', () => {
    const texts = (text: string) => analysedSentences(node(text)).map((one) => one.text)
    expect(texts('I hope you are well. The export fails.')).toEqual(['The export fails.'])
    expect(analysedSentences(node('The export fails.'))[0]?.first).toBe(true)
    expect(texts('I hope you are well.')).toEqual(['I hope you are well.'])
  })

  test('of an empty text or one without words are none', () => {
    for (const text of ['', '   ', '?!', '🎉', '\ud83d']) expect(analysedSentences(node(text))).toEqual([])
  })

  test('are analysed once for a node, and again after it was forgotten', () => {
    const kept = node('The export fails.')
    const first = analysedSentences(kept)
    expect(analysedSentences(kept)).toBe(first)
    forgetSentences(kept)
    expect(analysedSentences(kept)).not.toBe(first)
    expect(analysedSentences(kept)).toEqual(first)
  })

  test('are the same after thousands of other nodes', () => {
    const kept = node('The export of large reports fails.')
    const first = structuredClone(analysedSentences(kept))
    for (let n = 0; n < 13_000; n++) analysedSentences(node(`ok ${n % 7}`))
    expect(analysedSentences(kept)).toEqual(first)
  })

  test.each([
    ['de', 'Der Export schlägt fehl. Bitte behebt das.'],
    ['fr', "L'export échoue. Merci de le corriger."],
    ['other', '報告書のエクスポートが失敗する。直してください。'],
    ['other', 'Выгрузка не работает. Почините, пожалуйста.'],
  ])('are found in %s: %s', (language, text) => {
    const read = analysedSentences(node(text, language))
    expect(read.length).toBeGreaterThan(0)
    for (const one of read) expect(text).toContain(one.text)
  })

  test('of any text are parts of it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        for (const one of analysedSentences(node(text))) {
          expect(text).toContain(one.text)
          expect(one.title?.quality ?? 1).toBeGreaterThan(0)
        }
      }),
      { numRuns: 200 },
    )
  })
})

describe('nameKey', () => {
  test.each([
    ['The export fails', 'EXPORTS FAILING'],
    ['Add a dark mode', 'Please add the dark modes'],
    ['Reports export', 'Export of reports'],
  ])('%j and %j are one name', (one, other) => {
    expect(nameKey(one)).toBe(nameKey(other))
  })

  test.each([
    ['The export fails', 'The import fails'],
    ['Add a dark mode', 'Add a light mode'],
    ['返品', '配送'],
  ])('%j and %j are two', (one, other) => {
    expect(nameKey(one)).not.toBe(nameKey(other))
  })

  test('of stop words alone is the text in lower case, so that it is not equal to every other', () => {
    expect(nameKey('Of The')).toBe('of the')
    expect(nameKey('')).toBe('')
  })
})

describe('shortenedTitle', () => {
  const whole = (): Title => {
    const [read] = analysedSentences(node('The export of large reports fails in Lisbon'))
    if (!read?.title) throw new Error('no title')
    return { ...read.title }
  }

  test('is the title itself when nothing was cut', () => {
    const title = whole()
    expect(shortenedTitle(title, title.text, title.text, 'en')).toBe(title)
    expect(title.shorter).toBeUndefined()
  })

  test('is computed once for each text', () => {
    const title = whole()
    const short = shortenedTitle(title, 'The export of large reports fails', title.text, 'en')
    expect(short.text).toBe('The export of large reports fails')
    expect(short.intents).not.toContain('lisbon')
    expect(short.key).not.toBe(title.key)
    expect(shortenedTitle(title, 'The export of large reports fails', title.text, 'en')).toBe(short)
    expect(shortenedTitle(title, 'Large reports fail', title.text, 'en')).not.toBe(short)
  })
})
