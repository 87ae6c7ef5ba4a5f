import { describe, expect, it } from 'vitest'
import { preview } from './preview.ts'
import { options, readAll } from './testing.ts'

describe('a .txt that is a table', () => {
  it('is read as one: Unicode text as Excel saves it', async () => {
    const text = [
      'Datei\tCustomer\tFeedback',
      '01.10.2026\tJürgen Groß\t"Die Suche findet ""Umlaute"" nicht"',
      '02.10.2026\tZoë Ünal\tUmlaute werden in der Suche nicht gefunden',
      '03.10.2026\tÅsa Öberg\tMit Umlauten findet die Suche nichts',
      '',
    ].join('\r\n')
    const file = Buffer.from(`\uFEFF${text}`, 'utf16le')
    expect(await preview(file, options('Mappe1.txt'))).toMatchObject({
      format: 'tsv',
      encoding: 'utf-16le',
      header: true,
      mapping: { text: 'Feedback', date: 'Datei', author: 'Customer' },
    })
    const { items } = await readAll(file, 'Mappe1.txt')
    expect(items.map(({ text: said, author, at }) => [said, author, at.toISOString().slice(0, 10)])).toEqual([
      ['Die Suche findet "Umlaute" nicht', 'Jürgen Groß', '2026-10-01'],
      ['Umlaute werden in der Suche nicht gefunden', 'Zoë Ünal', '2026-10-02'],
      ['Mit Umlauten findet die Suche nichts', 'Åsa Öberg', '2026-10-03'],
    ])
  })

  it.each([
    ['with pipes', 'id|userName|date|text\nr1|Ann|2026-10-01|It crashes 😡\nr2|Bob|2026-10-02|Crash "always"\n', 'csv'],
    ['with semicolons below names of columns', 'id;text\n1;It crashes\n2;Crash\n', 'csv'],
    ['with commas below names of columns', 'id,text\n1,It crashes\n2,Crash\n', 'csv'],
    ['with a stated separator', 'sep=;\nid;text\n1;It crashes\n2;Crash\n', 'csv'],
    ['of JSON Lines', '{"id":1,"text":"It crashes"}\n{"id":2,"text":"Crash"}\n', 'jsonl'],
  ])('%s', async (_, content, format) => {
    expect((await preview(Buffer.from(content), options('a.txt'))).format).toBe(format)
    expect((await readAll(content, 'a.txt')).texts).toHaveLength(2)
  })

  it.each([
    ['with commas', 'Hello, it crashes\nSorry, it is slow\nWell, I like it\n'],
    ['with a pipe here and there', 'Either this | or that\nIt crashes\nIt is slow | always\n'],
    ['of which one has a tab', 'It crashes\n\tIt is slow\nI like it\n'],
    ['with code', 'The call `a | b` fails\nUse { } around it\n'],
    ['one line', 'date\ttext\n'],
  ])('and lines of text stay lines: %s', async (_, content) => {
    expect((await preview(Buffer.from(content), options('a.txt'))).format).toBe('text')
  })

  it('is read as lines where that is chosen', async () => {
    const content = 'id|text\n1|It crashes\n'
    expect((await readAll(content, 'a.txt', { format: 'text' })).texts).toEqual(['id|text', '1|It crashes'])
    expect((await readAll(content, 'a.txt', { format: 'csv' })).texts).toEqual(['It crashes'])
  })
})
