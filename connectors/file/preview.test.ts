import { setImmediate } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { FileOptions } from '../connector.ts'
import { inMemory } from './packed/opened.ts'
import { preview } from './preview.ts'
import { read } from './read.ts'
import { importedAt, options, readAll } from './testing.ts'

const look = (content: string | Uint8Array, name: string, more: Partial<FileOptions> = {}) =>
  preview(Buffer.from(content), options(name, more))

describe('the format', () => {
  it.each([
    ['a.csv', 'x,y\n1,2', 'csv'],
    ['a.CSV', 'x;y\n1;2', 'csv'],
    ['a.tsv', 'x\ty', 'tsv'],
    ['a.tab', 'x\ty', 'tsv'],
    ['a.jsonl', '{"a":"b"}', 'jsonl'],
    ['a.ndjson', '{"a":"b"}', 'jsonl'],
    ['a.txt', 'one, two\nthree, four', 'text'],
    ['-', '{"a":"b"}\n{"a":"c"}', 'jsonl'],
    ['-', 'a b c\td\ne f g\th', 'tsv'],
    ['feedback', 'id,text\n1,some words\n2,"more, words"', 'csv'],
    ['feedback', 'Hello, this is me.\nI like it\nNo, I do not, really', 'text'],
    ['v1.2', 'one line of text', 'text'],
  ])('of %s with %j is %s', async (name, content, format) => {
    expect((await look(content, name)).format).toBe(format)
  })

  it('is the caller’s choice, whatever the name', async () => {
    expect((await look('a,b\nc,d', 'a.csv', { format: 'text' })).rows).toEqual([['a,b'], ['c,d']])
  })
})

it('lets others be answered while it reads the messages of a large first part', async () => {
  let done = false
  const seen = look(`text\n${'x\n'.repeat(100_000)}`, 'a.csv').finally(() => {
    done = true
  })
  let meanwhile = 0
  for (; !done; meanwhile += 1) await setImmediate()
  expect((await seen).found.items).toHaveLength(100_000)
  expect(meanwhile).toBeGreaterThan(90)
})

describe('the separator', () => {
  it.each([',', ';', '\t', '|'])('%j is detected', async (separator) => {
    const content = ['id', 'text', 'author'].join(separator) + '\n' + ['1', '"a, b; c | d"', 'Ann'].join(separator)
    const { columns, rows } = await look(content, 'a.csv')
    expect(columns).toEqual(['id', 'text', 'author'])
    expect(rows).toEqual([['1', 'a, b; c | d', 'Ann']])
  })

  it('is none where a single column has commas in it', async () => {
    const { columns, rows } = await look('Feedback\nGood, but slow\nFine\nWell, yes, no, maybe\n', 'a.csv')
    expect(columns).toEqual(['Feedback'])
    expect(rows).toEqual([['Good, but slow'], ['Fine'], ['Well, yes, no, maybe']])
  })
})

describe('the header', () => {
  it.each([
    ['text\nhello there', true],
    ['Feedback;Store;Region code\nIt is too slow for us;Bern;north\nI love the new look;Basel;south', true],
    ['Meinung,Anzahl\nzu langsam,3\nzu teuer,4', true],
    ['hello there,spam\nhow are you,ham', false],
    ['How do I pay?\tcard\nWhere is it?\tcard', false],
    ['what is the date\tdate\nwhich day is it\tdate', false],
    ['text my wife\ttext\nsend a text\ttext', false],
    ['1,2\n3,4', false],
    ['a@example.com,hello\nb@example.com,world', false],
    ['id,id\n1,2', true],
  ])('%j: %j', async (content, header) => {
    expect((await look(content, content.includes('\t') ? 'a.tsv' : 'a.csv')).header).toBe(header)
  })

  it('gives unnamed columns their number and repeated ones a count', async () => {
    const { columns } = await look('id,,text,text\n1,2,3,4', 'a.csv', { header: true })
    expect(columns).toEqual(['id', '2', 'text', 'text (2)'])
  })
})

describe('the mapping', () => {
  it.each([
    [
      'id,created_at,author,text,url,thread_id',
      { id: 'id', date: 'created_at', author: 'author', text: 'text', link: 'url', thread: 'thread_id' },
    ],
    [
      'Ticket ID,Created At,Requester,Description,Permalink',
      { id: 'Ticket ID', date: 'Created At', author: 'Requester', text: 'Description', link: 'Permalink' },
    ],
    [
      'messageId,createdAt,userName,messageText',
      { id: 'messageId', date: 'createdAt', author: 'userName', text: 'messageText' },
    ],
    ['Subject,Body,E-Mail', { title: 'Subject', text: 'Body', author: 'E-Mail' }],
    ['Datum,Kunde,Nachricht', { date: 'Datum', author: 'Kunde', text: 'Nachricht' }],
    ['rating,review,title,date', { rating: 'rating', title: 'title', text: 'review', date: 'date' }],
  ])('of %s is guessed by name', async (header, mapping) => {
    const cells = header.split(',').map((_, at) => `value ${at}`)
    expect((await look(`${header}\n${cells.join(',')}`, 'a.csv')).mapping).toEqual(mapping)
  })

  it('without names is the wordiest column, but the first in tab-separated text', async () => {
    const rows = [
      ['spam', 'this is the longer text'],
      ['ham', 'and so is this one here'],
    ]
    const table = (separator: string) => rows.map((row) => row.join(separator)).join('\n')
    expect((await look(table(','), 'a.csv')).mapping).toEqual({ text: '2' })
    expect((await look(table('\t'), 'a.tsv')).mapping).toEqual({ text: '1' })
  })

  it('names values inside an object of JSON lines with a dot', async () => {
    const { columns, mapping, rows } = await look('{"id":1,"user":{"name":"Ann"},"message":"hi"}', 'a.jsonl')
    expect(columns).toEqual(['id', 'user.name', 'message'])
    expect(mapping).toEqual({ text: 'message', id: 'id', author: 'user.name' })
    expect(rows).toEqual([['1', 'Ann', 'hi']])
  })
})

