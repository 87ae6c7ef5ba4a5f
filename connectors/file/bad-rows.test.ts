import { describe, expect, it } from 'vitest'
import { chunked, importedAt, readAll } from './testing.ts'

const good = (count: number, from = 1) => Array.from({ length: count }, (_, at) => `${at + from},good row ${at + from}`)
const MIB = 1024 * 1024

describe('only the bad row is lost', () => {
  it('when a quote is never closed', async () => {
    const csv = ['id,text', ...good(2), '3,"never closed', ...good(3000, 4)].join('\n')
    const { items, problems } = await readAll(csv)
    expect(problems).toEqual([{ line: 4, reason: expect.stringContaining('never closed') }])
    expect(items).toHaveLength(3002)
    expect(items.map((item) => item.externalId)).not.toContain('3')
  })

  it('when a line of JSON is nested more than a thousand times: it is not parsed', async () => {
    const deep = (depth: number) =>
      `{"text":"deep [","more":${'['.repeat(depth)}${']'.repeat(depth)},"filler":"${'x'.repeat(10_000)}"}`
    const { texts, problems } = await readAll(
      ['{"text":"one"}', deep(999), deep(1000), '{"text":"two"}'].join('\n'),
      'a.jsonl',
    )
    expect(texts).toEqual(['one', 'deep [', 'two'])
    expect(problems).toEqual([{ line: 3, reason: 'The line is not valid JSON' }])
  })

  it('when a quote is never closed near the end', async () => {
    const csv = ['id,text', '1,one', '2,"never closed', '3,three', '4,"fo""ur"', '5,five'].join('\n')
    const { texts, problems } = await readAll(csv)
    expect(problems).toEqual([{ line: 3, reason: 'A quote is opened and never closed' }])
    expect(texts).toEqual(['one', 'three', 'fo"ur', 'five'])
  })

  it('when a quote inside a cell is not doubled', async () => {
    const { texts, problems, lines } = await readAll('id,text\n1,"a "big" one"\n2,fine\n3,5" wide\n')
    expect(problems).toEqual([{ line: 2, reason: 'A quote inside a quoted cell is not doubled' }])
    expect(texts).toEqual(['fine', '5" wide'])
    expect(lines).toEqual([3, 4])
  })

  it('when every row has a stray quote, without reading any of them a thousand times', async () => {
    const csv = ['id,text', ...Array.from({ length: 5000 }, (_, at) => `${at},"row ${at}`)].join('\n')
    const { items, problems } = await readAll(csv)
    expect(items).toEqual([])
    expect(problems).toHaveLength(5000)
    expect(problems.at(-1)?.line).toBe(5001)
  })

  it('when quotes are stray in tab-separated text: there they are text', async () => {
    const { texts, problems } = await readAll('"Great app\tx\nthe 5" one\ty\n"whole ""cell"""\tz\n"open\tw', 'a.tsv')
    expect(problems).toEqual([])
    expect(texts).toEqual(['"Great app', 'the 5" one', 'whole "cell"', '"open'])
  })

  it('when a quoted cell is longer than 1,000 lines or 1 MiB', async () => {
    const many = `id,text\n1,"${'line\n'.repeat(1001)}"\n2,fine\n`
    const { texts, problems } = await readAll(many, 'a.csv', { mapping: { text: 'text' } })
    expect(problems[0]).toEqual({ line: 2, reason: expect.stringContaining('1,000 lines') })
    expect(texts).toContain('fine')
    const wide = `id,text\n1,"${`${'x'.repeat(1000)}\n`.repeat(1100)}"\n2,fine\n`
    const second = await readAll(wide, 'a.csv')
    expect(second.problems[0]?.line).toBe(2)
    expect(second.texts).toContain('fine')
  })

  it('when a line is over 1 MiB', async () => {
    for (const size of [1024, 64 * 1024, 8 * MIB]) {
      const text = Buffer.from(`first\n${'x'.repeat(3 * MIB)}\nlast\n${'y'.repeat(MIB + 1)}`)
      const { texts, problems } = await readAll(chunked(text, size), 'a.txt')
      expect(texts).toEqual(['first', 'last'])
      expect(problems).toEqual([
        { line: 2, reason: 'The line is longer than 1 MiB' },
        { line: 4, reason: 'The line is longer than 1 MiB' },
      ])
    }
    expect((await readAll(`a\n${'x'.repeat(MIB)}`, 'a.txt')).texts[1]).toHaveLength(MIB)
  })

  it('when it is not UTF-8, has a NUL byte, or both in one file', async () => {
    const bytes = Buffer.concat([
      Buffer.from('text\nfine one\n'),
      Buffer.from([0x4d, 0xfc, 0x6e, 0x63, 0x68, 0x0a]),
      Buffer.from('nul \0 here\nZürich\n'),
      Buffer.from([0x61, 0xe2, 0x82, 0x0a]),
      Buffer.from('last'),
    ])
    for (const size of [1, 5, 1000]) {
      const { texts, problems } = await readAll(chunked(bytes, size))
      expect(texts).toEqual(['fine one', 'Zürich', 'last'])
      expect(problems.map((problem) => problem.line)).toEqual([3, 4, 6])
      expect(problems.map((problem) => problem.reason)).toEqual([
        expect.stringContaining('not valid UTF-8'),
        'The line contains a NUL byte',
        expect.stringContaining('not valid UTF-8'),
      ])
    }
  })

  it('when a line inside a quoted cell is bad', async () => {
    const bytes = Buffer.concat([
      Buffer.from('id,text\n0,Zürich\n1,"a\n'),
      Buffer.from([0xff, 0x0a]),
      Buffer.from('b"\n2,fine\n'),
    ])
    const { texts, problems } = await readAll(bytes)
    expect(problems.slice(0, 2).map((problem) => problem.line)).toEqual([3, 4])
    expect(texts).toContain('fine')
  })

  it('when JSON is malformed, no object, or contains a NUL', async () => {
    const jsonl = [
      '{"text":"ok"}',
      '{"text":',
      '["text"]',
      '"text"',
      'null',
      '{"text":"a\\u0000b"}',
      '{"text":7}',
      '{"no":1}',
    ]
    const { texts, problems } = await readAll(jsonl.join('\n'), 'a.jsonl')
    expect(texts).toEqual(['ok', '7'])
    expect(problems).toEqual([
      { line: 2, reason: 'The line is not valid JSON' },
      { line: 3, reason: 'The line is JSON, but not an object in { }' },
      { line: 4, reason: 'The line is JSON, but not an object in { }' },
      { line: 5, reason: 'The line is JSON, but not an object in { }' },
      { line: 6, reason: 'The row contains a NUL character' },
      { line: 8, reason: 'The text is empty' },
    ])
  })

  it('when cells are missing or too many', async () => {
    const { texts, problems } = await readAll('id,author,text\n1\n2,Bo,fine\n3,Cy,a,b\n4,Di,ok,,\n5,Ed,\n')
    expect(texts).toEqual(['fine', 'ok'])
    expect(problems).toEqual([
      { line: 2, reason: 'The row has 1 column, the text is expected in column 3' },
      { line: 4, reason: expect.stringMatching(/^The row has 4 columns instead of 3/) },
      { line: 6, reason: 'The text is empty' },
    ])
  })

  it('not when its date cannot be read: it is kept, and its date is unknown', async () => {
    const { items, problems } = await readAll(
      'date,text\n2026-02-30,no such day\nyesterday,what day\n,no day\n2026-02-28,fine\n',
    )
    expect(items.map(({ text, at, dateKnown }) => [text, at, dateKnown])).toEqual([
      ['no such day', importedAt, false],
      ['what day', importedAt, false],
      ['no day', importedAt, false],
      ['fine', new Date('2026-02-28'), undefined],
    ])
    expect(problems).toEqual([])
  })

  it('when it is the whole file', async () => {
    const { items, problems } = await readAll('{"text":\n["a"]\n', 'a.jsonl')
    expect(items).toEqual([])
    expect(problems.map((problem) => problem.line)).toEqual([1, 2])
  })
})

