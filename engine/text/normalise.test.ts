import { describe, expect, test } from 'vitest'
import { guessLanguage, stem } from './language.ts'
import { normalise, tokenise } from './normalise.ts'

const words = (text: string) => tokenise(normalise(text))

describe('normalise and tokenise', () => {
  test.each([
    ['See https://x.example/a?b=c#d now', ['see', 'now']],
    ['ask ann@x.example or @bob', ['ask', 'or']],
    ['<p>The <b>export</b> fails</p>', ['the', 'export', 'fails']],
    ['<@U123ABC> fails <https://x.example|the docs>', ['fails', 'the', 'docs']],
    ['fails :tada: 🎉', ['fails']],
    ['a &amp; b &lt;c&gt;', ['a', 'b', 'c']],
    ['request 3f2504e0-4f89-11d3-9a0c-0305e82c3301 failed', ['request', 'failed']],
    ['Error 504 after 12345 rows', ['error', '504', 'after', '0', 'rows']],
    ["Don’t and don't", ['dont', 'and', 'dont']],
    ['FÜR Größe', ['für', 'größe']],
    ['エクスポート', ['エク', 'クス', 'スポ', 'ポー', 'ート']],
  ])('%j', (text, expected) => {
    expect(words(text)).toEqual(expected)
  })

  test('keeps the message of a stack trace and drops its frames', () => {
    const trace =
      'TypeError: rows is undefined\n    at render (app.js:10:4)\n    at main (app.js:2:1)\n  File "x.py", line 3'
    expect(words(trace)).toEqual(['typeerror', 'rows', 'is', 'undefined'])
  })

  test('is bounded for a text of a megabyte', () => {
    expect(normalise('x'.repeat(1_000_000)).length).toBeLessThanOrEqual(4_000)
    expect(words('word '.repeat(100_000))).toHaveLength(160)
  })

  test.each([
    ['fr', 'les factures ne sont pas dans la liste', 'journaux', 'journal'],
    ['es', 'las exportaciones no se guardan en el proyecto', 'exportaciones', 'exportación'],
    ['pt', 'as faturas não estão em uma pasta', 'exportações', 'exportação'],
  ] as const)('knows %s: %s', (language, text, many, one) => {
    expect(guessLanguage(words(text))).toBe(language)
    expect(stem(many, language)).toBe(stem(one, language))
    expect(stem(many, 'en')).not.toBe(stem(one, 'en'))
  })

  test.each([
    ['es', 'Recibo demasiadas notificaciones por correo'],
    ['es', 'Exportar más de diez mil filas no termina nunca'],
    ['fr', "Tout est lent, j'attends longtemps chaque page"],
    ['fr', 'Supprimé par accident, comment le récupérer'],
    ['pt', 'Não consigo alterar a senha, nenhuma mensagem chega'],
    ['de', 'Gelöschte Projekte bekomme ich nicht zurück'],
    ['en', "tell jim I'm coming home soon"],
    ['en', 'please show me the résumé'],
  ])('knows %s: %s', (language, text) => {
    expect(guessLanguage(words(text))).toBe(language)
  })

  test('recognises English with a foreign name', () => {
    for (const text of ['flights to las vegas', 'book at le bernardin', 'mail anna at web dot com', 'que pasa']) {
      expect([text, guessLanguage(words(text))]).toEqual([text, 'en'])
    }
  })

  test('removes French elisions, in French only', () => {
    expect(words("l'export d'une facture qu’il faut")).toEqual(['export', 'une', 'facture', 'il', 'faut'])
    expect(words("don't call l'auberge")).toEqual(['dont', 'call', 'lauberge'])
  })

  test('distinguishes German from English and stems both', () => {
    expect(guessLanguage(words('der Export ist nicht möglich'))).toBe('de')
    expect(guessLanguage(words('the export is not possible'))).toBe('en')
    expect(guessLanguage(words('export failed'))).toBe('en')
    expect(guessLanguage(words('экспорт не работает'))).toBe('other')
    expect(stem('exports', 'en')).toBe(stem('export', 'en'))
    expect(stem('rechnungen', 'de')).toBe(stem('rechnung', 'de'))
    expect(stem('экспорт', 'other')).toBe('экспорт')
  })
})
