import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { heapAfterCollection } from '../conformance/heap.ts'
import { Rejected } from '../kit/errors.ts'
import { read } from './read.ts'
import { chunked, importedAt, options, readAll } from './testing.ts'

describe('what is read', () => {
  it('is every mapped column of a CSV file', async () => {
    const csv = [
      'ID,Author,Created At,Text,Link,Thread',
      '7,Ann,2026-04-01T10:00:00Z,"Export fails, again",https://example.com/7,t-1',
      '8,,,No date here,javascript:alert(1),',
    ].join('\n')
    const { items, lines, problems } = await readAll(csv)
    expect(problems).toEqual([])
    expect(lines).toEqual([2, 3])
    expect(items).toEqual([
      {
        externalId: '7',
        text: 'Export fails, again',
        author: 'Ann',
        at: new Date('2026-04-01T10:00:00Z'),
        link: 'https://example.com/7',
        thread: 't-1',
        place: 'feedback.csv',
      },
      {
        externalId: '8',
        text: 'No date here',
        author: null,
        at: importedAt,
        dateKnown: false,
        link: null,
        thread: '8',
        place: 'feedback.csv',
      },
    ])
  })

  it('is the first column of tab-separated text without a header', async () => {
    const { items, lines } = await readAll(
      'How do I locate my card?\tcard_arrival\nIt said "no" 5" wide\tother\n',
      'a.tsv',
    )
    expect(items.map((item) => item.text)).toEqual(['How do I locate my card?', 'It said "no" 5" wide'])
    expect(lines).toEqual([1, 2])
  })

  it('is each object of a JSON Lines file, by its own names', async () => {
    const jsonl = [
      '{"id":1,"body":"one\\nline two","user":{"email":"a@example.com"},"created_at":1775037600}',
      '',
      '{"id":"2","body":"two","tags":["x"],"created_at":"1775037600000"}',
    ].join('\r\n')
    const { items, lines } = await readAll(jsonl, 'x.ndjson', {
      mapping: { text: 'body', id: 'id', author: 'user.email', date: 'created_at' },
    })
    expect(lines).toEqual([1, 3])
    expect(items.map(({ externalId, text, author, at }) => [externalId, text, author, at.toISOString()])).toEqual([
      ['1', 'one\nline two', 'a@example.com', '2026-04-01T10:00:00.000Z'],
      ['2', 'two', null, '2026-04-01T10:00:00.000Z'],
    ])
  })

  it('is each line of plain text', async () => {
    const { texts, lines } = await readAll('First, with a comma\n\n   \n"Second"\tand\n', 'notes.txt')
    expect(texts).toEqual(['First, with a comma', '"Second"\tand'])
    expect(lines).toEqual([1, 4])
  })

  it('finds columns by number or name, with the header that the caller chose', async () => {
    const text = 'alpha;beta\ngamma;delta'
    expect((await readAll(text, 'a.csv', { mapping: { text: '2' } })).texts).toEqual(['beta', 'delta'])
    expect((await readAll(text, 'a.csv', { header: true, mapping: { text: 'beta' } })).texts).toEqual(['delta'])
  })

  it('comes in pages of a thousand rows, with the line and the bytes so far', async () => {
    const csv = `text\n${Array.from({ length: 2500 }, (_, at) => `row number ${at}`).join('\n')}\n`
    const { pages } = await readAll(csv)
    expect(pages.map((page) => page.items.length)).toEqual([1000, 1000, 500])
    expect(pages.map((page) => page.line)).toEqual([1001, 2001, 2501])
    expect(pages.map((page) => page.bytes)).toEqual(pages.map((page) => page.bytes).toSorted((a, b) => a - b))
    expect(pages.at(-1)?.bytes).toBe(csv.length)
    for (const page of pages) expect(page.lines).toHaveLength(page.items.length)
  })

  it.each([1, 2, 3, 7, 1000])('is the same in chunks of %i bytes', async (size) => {
    const csv = '\uFEFFtext,author\r\n"Zürich, 出口 🙂\r\nsecond line",Änn\r\nplain,Bo\r\n'
    const { items } = await readAll(chunked(csv, size))
    expect(items.map((item) => [item.text, item.author])).toEqual([
      ['Zürich, 出口 🙂\nsecond line', 'Änn'],
      ['plain', 'Bo'],
    ])
  })
})

