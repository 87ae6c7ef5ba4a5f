import { describe, expect, test } from 'vitest'
import { labelSentiment, sentimentOf } from './sentiment.ts'

describe('sentimentOf', () => {
  test.each([
    ['The export fails for large reports', 'problem'],
    ["I can't log in since the last update", 'problem'],
    ['Der Export funktioniert nicht', 'problem'],
    ['Die Rechnung ist falsch', 'problem'],
    ['La aplicación no funciona', 'problem'],
    ['O aplicativo não funciona, dá erro', 'problem'],
    ['Impossible de télécharger la facture', 'problem'],
    ['Please add a dark mode', 'request'],
    ['It would be great to have an API', 'request'],
    ['Es wäre schön, wenn es einen Dunkelmodus gäbe', 'request'],
    ['Me gustaría exportar a PDF', 'request'],
    ['Gostaria de exportar em PDF', 'request'],
    ["J'aimerais exporter en PDF", 'request'],
    ['We would love an export, without it we are stuck', 'request'],
    ['The office is in Leeds', null],
    ['', null],
  ])('%s → %s', (text, expected) => {
    expect(sentimentOf(text)).toBe(expected)
  })

  test('ignores what comes after 2,000 characters', () => {
    expect(sentimentOf(`${'x '.repeat(1_100)} the export fails and crashes`)).toBeNull()
  })
})

describe('labelSentiment', () => {
  test.each([
    ['Bug', 'problem'],
    [' errors ', 'problem'],
    ['Störung', 'problem'],
    ['Panne', 'problem'],
    ['fallo', 'problem'],
    ['Feature request', 'request'],
    ['Wunsch', 'request'],
    ['souhait', 'request'],
    ['sugerencia', 'request'],
    ['melhoria', 'request'],
    ['Billing', null],
    ['bug report form', null],
  ])('%s → %s', (label, expected) => {
    expect(labelSentiment(label)).toBe(expected)
  })
})