it('has no date column whose cells are not dates, which would make all rows bad', async () => {
  const content = 'at,text\n677,one message\n696,another message\n783,a third'
  expect((await look(content, 'a.csv')).mapping).toEqual({ text: 'text' })
  expect((await readAll(content, 'a.csv')).items).toHaveLength(3)
  const mostly = 'at,text\nMonday,one message\nyesterday,another message\n2026-01-02,a third'
  expect((await look(mostly, 'a.csv')).mapping).toEqual({ text: 'text', date: 'at' })
})

it('shows ten rows, long cells cut, and the problems among the first rows', async () => {
  const long = 'x'.repeat(2000)
  const content = `text\n${long}\n${Array.from({ length: 30 }, (_, at) => `row ${at}`).join('\n')}\n"open`
  const { rows, problems } = await look(content, 'a.csv')
  expect(rows).toHaveLength(10)
  expect(rows[0]?.[0]).toHaveLength(500)
  expect(problems).toEqual([{ line: 33, reason: 'A quote is opened and never closed' }])
})

it('does not report the truncated end of a large head', async () => {
  const content = `id,text\n${Array.from({ length: 9000 }, (_, at) => `${at},"row, ${at}"`).join('\n')}`
  for (const size of [5000, 5001, 5007, 64 * 1024, 100_000, content.indexOf('\n', 80_000) + 1]) {
    const { problems, columns } = await look(content.slice(0, size), 'a.csv')
    expect(problems).toEqual([])
    expect(columns).toEqual(['id', 'text'])
  }
})

it('detects the same as the import after it', async () => {
  const content = `Datum;Kunde;Nachricht\n${Array.from({ length: 4000 }, (_, at) => `13.04.2026;K${at};Zeile ${at}`).join('\n')}`
  const seen = await look(content.slice(0, 200_000), 'a.csv')
  const { items } = await readAll(content, 'a.csv')
  expect(seen.mapping).toEqual({ text: 'Nachricht', date: 'Datum', author: 'Kunde' })
  expect(items).toHaveLength(4000)
  expect(items[0]).toMatchObject({ text: seen.rows[0]?.[2], at: new Date('2026-04-13T00:00:00Z') })
})

describe('the messages found', () => {
  const lines = (count: number) =>
    ['id,date,text', ...Array.from({ length: count }, (_, at) => `${at},05/06/2026,"message, ${at}"`), ''].join('\n')
  const found = async (content: string, size: number | null, name = 'a.csv') =>
    (await preview(Buffer.from(content), options(name), size)).found

  it('are those of the whole file, as the import reads them', async () => {
    const content = `${lines(4_000)}x,13/06/2026,the last of them`
    const { items, bad, whole, share } = await found(content, content.length)
    const pages = await Array.fromAsync(read(inMemory(Buffer.from(content)), options('a.csv'), importedAt))
    expect({ bad, whole, share }).toEqual({ bad: 0, whole: true, share: 1 })
    expect(items).toEqual(pages.flatMap((page) => page.items))
    expect(items.at(-1)).toMatchObject({ externalId: 'x', at: new Date('2026-06-13T00:00:00Z') })
    expect(items[0]?.at).toEqual(new Date('2026-06-05T00:00:00Z'))
  })

  it('are those of the part that is there, without the row that is cut off', async () => {
    const content = lines(9_000)
    const head = content.slice(0, 100_005)
    const { items, bad, whole, share } = await found(head, content.length)
    expect({ bad, whole }).toEqual({ bad: 0, whole: false })
    expect(items).toHaveLength(head.split('\n').length - 2)
    expect(items.at(-1)?.text).toBe(`message, ${items.length - 1}`)
    expect(Math.round(items.length / (share ?? 0))).toBeGreaterThan(8_900)
    expect(Math.round(items.length / (share ?? 0))).toBeLessThan(9_600)
  })

  it('of rows that cannot be read are counted, all of them', async () => {
    const content = `id,text\n${Array.from({ length: 90 }, (_, at) => `${at},`).join('\n')}\n90,the only message\n`
    expect(await found(content, content.length)).toMatchObject({ bad: 90, items: [{ text: 'the only message' }] })
  })

  it('of a packed file are those of what is in it', async () => {
    const packed = gzipSync(lines(50))
    const all = await preview(packed, options('a.csv.gz'), packed.byteLength)
    expect(all.found).toMatchObject({ whole: true, share: 1 })
    expect(all.found.items).toHaveLength(50)
    const many = gzipSync(lines(60_000))
    const first = await preview(many.subarray(0, 20_000), options('a.csv.gz'), many.byteLength)
    expect(first.found).toMatchObject({ whole: false, share: null, bad: 0 })
    expect(first.found.items.length).toBeGreaterThan(100)
  })
})