describe('encodings', () => {
  const csv = 'text,author\r\n"Zürich 🙂, ja",Änn\r\n'
  const swap = (bytes: Buffer) => Buffer.from(bytes).swap16()
  const le = Buffer.from(`\uFEFF${csv}`, 'utf16le')

  it.each([
    ['UTF-8', Buffer.from(csv)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${csv}`)],
    ['UTF-16 LE with a mark', le],
    ['UTF-16 BE with a mark', swap(le)],
    ['UTF-16 LE without one', le.subarray(2)],
    ['UTF-16 BE without one', swap(le).subarray(2)],
  ])('%s is read, even a byte at a time', async (_, bytes) => {
    for (const size of [1, 64 * 1024]) {
      const { items, problems, pages } = await readAll(chunked(bytes, size))
      expect(problems).toEqual([])
      expect(items.map((item) => [item.text, item.author])).toEqual([['Zürich 🙂, ja', 'Änn']])
      expect(pages.at(-1)?.bytes).toBe(bytes.byteLength)
    }
  })

  it('line breaks of Windows, Unix and old Macs are equivalent', async () => {
    for (const lineBreak of ['\r\n', '\n', '\r']) {
      const { texts, lines } = await readAll(['text', 'one', 'two', ''].join(lineBreak))
      expect(texts).toEqual(['one', 'two'])
      expect(lines).toEqual([2, 3])
    }
  })
})
