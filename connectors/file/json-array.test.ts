import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonArraySplitter, startsJsonArray } from './json-array.ts'
import { preview } from './preview.ts'
import { chunked, options, readAll } from './testing.ts'

function split(text: string, size: number) {
  const splitter = jsonArraySplitter()
  const bytes = Buffer.from(text)
  const lines = []
  for (let from = 0; from < bytes.byteLength; from += size) {
    const chunk = Uint8Array.from(bytes.subarray(from, from + size))
    lines.push(...splitter.push(chunk))
    chunk.fill(0)
  }
  return [...lines, ...splitter.end()]
}

describe('one JSON array', () => {
  it('is split into its elements, however the bytes are split and whatever they contain', () => {
    const value = fc.jsonValue({ maxDepth: 3 })
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.string({ unit: 'grapheme' }), value), { minLength: 1 }),
        fc.constantFrom(undefined, 2),
        fc.integer({ min: 1, max: 40 }),
        (list, indent, size) => {
          const lines = split(JSON.stringify(list, null, indent), size)
          expect(lines.map((line) => JSON.parse(line.text))).toEqual(JSON.parse(JSON.stringify(list)))
          expect(lines.map((line) => line.number)).toEqual(list.map((_, at) => at + 1))
        },
      ),
    )
  })

  it('is read like JSON lines, in one line or in many', async () => {
    const list = [
      { id: 1, text: 'a, "quoted" ] message', user: { name: 'Ann' } },
      { id: 2, text: 'over\ntwo lines \\', user: { name: 'Bo' } },
      { id: 3, text: '[{', user: { name: 'Cy' } },
    ]
    for (const text of [JSON.stringify(list), JSON.stringify(list, null, 2), `\uFEFF  ${JSON.stringify(list)}\n\n`]) {
      for (const name of ['a.json', 'a.jsonl', 'feedback']) {
        const { items, problems, lines } = await readAll(chunked(text, 9), name)
        expect(problems).toEqual([])
        expect(items.map((item) => [item.externalId, item.text, item.author])).toEqual(
          list.map((one) => [String(one.id), one.text, one.user.name]),
        )
        expect(lines).toEqual([1, 2, 3])
      }
    }
  })

  it('has a preview, also where the first part ends within an element', async () => {
    const list = Array.from({ length: 5000 }, (_, at) => ({ id: at, message: `message number ${at} of many` }))
    const text = JSON.stringify(list)
    const seen = await preview(Buffer.from(text.slice(0, 100_000)), options('a.json'))
    expect(seen).toMatchObject({ format: 'jsonl', columns: ['id', 'message'], problems: [] })
    expect((await readAll(text, 'a.json')).items).toHaveLength(5000)
  })

  it('names bad elements by their number, and the rest is read', async () => {
    const { texts, problems } = await readAll('[{"text":"one"},{"text":},7,{"text":"four"}]', 'a.json')
    expect(texts).toEqual(['one', 'four'])
    expect(problems).toEqual([
      { line: 2, reason: 'The line is not valid JSON' },
      { line: 3, reason: 'The line is JSON, but not an object in { }' },
    ])
  })

  it('that is truncated gives all complete elements and one bad one', async () => {
    const { texts, problems } = await readAll('[{"text":"one"},{"text":"two"},{"text":"thr', 'a.json')
    expect(texts).toEqual(['one', 'two'])
    expect(problems).toEqual([{ line: 3, reason: 'The line is not valid JSON' }])
  })

  it('does not buffer an endless element', () => {
    const splitter = jsonArraySplitter()
    splitter.push(Buffer.from('[{"text":"'))
    const chunk = Buffer.alloc(64 * 1024, 'x')
    const before = process.memoryUsage().arrayBuffers
    for (let at = 0; at < 800; at += 1) expect(splitter.push(chunk)).toEqual([])
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(30 * 1024 * 1024)
    expect(splitter.push(Buffer.from('"},{"text":"next"}]'))).toEqual([
      { number: 1, text: '', problem: 'The line is longer than 1 MiB' },
      { number: 2, text: '{"text":"next"}', problem: null },
    ])
  })

  it('is distinguished from text and from JSON lines', () => {
    const starts = (text: string) => startsJsonArray(Buffer.from(text))
    expect([starts('[{"a":1}]'), starts(' [\n  {'), starts('[')]).toEqual([true, true, true])
    expect([starts('{"a":[{}]}'), starts('[x] done'), starts('[1,2]'), starts('')]).toEqual([
      false,
      false,
      false,
      false,
    ])
  })
})
