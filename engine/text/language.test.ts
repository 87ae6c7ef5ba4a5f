import { describe, expect, test } from 'vitest'
import { guessLanguage, languageFromHints, languageHints, stem } from './language.ts'
import { normalise, tokenise } from './normalise.ts'

const guess = (text: string) => guessLanguage(tokenise(normalise(text)))

describe('guessLanguage', () => {
  test.each([
    ['the export of my report does not work', 'en'],
    ['der Export funktioniert nicht', 'de'],
    ["l'export de mon rapport ne marche pas", 'fr'],
    ['la exportación de mi informe no funciona', 'es'],
    ['a exportação do meu relatório não funciona', 'pt'],
    ['Überweisung', 'de'],
    ['flights to las vegas', 'en'],
    ['登录失败', 'other'],
    ['не работает экспорт', 'other'],
    ['export csv', 'en'],
    ['', 'en'],
  ])('%s → %s', (text, expected) => {
    expect(guess(text)).toBe(expected)
  })

  test('gives the same from hints of the tokens', () => {
    const tokens = tokenise(normalise('der Export funktioniert nicht'))
    expect(languageFromHints(tokens.map(languageHints), tokens.length)).toBe(guessLanguage(tokens))
  })

  test('a word without evidence has no hints', () => {
    expect(languageHints('export')).toBe(0)
    expect(languageHints('the')).toBe(1)
    expect(languageHints('登录')).toBe(1_024)
  })
})

describe('stem', () => {
  test.each([
    ['exports', 'en', 'export'],
    ['rechnungen', 'de', 'rechnung'],
    ['is', 'en', 'is'],
    ['b2b', 'en', 'b2b'],
    ['exports', 'other', 'exports'],
  ] as const)('%s (%s) → %s', (word, language, expected) => {
    expect(stem(word, language)).toBe(expected)
  })
})