describe('ids', () => {
  const csv = 'text,author\nsame,Ann\nsame,Ann\nsame,Bo\nother,Ann\n'

  it('distinguish equal rows and are the same each time', async () => {
    const first = await readAll(csv, 'a.csv')
    const second = await readAll(chunked(csv, 5), 'renamed.csv')
    const ids = first.items.map((item) => item.externalId)
    expect(new Set(ids).size).toBe(4)
    expect(second.items.map((item) => item.externalId)).toEqual(ids)
  })

  it('stay when rows are appended', async () => {
    const ids = (await readAll(csv)).items.map((item) => item.externalId)
    const more = (await readAll(`${csv}same,Ann\n`)).items.map((item) => item.externalId)
    expect(more.slice(0, 4)).toEqual(ids)
    expect(new Set(more).size).toBe(5)
  })

  it('are the file’s own where it has some, however long', async () => {
    const long = 'x'.repeat(5000)
    const { items } = await readAll(`id,text\nA-1,one\n${long},two\n,three\n`)
    expect(items[0]?.externalId).toBe('A-1')
    expect(items[1]?.externalId).toMatch(/^sha256-[0-9a-f]{64}$/)
    expect(items[2]?.externalId).toMatch(/^[0-9a-f]{32}-1$/)
  })
})

describe('a file that cannot be read', () => {
  it.each([
    ['is empty', '', 'The file is empty'],
    ['has blank lines only', '\n \r\n\n', 'The file is empty'],
    ['has a byte order mark only', '\uFEFF', 'The file is empty'],
    ['has a header only', 'id,text,author\n', 'The file has a header, but no rows'],
    ['is half an Excel workbook', 'PK\u0003\u0004rest', /damaged or incomplete/],
    ['is a PDF', '%PDF-1.7', /PDF/],
    ['is XML', '<?xml version="1.0"?>\n<reviews><text>Slow</text></reviews>', /XML.*CSV/],
    ['is a page with a table', '<!DOCTYPE html>\n<table><tr><td>Slow</td></tr></table>', /web page.*CSV/],
    ['is a mailbox', 'From ann@x.com Thu Oct  1 08:15:00 2026\nSubject: Slow\n\nIt is slow', /mailbox.*CSV/],
    ['is an e-mail', 'Received: by x\nFrom: Ann <ann@x.com>\nSubject: Slow\nDate: today\n\nIt is slow', /e-mail.*CSV/],
  ])('because it %s is refused with a message', async (_, content, reason) => {
    const failed = readAll(content)
    await expect(failed).rejects.toThrow(Rejected)
    await expect(failed).rejects.toThrow(reason)
  })

  it('because it has no such column', async () => {
    await expect(readAll('text\na', 'a.csv', { mapping: { text: 'missing' } })).rejects.toThrow(/no column "missing"/)
    await expect(readAll('{"text":"a"}', 'a.jsonl', { mapping: { text: 'body' } })).rejects.toThrow(/no column "body"/)
    await expect(readAll('text\na', 'a.csv', { mapping: { text: '2' } })).rejects.toThrow(/no column "2"/)
  })

  it('closes the file when its reader stops early', async () => {
    let closed = false
    async function* endless() {
      try {
        for (;;) yield Buffer.from('a row\n'.repeat(20_000))
      } finally {
        closed = true
      }
    }
    for await (const page of read(endless(), options('a.txt'), importedAt)) {
      expect(page.items.length).toBeGreaterThan(0)
      break
    }
    expect(closed).toBe(true)
  })
})

it('keeps its memory flat over 100,000 rows', async () => {
  const rows = 100_000
  async function* table() {
    yield Buffer.from('author,created_at,text\n')
    for (let at = 0; at < rows; at += 100) {
      const lines = Array.from(
        { length: 100 },
        (_, next) => `u${at},2026-04-01,"Report ${at + next}, ${'word '.repeat(40)}"`,
      )
      yield Buffer.from(`${lines.join('\n')}\n`)
    }
  }
  const before = await heapAfterCollection()
  let count = 0
  let pages = 0
  let most = 0
  for await (const page of read(table(), options('a.csv'), importedAt)) {
    count += page.items.length
    pages += 1
    if (pages % 40 === 0) most = Math.max(most, await heapAfterCollection())
  }
  expect(count).toBe(rows)
  expect(most).toBeGreaterThan(0)
  expect(most - before).toBeLessThan(16 * 1024 * 1024)
})

it('reads a stream of a file on disk', async () => {
  const path = new URL('fixtures/google-play.csv', import.meta.url)
  const { items, pages } = await readAll(createReadStream(path), 'google-play.csv')
  expect(items.length).toBeGreaterThan(0)
  expect(pages.at(-1)?.bytes).toBe(statSync(path).size)
})

const real = new URL('../../../shared/data/', import.meta.url)
describe.skipIf(!existsSync(real))('the sample files beside the checkout', () => {
  const files = existsSync(real) ? readdirSync(real).filter((name) => name.endsWith('.tsv')) : ['none there']

  it.each(files)('%s is read completely', async (name) => {
    const path = new URL(name, real)
    const { items, problems, pages } = await readAll(createReadStream(path), name)
    expect(problems).toEqual([])
    expect(items.length).toBe(pages.at(-1)?.line)
    expect(pages.at(-1)?.bytes).toBe(statSync(path).size)
    expect(items.every((item) => !item.text.includes('\t'))).toBe(true)
  })
})
