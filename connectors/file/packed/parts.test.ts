import { describe, expect, it } from 'vitest'
import { preview } from '../preview.ts'
import { options, readAll } from '../testing.ts'
import { zipOf } from './testing.ts'

const [one, two] = ['id,message,date\n1,"It\nfails",2026-10-01', 'id,message,date\n2,It is slow,2026-10-02\n']
const ten = 'id,message,date\n10,It hangs,2026-10-10\n'

describe('several files of one kind', () => {
  it('are read as one, in the order of their numbers', async () => {
    const file = zipOf({ 'part-10.csv': ten, 'part-1.csv': one, 'part-2.csv': two })
    const { texts, items } = await readAll(file, 'parts.zip')
    expect(texts).toEqual(['It\nfails', 'It is slow', 'It hangs'])
    expect(items.map(({ externalId, place }) => [externalId, place])).toEqual([
      ['1', 'parts.zip'],
      ['2', 'parts.zip'],
      ['10', 'parts.zip'],
    ])
    const seen = await preview(file, options('parts.zip'), file.byteLength)
    expect(seen).toMatchObject({ files: 3, format: 'csv', columns: ['id', 'message', 'date'] })
    expect(seen.found.items.map(({ text }) => text)).toEqual(texts)
  })

  it('are previewed by the first of them where they are large', async () => {
    const file = zipOf({ 'a.csv': `${one}\n3,cut`, 'b.csv': two })
    const seen = await preview(file, options('parts.zip'), file.byteLength + 1)
    expect(seen).toMatchObject({ files: 2, found: { whole: false, share: null } })
    expect(seen.found.items.map(({ text }) => text)).toEqual(['It\nfails'])
  })

  it.each([
    ['of old Macs', one.replaceAll('\n', '\r'), 'id,message,date\r2,Café,2026-10-02\r'],
    [
      'in UTF-16',
      Buffer.from(`\uFEFF${one}`, 'utf16le'),
      Buffer.from('\uFEFFid,message,date\r\n2,Café,2026-10-02', 'utf16le'),
    ],
    ['with byte order marks', `\uFEFF${one}`, '\uFEFFid,message,date\n2,Café,2026-10-02'],
    ['in different encodings', one, Buffer.from('id,message,date\n2,Café,2026-10-02', 'latin1')],
  ])('%s have one header', async (_, a, b) => {
    const { texts, problems } = await readAll(zipOf({ 'a.csv': a, 'b.csv': b }), 'parts.zip')
    expect(texts.map((text) => text.replace('\r', '\n'))).toEqual(['It\nfails', 'Café'])
    expect(problems).toEqual([])
  })

  it('may be pages of JSON, the last of which is empty', async () => {
    const page = (...texts: string[]) =>
      JSON.stringify({ data: texts.map((message, at) => ({ id: `${message}${at}`, message })) }, null, 2)
    const file = zipOf({ '1.json': page('One', 'Two'), '2.json': page('Three'), '3.json': '[]' })
    expect((await readAll(file, 'pages.zip')).texts).toEqual(['One', 'Two', 'Three'])
    expect((await preview(file, options('pages.zip'))).files).toBe(2)
  })

  it('may be of plain text, or one object on each line', async () => {
    expect((await readAll(zipOf({ 'a.txt': 'It is slow', 'b.txt': 'It hangs\n' }))).texts).toEqual([
      'It is slow',
      'It hangs',
    ])
    const lines = zipOf({ 'a.jsonl': '{"text":"It is slow"}', 'b.jsonl': '\n{"text":"It hangs","user":"ada"}' })
    expect((await readAll(lines)).texts).toEqual(['It is slow', 'It hangs'])
  })

  it('name the file of a row that cannot be read, and its line there', async () => {
    const { problems } = await readAll(zipOf({ 'a.csv': one, 'b.csv': `${two}3,,2026-10-03\n` }), 'parts.zip')
    expect(problems).toEqual([{ line: 3, reason: 'b.csv: The text is empty' }])
  })

  it('are at most 200', async () => {
    const files = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`${at}.csv`, two]))
    await expect(readAll(zipOf(files))).rejects.toThrow('The archive has 201 files. At most 200 are read as one')
  })

  it('have the same ids when they are read again', async () => {
    const file = zipOf({ 'a.csv': 'message\nIt hangs\n', 'b.csv': 'message\nIt hangs\nIt is slow\n' })
    const [once, again] = [await readAll(file, 'a.zip'), await readAll(file, 'b.zip')]
    expect(new Set(once.items.map(({ externalId }) => externalId)).size).toBe(3)
    expect(again.items.map(({ externalId }) => externalId)).toEqual(once.items.map(({ externalId }) => externalId))
  })
})
